"""`Passage`: what one text took from another, where, how much, and how changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

Kind = Literal["verbatim", "edited", "reordered", "summary"]

SAME_WORDS = 0.95
SAME_NEIGHBOURS = 0.9
SAME_ORDER = 0.7


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a that has its words from a stretch of b.

    Attributes:
        a_start, a_end, b_start, b_end: both stretches, in code points of the texts as given.
        words: shared words; a word that stands twice on both sides counts twice.
        run: the most of them that follow each other on both sides, without another between.
        similarity: shared words, of all words on both sides (Dice's measure), from 0 to 1.
        kind: how it was changed.
            verbatim: nearly all words are the same, and nearly all have the same neighbour.
            edited: words were changed, left out or put in; most that are shared keep their order.
            reordered: the shared words mostly stand in another order.
            summary: words from all over b, in a stretch of a that is much shorter.
        evidence: how many times likelier (as a natural logarithm) the words of a's stretch are if
            they come from b's than if they do not.
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

    def turned(self) -> Passage:
        """The same seen from b."""
        return replace(
            self, a_start=self.b_start, a_end=self.b_end, b_start=self.a_start, b_end=self.a_end
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def kind_of(
    words_a: int, words_b: int, shared: int, in_order: int, adjacent: int, *, summary: bool = False
) -> Kind:
    """How a passage was changed, by what is inside.

    Args:
        words_a, words_b: all words on each side.
        shared: words matched one to one.
        in_order: the most of them that stand in the same order on both sides.
        adjacent: those that follow the same matched word on both sides.
        summary: whether the words come from all over b.
    """
    if summary:
        return "summary"
    if shared >= SAME_WORDS * max(words_a, words_b) and adjacent >= SAME_NEIGHBOURS * (shared - 1):
        return "verbatim"
    return "edited" if in_order >= SAME_ORDER * shared else "reordered"
