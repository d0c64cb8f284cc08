"""`DocumentScore`: how much of a document is matched, and by which others.

A word that several others share is counted once in all. By *best match* it is credited to the one
that shares most, so that the shares of all sources add up; by *all sources* each has all that it
shares.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.evidence.passage import Passage
from likewise.evidence.passages import PassagePair
from likewise.evidence.words import Words, words_of

Held = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SourceScore:
    """What another document shares with this one.

    Attributes:
        id: of the other document.
        words: words of this document that it shares.
        credited: those of them that no document shares which shares more in all.
        longest: shared words of its longest passage.
        passages: how many.
    """

    id: str
    words: int
    credited: int
    longest: int
    passages: int


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """One document.

    Attributes:
        id: the document.
        size: its words.
        matched: those that are in some passage, each counted once.
        sources: the others, those that share most words first.
    """

    id: str
    size: int
    matched: int
    sources: tuple[SourceScore, ...]

    @property
    def share(self) -> float:
        """Matched words of all; 0 for a document without words."""
        return self.matched / self.size if self.size else 0.0

    @property
    def longest(self) -> int:
        """Shared words of the longest passage."""
        return max((source.longest for source in self.sources), default=0)


def score_documents(
    pairs: Iterable[PassagePair], texts: Mapping[str, str]
) -> dict[str, DocumentScore]:
    """The scores of all documents that share passages, those with the highest share first.

    `texts` has the text of every document by its id, as it was searched.
    """
    shared: dict[str, dict[str, list[Passage]]] = defaultdict(dict)
    for pair in pairs:
        shared[pair.a][pair.b] = list(pair.passages)
        shared[pair.b][pair.a] = [passage.turned() for passage in pair.passages]
    made = [_score(id_, words_of(texts[id_]), others) for id_, others in shared.items()]
    made.sort(key=lambda score: (-score.share, score.id))
    return {score.id: score for score in made}


def _score(id_: str, words: Words, others: Mapping[str, list[Passage]]) -> DocumentScore:
    held = {other: words_within(words, passages) for other, passages in others.items()}
    order = sorted(held, key=lambda other: (-int(held[other].sum()), other))
    taken = np.zeros(len(words), bool)
    sources = []
    for other in order:
        own = held[other]
        sources.append(
            SourceScore(
                id=other,
                words=int(own.sum()),
                credited=int((own & ~taken).sum()),
                longest=max(passage.words for passage in others[other]),
                passages=len(others[other]),
            )
        )
        taken |= own
    return DocumentScore(id_, len(words), int(taken.sum()), tuple(sources))


def words_within(words: Words, passages: Iterable[Passage]) -> Held:
    """Of each word of a whether it is in one of the passages."""
    held = np.zeros(len(words), bool)
    for passage in passages:
        first, last = np.searchsorted(words.begins, (passage.a_start, passage.a_end))
        held[first:last] = True
    return held
