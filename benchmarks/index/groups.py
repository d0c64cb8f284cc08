"""Documents of which it is known at every moment what an index may answer about them.

*Pages* are never touched: a text close to one must always be answered with that page and the exact
similarity. *Groups* are near copies of one text that are written together, in one call, and go
through states: four versions, then gone, and again. An answer about a group must be one of its
states between the last that was done before the question and the last that had begun after it, and
the same for all of its members. *Fillers* are similar to nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from benchmarks.texts.shingles import shingle_list

WORDS = 200
VERSIONS = 4
STATES = VERSIONS + 1  # the last: not there
MEMBERS = 3
VOCABULARY = tuple(f"w{number}" for number in range(50_000))

Scores = dict[str, float]


@dataclass(frozen=True)
class Page:
    """A document that stays as it is."""

    number: int

    @property
    def id(self) -> str:
        return f"page{self.number}"

    @cached_property
    def text(self) -> str:
        return _text(f"page {self.number}")

    @cached_property
    def question(self) -> str:
        """A text close to it."""
        return altered(self.text, 2, f"question {self.number}")

    @cached_property
    def answer(self) -> Scores:
        return {self.id: jaccard(self.question, self.text)}


@dataclass(frozen=True)
class Group:
    """Near copies of one text, written together."""

    number: int

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(f"group{self.number}-{member}" for member in range(MEMBERS))

    @cached_property
    def question(self) -> str:
        """The text that the members are copies of; itself not in the index."""
        return _text(f"group {self.number}")

    @cached_property
    def versions(self) -> tuple[tuple[str, ...], ...]:
        """The texts of the members in each version; more altered from one to the next."""
        return tuple(
            tuple(
                altered(self.question, version + 1, f"{self.number} {member} {version}")
                for member in range(MEMBERS)
            )
            for version in range(VERSIONS)
        )

    @cached_property
    def answers(self) -> tuple[Scores, ...]:
        """What must be answered in each state."""
        there = tuple(
            {id_: jaccard(self.question, text) for id_, text in zip(self.ids, texts, strict=True)}
            for texts in self.versions
        )
        return (*there, {})

    def allowed(self, first: int, last: int) -> list[Scores]:
        """What may be answered between two steps."""
        return [self.answers[step % STATES] for step in range(first, last + 1)]


def filler(number: int) -> str:
    """A text that is similar to no other."""
    return _text(f"filler {number}")


def altered(text: str, count: int, seed: str) -> str:
    """Return a text with so many words replaced, far enough apart to take three shingles each."""
    words = text.split()
    chance = random.Random(seed)
    span = len(words) // count
    for part in range(count):
        place = part * span + chance.randrange(3, span - 3)
        words[place] = f"x{chance.randrange(10**9)}"
    return " ".join(words)


def jaccard(a: str, b: str) -> float:
    """The similarity of two texts by sets of shingles, the slow and obvious way."""
    one, two = set(shingle_list(a)), set(shingle_list(b))
    shared = len(one & two)
    return shared / (len(one) + len(two) - shared)


def _text(seed: str) -> str:
    return " ".join(random.Random(seed).choices(VOCABULARY, k=WORDS))
