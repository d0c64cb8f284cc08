"""`DocumentScore`: how much of a document is matched, and by which others.

A word that several others share is counted once in all. By *best match* it is credited to the one
that shares most, so that the words credited to all sources add up; by *all sources* each has all
that it shares.

Words are those that were matched: what was left out of matching counts neither as shared nor as
words of the document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from likewise.passages.pair_passages import matched_words
from likewise.passages.passage import Passage
from likewise.text.words import Words, words_of

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

    id: str
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
        size: its words, without those that were left out of matching.
        matched: those that are matched in some passage, each counted once.
        sources: the others, by best match.
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
    def longest_run(self) -> int:
        """The most equal words in a row."""
        return max((source.longest_run for source in self.sources), default=0)


class _Source(NamedTuple):
    """A pair as one of its documents sees it."""

    id: str
    passages: Sequence[Passage]
    share_of_source: float
    chance_run: int | None


def score_documents(
    pairs: Iterable[PassagePair], texts: Mapping[str, str], *, of: Scored = "both"
) -> dict[str, DocumentScore]:
    """The scores of all documents that share passages, those with the highest share first.

    Args:
        pairs: what was found.
        texts: the text of every document by its id, as it was searched.
        of: which documents of a pair are meant: "both", if they are of one collection; "a" or "b",
            those of the first or of the second of two, which may use the same ids.
    """
    shared: dict[str, list[_Source]] = defaultdict(list)
    for pair in pairs:
        if not pair.passages:  # possibly reworded ones count nowhere
            continue
        if of != "b":
            shared[pair.a].append(_Source(pair.b, pair.passages, pair.share_b, pair.chance_run))
        if of != "a":
            turned = [passage.turned() for passage in pair.passages]
            shared[pair.b].append(_Source(pair.a, turned, pair.share_a, pair.chance_run))
    made = [_score(id_, words_of(texts[id_]), sources) for id_, sources in shared.items()]
    made.sort(key=lambda score: (-score.share, score.id))
    return {score.id: score for score in made}


def _score(id_: str, words: Words, sources: Sequence[_Source]) -> DocumentScore:
    held = [matched_words(words, source.passages) for source in sources]
    counts = [int(own.sum()) for own in held]
    by_all = sorted(range(len(sources)), key=lambda i: (-counts[i], sources[i].id))
    taken = np.zeros(len(words), bool)
    credited = [0] * len(sources)
    for i in by_all:
        credited[i] = int((held[i] & ~taken).sum())
        taken |= held[i]
    rank_all = {i: rank for rank, i in enumerate(by_all, 1)}
    by_best = sorted(by_all, key=lambda i: -credited[i])
    return DocumentScore(
        id_,
        len(words),
        int(taken.sum()),
        tuple(
            SourceScore(
                id=sources[i].id,
                rank=rank,
                credited=credited[i],
                rank_all=rank_all[i],
                words=counts[i],
                share=counts[i] / len(words),
                share_of_source=sources[i].share_of_source,
                passages=len(sources[i].passages),
                longest_run=max(passage.run for passage in sources[i].passages),
                chance_run=sources[i].chance_run,
            )
            for rank, i in enumerate(by_best, 1)
        ),
    )
