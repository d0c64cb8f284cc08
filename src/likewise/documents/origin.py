"""`Origin`: one file (or stdin) of a collection, and how it is to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from likewise.storage.stored_file import StoredFile

Compression = Literal["gzip", "zstd"]
_WITH_ROWS = ("json", "csv", "tsv", "parquet", "arrow")
PACKED: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True)
class Origin:
    """One file of a collection.

    Attributes:
        path: where it is; None for stdin. Of a file in a store, its address, without what is secret
            in it: it is opened by `stored`.
        name: what messages call it.
        id: its id when it is one document, and what precedes ":" in the ids of its rows when
            the collection has other files.
        kind: a value of `kinds.EXTENSIONS`, or "lines".
        compression: how the bytes on disk are packed, if they are.
        named: the user named this very file, so a failure is an error. Files found in a folder or
            by a pattern are skipped instead.
        size: bytes on disk; None where nobody can know.
        stored: the file in its store; None for one on this machine.
    """

    path: str | None
    name: str
    id: str
    kind: str
    compression: Compression | None
    named: bool
    size: int | None
    stored: StoredFile | None = None

    def open(self, *, exact: bool = False) -> IO[bytes]:
        """Open the file to read its bytes from any place; it must not be stdin.

        `exact`: of a file in a store, fetch only what is read, instead of reading ahead.
        """
        if self.stored is not None:
            return self.stored.open(exact=exact)
        assert self.path is not None
        return open(self.path, "rb")

    def place(self, number: int) -> str:
        """Where the document with this number (from 0) is, in words."""
        if self.kind in ("lines", "jsonl"):
            return f"line {number + 1}"
        return f"row {number}" if self.kind in _WITH_ROWS else ""
