"""Documents of random words with planted families, whose extent is known."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from likewise.passages.families.family import Family

VOCABULARY = 20_000


@dataclass
class Collection:
    """Documents that are written word by word; every word that is not planted is random."""

    seed: int
    documents: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def words(self, count: int) -> list[str]:
        return [f"w{self.random.randrange(VOCABULARY)}" for _ in range(count)]

    def write(self, id_: str, words: Sequence[str]) -> tuple[int, int]:
        """Append words, and the range of their numbers."""
        own = self.documents.setdefault(id_, [])
        own += words
        return len(own) - len(words), len(own)

    def write_random(self, *ids: str, count: int = 60) -> None:
        for id_ in ids:
            self.write(id_, self.words(count))

    def plant(self, *ids: str, count: int, edited: float = 0.0) -> None:
        """The same words in several documents, each word replaced with this probability, between
        random ones."""
        words = self.words(count)
        for id_ in ids:
            self.write_random(id_)
            own = [w if self.random.random() >= edited else self.words(1)[0] for w in words]
            self.write(id_, own)
            self.write_random(id_)

    @property
    def texts(self) -> list[str]:
        return [" ".join(words) for words in self.documents.values()]

    @property
    def ids(self) -> list[str]:
        return list(self.documents)


def stretches(family: Family[str]) -> list[tuple[str, int, int]]:
    """Witnesses as (id, first word, word after the last)."""
    return [(one.id, one.first, one.stop) for one in family.witnesses]
