"""The pairs that a search compares: how many there are, and a random sample of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.arrays import U32, Ints
    from likewise.search.collection import Collection


def comparable_pairs(collection: Collection) -> int:
    """How many pairs there are that could have been found."""
    unseen = 0
    if collection.archive_size is not None:
        unseen = collection.archive_size - (len(collection) - collection.left)
    block = _Block.of(collection)
    everything = block.pairs + len(block.left) * unseen
    if collection.groups is None:
        return everything
    within = sum(part.pairs for part in block.by_group(collection.groups.codes()))
    return within if collection.groups.rule == "within" else everything - within


def sample_pairs(collection: Collection, most: int, seed: int) -> tuple[U32, U32]:
    """Different random pairs of documents, ordered by a and then b: `most`, or all there are.

    Across groups they may be fewer, if most pairs are of one group.
    """
    blocks, groups = [_Block.of(collection)], collection.groups
    if groups is not None and groups.rule == "within":
        blocks = blocks[0].by_group(groups.codes())
    starts = np.cumsum([0, *(block.pairs for block in blocks)])
    chosen = np.arange(starts[-1])
    if starts[-1] > most:
        random = np.random.Generator(np.random.PCG64(seed))
        chosen = np.sort(random.choice(starts[-1], most, replace=False, shuffle=False))
    nothing = np.zeros(0, np.int64)
    drawn = [(nothing, nothing)]
    block_of = np.searchsorted(starts, chosen, side="right") - 1
    for number in np.unique(block_of).tolist():
        drawn.append(blocks[number].pick(chosen[block_of == number] - starts[number]))
    a, b = map(np.concatenate, zip(*drawn, strict=True))
    if groups is not None:
        admitted = groups.admit(a, b)
        a, b = a[admitted], b[admitted]
    order = np.lexsort((b, a))
    return a[order].astype(np.uint32), b[order].astype(np.uint32)


@dataclass(frozen=True, eq=False)
class _Block:
    """Documents of the first collection and of the second, in ascending order, none of them empty.

    All of the first are compared with all of the second, and with each other if `inside`.
    """

    left: Ints
    right: Ints
    inside: bool

    @classmethod
    def of(cls, collection: Collection) -> _Block:
        documents = np.flatnonzero(collection.counts() > 0)
        left, right = np.split(documents, [np.searchsorted(documents, collection.left)])
        return cls(left, right, collection.sides() is None or collection.has_archive)

    @property
    def _own(self) -> int:
        """Pairs inside the first collection."""
        return len(self.left) * (len(self.left) - 1) // 2 if self.inside else 0

    @property
    def pairs(self) -> int:
        return self._own + len(self.left) * len(self.right)

    def by_group(self, codes: NDArray[np.int64]) -> list[_Block]:
        """A block for each group that has pairs."""
        left, right = (_divided(side, codes) for side in (self.left, self.right))
        none = np.zeros(0, np.int64)
        blocks = [_Block(own, right.get(code, none), self.inside) for code, own in left.items()]
        return [block for block in blocks if block.pairs]

    def pick(self, chosen: Ints) -> tuple[Ints, Ints]:
        """The pairs with these numbers, a before b."""
        # Pairs in a ring: first all that are one apart, then two, and so on, each pair once.
        count = max(1, len(self.left))
        apart, first = np.divmod(chosen[chosen < self._own], count)
        ends = self.left[first], self.left[(first + apart + 1) % count]
        rows, columns = np.divmod(chosen[chosen >= self._own] - self._own, max(1, len(self.right)))
        a = np.concatenate([np.minimum(*ends), self.left[rows]])
        b = np.concatenate([np.maximum(*ends), self.right[columns]])
        return a, b


def _divided(documents: Ints, codes: NDArray[np.int64]) -> dict[int, Ints]:
    """Documents by the code of their group."""
    if not len(documents):
        return {}
    own = codes[documents]
    order = np.argsort(own, kind="stable")
    found, starts = np.unique(own[order], return_index=True)
    parts = np.split(documents[order], starts[1:])
    return dict(zip(found.tolist(), parts, strict=True))
