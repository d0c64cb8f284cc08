"""`Origin`: one file (or stdin) of a collection, and how it is to be read."""

from dataclasses import dataclass
from typing import Literal

Compression = Literal["gzip", "zstd"]
_WITH_ROWS = ("json", "csv", "tsv", "parquet", "arrow")
PACKED: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True)
class Origin:
    """One file of a collection.

    Attributes:
        path: where it is; None for stdin.
        name: what messages call it.
        id: its id when it is one document, and what precedes ":" in the ids of its rows when
            the collection has other files.
        kind: a value of `kinds.EXTENSIONS`, or "lines".
        compression: how the bytes on disk are packed, if they are.
        named: the user named this very file, so a failure is an error. Files found in a folder or
            by a pattern are skipped instead.
        size: bytes on disk; None where nobody can know.
    """

    path: str | None
    name: str
    id: str
    kind: str
    compression: Compression | None
    named: bool
    size: int | None

    def place(self, number: int) -> str:
        """Where the document with this number (from 0) is, in words."""
        if self.kind in ("lines", "jsonl"):
            return f"line {number + 1}"
        return f"row {number}" if self.kind in _WITH_ROWS else ""
