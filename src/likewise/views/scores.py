"""`DocumentScores`: how much each document of a collection has in common with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.evidence.exclusions import Range
from likewise.evidence.words import words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.views.found_pairs import FoundPairs
    from likewise.views.shown_text import ShownText


@dataclass(frozen=True, slots=True, eq=False)
class DocumentScores:
    """A number for each document.

    Attributes:
        highest: the highest Jaccard similarity to another; 0 if it is in no pair.
        sources: pairs that it is in.
        matched: words in some passage, each counted once.
        longest: the longest run of equal words.
    """

    highest: NDArray[np.float64]
    sources: NDArray[np.int64]
    matched: NDArray[np.int64]
    longest: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[ShownText], found: FoundPairs) -> DocumentScores:
        """Of all pairs that were found, listed or not."""
        count, table = len(texts), found.table
        made = cls(np.zeros(count), *(np.zeros(count, np.int64) for _ in range(3)))
        for side in (table.a, table.b):
            np.maximum.at(made.highest, side, found.jaccard)
            np.maximum.at(made.longest, side, found.shared.run)
            np.add(made.sources, np.bincount(side, minlength=count), out=made.sources)
        held: dict[int, list[Range]] = defaultdict(list)
        for (a, b), passages in found.passages.items():
            held[a] += [Range(one.a_start, one.a_end) for one in passages]
            held[b] += [Range(one.b_start, one.b_end) for one in passages]
        for number, ranges in held.items():
            made.matched[number] = _words_within(texts[number].matching.text, ranges)
        return made


def _words_within(text: str, ranges: Iterable[Range]) -> int:
    """How many words of a text begin in one of the ranges."""
    begins = words_of(text).begins
    held = np.zeros(len(begins), bool)
    for first, last in np.searchsorted(begins, list(ranges)).tolist():
        held[first:last] = True
    return int(held.sum())
