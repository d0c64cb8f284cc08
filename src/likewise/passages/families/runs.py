"""`PassageRuns`: a passage as runs of equal words, by their numbers in both documents."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from likewise.passages.passage import Passage
    from likewise.text.words import Words


class Run(NamedTuple):
    """Equal words: word `a` of one document and word `b` of the other, and those that follow."""

    a: int
    b: int
    length: int


@dataclass(frozen=True, slots=True)
class PassageRuns:
    """What a passage matches.

    Attributes:
        a, b: the numbers of both documents.
        runs: in the order of a.
        in_order: whether they are in the order of b, too.
    """

    a: int
    b: int
    runs: tuple[Run, ...]
    in_order: bool

    @classmethod
    def of(cls, passage: Passage, a: int, b: int, words_a: Words, words_b: Words) -> PassageRuns:
        """The runs of a passage of two documents with these words."""
        places = np.array(passage.matches, np.int64).reshape(-1, 4)
        first_a, stop_a = np.searchsorted(words_a.begins, places[:, :2].T)
        first_b, stop_b = np.searchsorted(words_b.begins, places[:, 2:].T)
        lengths = np.minimum(stop_a - first_a, stop_b - first_b)
        rows = np.column_stack([first_a, first_b, lengths]).tolist()
        runs = tuple(Run(*row) for row in sorted(rows))
        return cls(a, b, runs, all(one.b < other.b for one, other in pairwise(runs)))

    def turned(self) -> PassageRuns:
        """The same seen from b."""
        runs = sorted(Run(run.b, run.a, run.length) for run in self.runs)
        return PassageRuns(self.b, self.a, tuple(runs), self.in_order)

    @property
    def stretch(self) -> tuple[int, int]:
        """The first matched word of a, and the one after the last."""
        return self.runs[0].a, max(run.a + run.length for run in self.runs)

    @property
    def turned_stretch(self) -> tuple[int, int]:
        """The same of b."""
        return min(run.b for run in self.runs), max(run.b + run.length for run in self.runs)

    def pieces(
        self, cuts_a: Sequence[int], cuts_b: Sequence[int]
    ) -> Iterator[tuple[int, int, Run]]:
        """The runs, cut at these words: the segment of a and of b, and the piece of the run.

        Segment n is what precedes cut n, so there is one more than cuts.
        """
        for a, b, length in self.runs:
            while length:
                in_a, in_b = bisect_right(cuts_a, a), bisect_right(cuts_b, b)
                end_a = cuts_a[in_a] if in_a < len(cuts_a) else a + length
                end_b = cuts_b[in_b] if in_b < len(cuts_b) else b + length
                own = min(length, end_a - a, end_b - b)
                yield in_a, in_b, Run(a, b, own)
                a, b, length = a + own, b + own, length - own
