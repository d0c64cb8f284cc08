"""`Passage`: wording that two texts share, where it is, how much of it and how it was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, get_args

Kind = Literal["verbatim", "edited", "reordered", "reworded"]
Attribution = Literal["quoted and cited", "quoted", "cited", "neither"]
ATTRIBUTIONS: tuple[Attribution, ...] = get_args(Attribution)

SAME_WORDS = 0.95
SAME_NEIGHBOURS = 0.9
SAME_ORDER = 0.7


class Match(NamedTuple):
    """A run of identical words, or of similar ones, in code points of both texts."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a and a stretch of b that share their wording.

    Attributes:
        a_start, a_end, b_start, b_end: both stretches, in code points of the texts as given.
        words: matched words, each aligned with one equal word of the other side, or with a similar
            one if these are searched for.
        run: the longest run of identical words, without another word between on either side.
        similarity: matched words of all words on both sides (Dice's measure), from 0 to 1.
        kind: how it was changed.
            verbatim: nearly all words are the same, and nearly all have the same neighbour.
            edited: words were changed, removed or added; most matched words keep their order.
            reordered: the matched words are mostly in another order.
            reworded: single rare words that come from all over a much longer stretch of the
                other text. Such passages are listed apart and are part of no percentage.
        evidence: how many times likelier (as a natural logarithm) the words of a stretch are if
            they come from the other stretch than if they do not.
        a_words, b_words: all words of each stretch, matched or not.
        score: the longest run where each changed word within it counts against it: matched less
            changed words. For a verbatim passage its longest run.
        p: the probability that unrelated texts of these lengths share a run of at least `score`
            words, where 1e-6 means that or less; None for passages whose evidence is single
            rare words and not runs.
        matches: where the matched words are; these words, and no others, count as shared.
        similar: how many of the matched words are not identical but similar; None where only
            identical words match. They count in `words` and `similarity`, and in no run.
    """

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    words: int
    run: int
    similarity: float
    kind: Kind
    evidence: float
    a_words: int
    b_words: int
    score: int
    p: float | None = None
    a_attribution: Attribution | None = None
    b_attribution: Attribution | None = None
    matches: tuple[Match, ...] = field(default=(), repr=False)
    similar: int | None = None

    def turned(self) -> Passage:
        """The same seen from b."""
        return replace(
            self,
            a_start=self.b_start,
            a_end=self.b_end,
            b_start=self.a_start,
            b_end=self.a_end,
            a_words=self.b_words,
            b_words=self.a_words,
            a_attribution=self.b_attribution,
            b_attribution=self.a_attribution,
            matches=tuple(sorted(Match(m.b_start, m.b_end, *m[:2]) for m in self.matches)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; without the places of single matches."""
        left_out = {"matches"} | ({"similar"} if self.similar is None else set())
        return {one.name: getattr(self, one.name) for one in fields(self)
                if one.name not in left_out}  # fmt: skip


Runs = Sequence[Sequence[int]]
"""Matched words as [word of a, word of b, words], by their place in a."""


def kind_of(words_a: int, words_b: int, runs: Runs, identical: Runs | None = None) -> Kind:
    """How a passage was changed, by its matched words; `words_a`, `words_b` are all words.

    `identical` are the runs of identical words, if similar ones are matched too.
    """
    if _in_order(runs) < SAME_ORDER * sum(words for _, _, words in runs):
        return "reordered"
    same = runs if identical is None else identical
    matched = sum(words for _, _, words in same)
    adjacent = matched - len(same)
    most = matched >= SAME_WORDS * max(words_a, words_b)
    return "verbatim" if most and adjacent >= SAME_NEIGHBOURS * (matched - 1) else "edited"


def _in_order(runs: Runs) -> int:
    """The most matched words that are in the same order on both sides.

    The heaviest increasing subsequence of runs, by a Fenwick tree over their order in b.
    """
    rank = {run[1]: i for i, run in enumerate(sorted(runs, key=lambda run: run[1]), 1)}
    best = [0] * (len(rank) + 1)
    most = 0
    for _, b, words in runs:
        before, at = 0, rank[b] - 1
        while at:
            before = max(before, best[at])
            at &= at - 1
        here, at = before + words, rank[b]
        most = max(most, here)
        while at <= len(rank):
            best[at] = max(best[at], here)
            at += at & -at
    return most


def score_of(runs: Runs) -> int:
    """The best stretch of runs in the same order on both sides: matched less changed words."""
    best = score = 0
    end_a = end_b = 0
    for a, b, words in runs:
        changed = max(a - end_a, b - end_b)
        score = max(0, score - changed) if b >= end_b else 0
        score += words
        best = max(best, score)
        end_a, end_b = a + words, b + words
    return best
