"""`PassageColumns`: what the pairs of a table share in passages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]


@dataclass(eq=False)
class PassageColumns:
    """A row for each pair, of zeros where it shares none.

    Attributes:
        words: words of a that are in some passage.
        share_a, share_b: those words of each document, of all of its words.
        passages: how many.
        run: the most equal words in a row.
    """

    words: Whole
    share_a: Floats
    share_b: Floats
    passages: Whole
    run: Whole

    @classmethod
    def empty(cls, count: int) -> PassageColumns:
        return cls(*(np.zeros(count, kind) for kind in ("i8", "f8", "f8", "i8", "i8")))

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> PassageColumns:
        return PassageColumns(
            self.words[rows],
            self.share_a[rows],
            self.share_b[rows],
            self.passages[rows],
            self.run[rows],
        )
