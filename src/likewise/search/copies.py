"""`Copies`: documents with the same elements, collapsed before the search and given back after it.

A million copies of one page then cost a million steps, and not half a trillion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.search.packed_pairs import pack
from likewise.search.pairs import PairTable
from likewise.search.verification import count_distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.search.collection import Collection
    from likewise.search.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Which documents of a collection are copies of which.

    Attributes:
        first: for each document the first one with the same elements.
        present: whether a document has elements at all.
        unique: the firsts that have elements: the documents to search.
        sides: on which sides each first, or a copy of it, is; None for one collection.
    """

    first: NDArray[np.uint32]
    present: NDArray[np.bool_]
    unique: NDArray[np.uint32]
    sides: NDArray[np.uint8] | None

    @classmethod
    def of(cls, collection: Collection) -> Copies:
        """Found by the digests of the documents; copies of different groups are not collapsed."""
        counts = collection.counts()
        first = _core.find_copies(collection.copy_digests(), counts)
        present = counts > 0
        unique = np.flatnonzero((first == np.arange(len(first))) & present).astype(np.uint32)
        sides = collection.sides()
        if sides is not None:
            of_groups = np.zeros_like(sides)
            np.bitwise_or.at(of_groups, first, sides)
            sides = of_groups
        return cls(first, present, unique, sides)

    def expand(self, table: PairTable, collection: Collection, settings: Settings) -> PairTable:
        """The pairs of firsts, and those of all their copies."""
        a, b, origin = _core.expand_copies(
            self.first, collection.sides(), table.a, table.b, max_copies=settings.max_copies
        )
        if collection.has_archive:
            # Documents that are on both sides come as a and as b, and with themselves.
            a, b = np.minimum(a, b), np.maximum(a, b)
            chosen = np.unique(pack(a, b), return_index=True)[1]
            chosen = chosen[a[chosen] != b[chosen]]
            a, b, origin = a[chosen], b[chosen], origin[chosen]
        inside = origin >= len(table)
        groups, group_of = np.unique(origin[inside] - len(table), return_inverse=True)
        sizes = count_distinct(
            collection, groups.astype(np.uint32), profile=settings.profile, threads=settings.threads
        )
        source = origin[~inside]
        # Where a is a copy of the pair's second document, sizes change places.
        turned = self.first[a[~inside]] != table.a[source]
        shared, size_a, size_b = (np.empty(len(a), np.uint64) for _ in range(3))
        shared[inside] = size_a[inside] = size_b[inside] = sizes[group_of.reshape(-1)]
        shared[~inside] = table.shared[source]
        size_a[~inside] = np.where(turned, table.size_b[source], table.size_a[source])
        size_b[~inside] = np.where(turned, table.size_a[source], table.size_b[source])
        expanded = PairTable(a, b, shared, size_a, size_b)
        if collection.groups is None:
            return expanded
        return expanded.take(collection.groups.admit(a, b))

    def collapsed(self, collection: Collection, max_copies: int) -> NDArray[np.int64]:
        """Sizes of the groups that have more copies, on one side, than are listed in full."""
        sides = collection.sides()
        parts = [self.present]
        if sides is not None:
            parts = [self.present & (sides & side > 0) for side in (1, 2)]
        counted = np.stack([np.bincount(self.first[p], minlength=len(self.first)) for p in parts])
        over: NDArray[np.int64] = counted.sum(axis=0)[counted.max(axis=0, initial=0) > max_copies]
        return over
