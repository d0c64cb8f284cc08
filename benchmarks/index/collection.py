"""The documents of a speed run: lines of a corpus with near copies planted, and questions.

Document ``i`` is line ``i`` of the corpus, in batches, so that memory holds one of them. The lines
that follow are strangers: asked about, they have no match, or are the base of a planted group.
Copies of one base lie far apart, so that they are added in different batches.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from benchmarks.index.groups import altered, jaccard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MEMBERS = 10
KINDS = ("none", "one", "ten")
WORDS_AN_EDIT = 100  # one word in so many is altered: a similarity of 0.9 and more


@dataclass(frozen=True)
class Question:
    """A text, and the documents that are similar to it with their exact similarities."""

    kind: str
    text: str
    expected: dict[str, float]


class Collection:
    """The documents and questions of one cell."""

    def __init__(
        self, corpus: Path, documents: int, *, batch: int, asked: int, groups: int, singles: int
    ) -> None:
        self._corpus, self._documents, self._batch = corpus, documents, batch
        with corpus.open(encoding="ascii", newline="\n") as lines:
            end = documents + strangers(asked, groups, singles)
            found = [line[:-1] for line in islice(lines, documents, end)]
        if len(found) != end - documents:
            raise ValueError(f"{corpus} has too few documents for {documents:,}")
        self._bases, self._unlike = found[:groups], found[groups : groups + asked]
        self.singles: Sequence[str] = found[groups + asked :]
        self._planted = {
            (member * groups + group) * documents // (groups * MEMBERS): (group, member)
            for group in range(groups)
            for member in range(MEMBERS)
        }
        free = (place for place in range(documents) if place not in self._planted)
        step = max(1, (documents - len(self._planted)) // asked)
        self._kept = dict.fromkeys(islice(free, 0, None, step), "")
        self._asked = asked
        self.bytes = 0

    def batches(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield texts and ids; texts that will be asked about are kept."""
        with self._corpus.open(encoding="ascii", newline="\n") as lines:
            for start in range(0, self._documents, self._batch):
                count = min(self._batch, self._documents - start)
                texts = [line[:-1] for line in islice(lines, count)]
                for place in range(start, start + count):
                    if place in self._planted:
                        texts[place - start] = self._member(*self._planted[place])
                    elif place in self._kept:
                        self._kept[place] = texts[place - start]
                self.bytes += sum(map(len, texts))
                yield texts, [str(place) for place in range(start, start + count)]

    def questions(self, kind: str) -> Iterator[Question]:
        """Yield the questions of a kind, once all batches have been taken."""
        if kind == "none":
            yield from (Question(kind, text, {}) for text in self._unlike)
        elif kind == "one":
            for place, text in islice(self._kept.items(), self._asked):
                text_asked = _edited(text, f"asked {place}")
                yield Question(kind, text_asked, {str(place): jaccard(text_asked, text)})
        else:
            for number in range(self._asked):
                group = number % len(self._bases)
                text = altered(self._bases[group], 1, f"asked {number}")
                places = [place for place, (own, _) in self._planted.items() if own == group]
                members = {str(p): self._member(*self._planted[p]) for p in places}
                yield Question(
                    kind, text, {id_: jaccard(text, member) for id_, member in members.items()}
                )

    def _member(self, group: int, member: int) -> str:
        return _edited(self._bases[group], f"{group} {member}")


def strangers(asked: int, groups: int, singles: int) -> int:
    """Return how many documents a corpus needs beyond those that are stored."""
    return asked + groups + singles


def _edited(text: str, seed: str) -> str:
    return altered(text, max(1, len(text.split()) // WORDS_AN_EDIT), seed)
