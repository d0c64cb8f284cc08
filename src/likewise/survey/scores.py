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
    """

    highest: NDArray[np.float64]
    sources: NDArray[np.int64]
    matched: NDArray[np.int64]
    longest: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[ShownText], pairs: CollectionPairs) -> DocumentScores:
        """Of all pairs that were found, listed or not."""
        count, table = len(texts), pairs.table
        made = cls(np.zeros(count), *(np.zeros(count, np.int64) for _ in range(3)))
        sharing = pairs.shared["passages"] > 0
        for side in (table.a, table.b):
            np.maximum.at(made.highest, side, pairs.jaccard)
            np.maximum.at(made.longest, side, pairs.shared["run"])
            np.add(made.sources, np.bincount(side[sharing], minlength=count), out=made.sources)
        matched: dict[int, NDArray[np.bool_]] = {}
        for numbers, pair in pairs.passages.items():
            for number, letter in zip(numbers, "ab", strict=True):
                own = matched_words(texts[number].matched_words, pair.passages, letter)
                matched[number] = matched[number] | own if number in matched else own
        for number, words in matched.items():
            made.matched[number] = int(words.sum())
        return made
