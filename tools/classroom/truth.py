"""`Truth`: how many words documents really share, by the origins of their words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from tools.classroom.essay import Essay
from tools.classroom.sentence import OWN, TEMPLATE

Pair = tuple[Essay, Essay]


class Truth:
    """What documents of one collection share with each other, or with those of another.

    A word is shared where both documents have a word of the same origin; no document has an origin
    twice. Words that were reworded have no origin in the source.

    Args:
        first: the collection.
        second: the other one; None for pairs inside the first.
        template: whether the assignment is part of the documents.
    """

    def __init__(
        self, first: Sequence[Essay], second: Sequence[Essay] | None = None, *, template: bool
    ) -> None:
        self.template = template
        self.pairs: list[Pair] = list(
            combinations(first, 2) if second is None else product(first, second)
        )
        self._origins = {essay.path: self._countable(essay) for essay in (*first, *(second or ()))}
        self._taken = {path: np.zeros(len(of), bool) for path, of in self._origins.items()}
        self.shared: dict[tuple[str, str], int] = {}
        for a, b in self.pairs:
            if words := self._meet(a.path, b.path):
                self.shared[a.path, b.path] = words

    def _countable(self, essay: Essay) -> NDArray[np.int64]:
        origins = essay.origins
        counted = origins[(origins != OWN) & (self.template | (origins < TEMPLATE))]
        if len(np.unique(counted)) != len(counted):
            raise ValueError(f"{essay.path} has a word twice")
        return np.sort(counted)

    def _meet(self, a: str, b: str) -> int:
        own, other = self._origins[a], self._origins[b]
        _, in_a, in_b = np.intersect1d(own, other, assume_unique=True, return_indices=True)
        self._taken[a][in_a] = True
        self._taken[b][in_b] = True
        return len(in_a)

    def words(self, a: Essay, b: Essay) -> int:
        """Shared words of the pair, the same on both sides."""
        return self.shared.get((a.path, b.path), 0)

    def of_document(self, essay: Essay) -> int:
        """Words that some other document shares, each counted once."""
        return int(self._taken[essay.path].sum())

    def share(self, words: int, essay: Essay) -> float:
        """Of all words of the document."""
        return words / essay.size(template=self.template)
