"""`CommonKeys`: keys of so many documents that they are no evidence, and are set aside.

A licence in a million documents, or the word "the": their entries would be most of the index, and
lead to all of it. Only the share of documents that had such a key when it was set aside is stored;
the key stays common for the life of the index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import U32
from likewise.index.damage import DamageError
from likewise.index.stores.transaction import Snapshot, Transaction

MAX_DOCUMENTS_PER_KEY = 1000  # a key of more documents is common

_ROW = np.dtype([("key", "<u4"), ("share", "<f4")])


@dataclass(frozen=True, slots=True, eq=False)
class CommonKeys:
    """Keys of one kind, ascending, and the shares of documents that had them."""

    keys: U32
    shares: NDArray[np.float32]

    @classmethod
    def of(cls, snapshot: Snapshot, kind: int) -> Self:
        """The common keys of an index. Raises `DamageError`."""
        stored = snapshot.blob(_name(kind)) or b""
        if len(stored) % _ROW.itemsize:
            raise DamageError("the size of the common keys is not a number of keys")
        rows = np.frombuffer(stored, _ROW)
        keys, shares = rows["key"].astype(np.uint32), rows["share"].astype(np.float32)
        if (keys[1:] <= keys[:-1]).any() or not ((shares > 0) & (shares <= 1)).all():
            raise DamageError("the common keys do not ascend, or have an impossible share")
        # Only as many documents as were ever added can have made a key common.
        if len(keys) and snapshot.next_number() <= MAX_DOCUMENTS_PER_KEY:
            raise DamageError("it has common keys, but too few documents for them")
        return cls(keys, shares)

    def store(self, transaction: Transaction, kind: int) -> None:
        rows = np.empty(len(self.keys), _ROW)
        rows["key"], rows["share"] = self.keys, self.shares
        transaction.set_blob(_name(kind), rows.tobytes())

    def with_keys(self, keys: U32, shares: NDArray[np.float32]) -> CommonKeys:
        """With more keys, which must be new."""
        both = np.concatenate([self.keys, keys])
        order = np.argsort(both)
        return CommonKeys(both[order], np.concatenate([self.shares, shares])[order])

    def __len__(self) -> int:
        return len(self.keys)

    def shares_of(self, keys: U32) -> NDArray[np.float32]:
        """The share of each key; 0 for one that is not common."""
        if not len(self.keys):
            return np.zeros(len(keys), np.float32)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found = self.keys[places] == keys
        shares: NDArray[np.float32] = np.where(found, self.shares[places], np.float32(0))
        return shares


NO_COMMON_KEYS = CommonKeys(np.zeros(0, np.uint32), np.zeros(0, np.float32))


def _name(kind: int) -> str:
    return f"common {kind}"
