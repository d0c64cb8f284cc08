"""`DocumentScores`: how much each document of a collection has in common with others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.passages.pair_passages import matched_words
from likewise.passages.passage import ATTRIBUTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.passage import Passage
    from likewise.survey.collection_pairs import CollectionPairs
    from likewise.survey.shown_text import ShownText
    from likewise.text.words import Words

ATTRIBUTION_COLUMNS = tuple(group.replace(" ", "_") for group in ATTRIBUTIONS)
"""Of `DocumentScores.attributed`, as they are called in a survey."""


@dataclass(frozen=True, slots=True, eq=False)
class DocumentScores:
    """A number for each document.

    Attributes:
        highest: the highest Jaccard similarity to another; 0 if it is in no pair.
        sources: other documents that share a passage with it.
        matched: words that are matched in some passage, each counted once.
        longest: the longest run of equal words.
        attributed: those words by the group of their passages, a column for each of `ATTRIBUTIONS`.
            A word in passages of several groups counts in the last of them, so that the columns
            add up to `matched`.
        best: the number of the document that shares most of its words, or else is the most similar;
            -1 if it is in no pair.
    """

    highest: NDArray[np.float64]
    sources: NDArray[np.int64]
    matched: NDArray[np.int64]
    longest: NDArray[np.int64]
    attributed: NDArray[np.int64]
    best: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[ShownText], pairs: CollectionPairs) -> DocumentScores:
        """Of all pairs that were found, listed or not."""
        count, table = len(texts), pairs.table
        sources, matched_count, longest = (np.zeros(count, np.int64) for _ in range(3))
        best = _best_sources(pairs, count)
        attributed = np.zeros((count, len(ATTRIBUTIONS)), np.int64)
        made = cls(np.zeros(count), sources, matched_count, longest, attributed, best)
        sharing = pairs.shared["passages"] > 0
        for side in (table.a, table.b):
            np.maximum.at(made.highest, side, pairs.jaccard)
            np.maximum.at(made.longest, side, pairs.shared["run"])
            np.add(made.sources, np.bincount(side[sharing], minlength=count), out=made.sources)
        # Of each word, the last group of a passage that it is in, from 1.
        groups: dict[int, NDArray[np.int8]] = {}
        for numbers, pair in pairs.passages.items():
            for number, letter in zip(numbers, "ab", strict=True):
                own = _groups(texts[number].words, pair.passages, letter)
                groups[number] = np.maximum(groups[number], own) if number in groups else own
        for number, own in groups.items():
            made.attributed[number] = np.bincount(own, minlength=len(ATTRIBUTIONS) + 1)[1:]
        made.matched[:] = made.attributed.sum(axis=1)
        return made


def _groups(words: Words, passages: Iterable[Passage], side: str) -> NDArray[np.int8]:
    """For each word the last group of a passage in which it is matched, from 1; else 0."""
    groups = np.zeros(len(words), np.int8)
    given = list(passages)
    for number, group in enumerate(ATTRIBUTIONS, 1):
        of_group = [one for one in given if getattr(one, f"{side}_attribution") == group]
        if of_group:
            groups[matched_words(words, of_group, side)] = number
    return groups


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
