"""`StoredFile`: a file in a store, in the version that was listed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.storage.store import Store


@dataclass(frozen=True)
class StoredFile:
    """A file in a store.

    Attributes:
        store: where it is.
        path: what the store calls it; may contain a signature.
        address: what messages call it.
        size: in bytes; None where the server does not say.
        version: differs if the file is replaced; empty where the store gives none.
    """

    store: Store
    path: str
    address: str
    size: int | None
    version: str

    def open(self, *, exact: bool = False) -> IO[bytes]:
        """Open the file to read from any place.

        `exact`: fetch only the bytes that are asked for, instead of reading ahead.
        """
        return self.store.open(self, exact=exact)

    def state(self) -> tuple[int | None, str]:
        """Return what changes if the file is replaced."""
        return self.size, self.version

    def key(self, kind: str) -> str | None:
        """Return a name for the file in this version, taken for a document of a kind.

        None where the store cannot see to it that this version is the one that is read.
        """
        if not (self.version and self.store.is_conditional):
            return None
        return hashlib.sha256(repr((self.address, *self.state(), kind)).encode()).hexdigest() + (
            "-seen"
        )
