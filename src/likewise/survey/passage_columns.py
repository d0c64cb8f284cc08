"""`PassageColumns`: what the pairs of a table share in passages."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.pair_passages import PairPassages

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]


@dataclass(eq=False)
class PassageColumns:
    """A row for each pair, of zeros where it shares none.

    Attributes:
        words, words_b: words of a, and of b, that are matched in some passage.
        share_a, share_b: those words of each document, of all of its words.
        passages, reworded: how many.
        run: the longest run of equal words.
        p: the probability that unrelated texts share a run as long as that of the best passage;
            NaN where no passage has one.
    """

    words: Whole
    words_b: Whole
    share_a: Floats
    share_b: Floats
    passages: Whole
    reworded: Whole
    run: Whole
    p: Floats

    @classmethod
    def empty(cls, count: int) -> PassageColumns:
        kinds = ("i8", "i8", "f8", "f8", "i8", "i8", "i8", "f8")
        made = cls(*(np.zeros(count, kind) for kind in kinds))
        made.p[:] = np.nan
        return made

    def put(self, row: int, pair: PairPassages) -> None:
        """Set the values of one pair."""
        self.words[row], self.words_b[row] = pair.words_a, pair.words_b
        self.share_a[row], self.share_b[row] = pair.share_a, pair.share_b
        self.passages[row], self.reworded[row] = len(pair.passages), len(pair.reworded)
        self.run[row] = pair.longest_run
        self.p[row] = np.nan if pair.p is None else pair.p

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> PassageColumns:
        return PassageColumns(*(getattr(self, one.name)[rows] for one in fields(self)))
