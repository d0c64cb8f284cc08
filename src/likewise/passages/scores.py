"""`DocumentScore`: how much of a document is matched, and by which others.

A word that several others share is counted once in all. By *best match* it is credited to the one
that shares most, so that the words credited to all sources add up; by *all sources* each has all
that it shares.

Excluded text counts neither as shared nor as words of the document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from likewise.passages.pair_passages import matched_words
from likewise.text.words import Words, words_of
from likewise.types import K

if TYPE_CHECKING:
    from likewise.passages.results import PassagePair

Scored = Literal["both", "a", "b"]


@dataclass(frozen=True, slots=True)
class SourceScore:
    """What another document shares with this one.

    Attributes:
        id: of the other document.
        rank, credited: by best match: its place among the sources, and the words of this document
            that it shares and no document which shares more in all.
        rank_all, words: by all sources: its place, and all words of this document that it shares.
        share: those of all words of this document.
        share_of_source: words of the other that this one shares, of all that it has.
        passages: how many.
        longest_run: equal words in a row, at most.
        chance_run: what chance alone would reach, as in `PassagePair`.
    """

    id: Any
    rank: int
    credited: int
    rank_all: int
    words: int
    share: float
    share_of_source: float
    passages: int
    longest_run: int
    chance_run: int | None


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """One document.

    Attributes:
        id: the document.
        size: its words, without excluded ones.
        matched: those that are matched in some passage, each counted once.
        sources: the others, by best match.
    """

    id: Any
    size: int
    matched: int
    sources: tuple[SourceScore, ...]

    @property
    def share(self) -> float:
        """Matched words of all; 0 for a document without words."""
        return self.matched / self.size if self.size else 0.0

    @property
    def longest_run(self) -> int:
        """The most equal words in a row."""
        return max((source.longest_run for source in self.sources), default=0)


def score_documents(
    pairs: Iterable[PassagePair[K]], texts: Mapping[K, str], *, of: Scored = "both"
) -> dict[K, DocumentScore]:
    """The scores of all documents that share passages, those with the highest share first.

    Args:
        pairs: what was found.
        texts: the text of every document by its id, as it was aligned.
        of: which documents of a pair are meant: "both", if they are of one collection; "a" or "b",
            those of the first or of the second of two, which may use the same ids.
    """
    seen_from: dict[K, list[PassagePair[K]]] = defaultdict(list)
    for pair in pairs:
        if not pair.passages:  # possibly reworded ones count nowhere
            continue
        if of != "b":
            seen_from[pair.a].append(pair)
        if of != "a":
            seen_from[pair.b].append(pair.turned())
    made = [_score(id_, words_of(texts[id_]), own) for id_, own in seen_from.items()]
    made.sort(key=lambda score: (-score.share, str(score.id)))
    return {score.id: score for score in made}


def _score(id_: K, words: Words, pairs: Sequence[PassagePair[K]]) -> DocumentScore:
    """The score of document a of all pairs."""
    size = pairs[0].size_a
    matched = [matched_words(words, pair.passages) for pair in pairs]
    by_all = sorted(range(len(pairs)), key=lambda i: (-pairs[i].words, str(pairs[i].b)))
    taken = np.zeros(len(words), bool)
    credited = [0] * len(pairs)
    for i in by_all:
        credited[i] = int((matched[i] & ~taken).sum())
        taken |= matched[i]
    rank_all = {i: rank for rank, i in enumerate(by_all, 1)}
    by_best = sorted(by_all, key=lambda i: -credited[i])
    return DocumentScore(
        id_,
        size,
        int(taken.sum()),
        tuple(
            SourceScore(
                id=pairs[i].b,
                rank=rank,
                credited=credited[i],
                rank_all=rank_all[i],
                words=pairs[i].words,
                share=pairs[i].words / size,
                share_of_source=pairs[i].share_b,
                passages=len(pairs[i].passages),
                longest_run=pairs[i].longest_run,
                chance_run=pairs[i].chance_run,
            )
            for rank, i in enumerate(by_best, 1)
        ),
    )
