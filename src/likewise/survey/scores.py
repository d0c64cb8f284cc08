"""`DocumentScores`: how much each document of a collection has in common with others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.passages.pair_passages import matched_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.survey.collection_pairs import CollectionPairs
    from likewise.survey.shown_text import ShownText


@dataclass(frozen=True, slots=True, eq=False)
class DocumentScores:
    """A number for each document.

    Attributes:
        highest: the highest Jaccard similarity to another; 0 if it is in no pair.
        sources: other documents that share a passage with it.
        matched: words that are matched in some passage, each counted once.
        longest: the longest run of equal words.
        best: the number of the document that shares most of its words, or else is the most similar;
            -1 if it is in no pair.
    """

    highest: NDArray[np.float64]
    sources: NDArray[np.int64]
    matched: NDArray[np.int64]
    longest: NDArray[np.int64]
    best: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[ShownText], pairs: CollectionPairs) -> DocumentScores:
        """Of all pairs that were found, listed or not."""
        count, table = len(texts), pairs.table
        sources, matched_count, longest = (np.zeros(count, np.int64) for _ in range(3))
        best = _best_sources(pairs, count)
        made = cls(np.zeros(count), sources, matched_count, longest, best)
        sharing = pairs.shared["passages"] > 0
        for side in (table.a, table.b):
            np.maximum.at(made.highest, side, pairs.jaccard)
            np.maximum.at(made.longest, side, pairs.shared["run"])
            np.add(made.sources, np.bincount(side[sharing], minlength=count), out=made.sources)
        matched: dict[int, NDArray[np.bool_]] = {}
        for numbers, pair in pairs.passages.items():
            for number, letter in zip(numbers, "ab", strict=True):
                own = matched_words(texts[number].words, pair.passages, letter)
                matched[number] = matched[number] | own if number in matched else own
        for number, words in matched.items():
            made.matched[number] = int(words.sum())
        return made


def _best_sources(pairs: CollectionPairs, count: int) -> NDArray[np.int64]:
    """Of two documents that share as much, the one that comes first."""
    table, shared = pairs.table, pairs.shared
    own = np.r_[table.a, table.b].astype(np.int64)
    other = np.r_[table.b, table.a].astype(np.int64)
    words, jaccard = np.r_[shared["words"], shared["words_b"]], np.tile(pairs.jaccard, 2)
    # The last one of each document stays: least comes first.
    order = np.lexsort((-other, jaccard, words))
    best = np.full(count, -1)
    best[own[order]] = other[order]
    return best
