"""The documents of a run on passages, and questions in which parts of them are planted.

Document ``i`` is line ``i`` of a file of texts, in batches, so that memory holds one of them; lines
behind them are added one by one. A question is a stranger of ``ASKED_WORDS`` words, so many of
which give way to what is planted between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

KINDS = ("none", "run", "edited", "ten")
VERBATIM = ("run", "ten")  # all that is planted must be found
ASKED_WORDS = 500
RUN_WORDS = (12, 200)  # of a planted run, the fewest and the most
TEN_WORDS = (20, 60)  # of each of ten
EDITED_WORDS = 100
REPLACED = 5  # every so-many-th word of an edited passage is another
PIECE = 7  # words that stay together when it is shuffled


@dataclass(frozen=True)
class Question:
    """A text, and the ids of the documents from which it has passages."""

    kind: str
    text: str
    planted: frozenset[str]


class Collection:
    """The documents and questions of one cell."""

    def __init__(
        self, corpus: Path, strangers: Path, documents: int, *, batch: int, asked: int,
        singles: int, seed: int,
    ) -> None:  # fmt: skip
        self._corpus, self._documents, self._batch = corpus, documents, batch
        self._asked, self._seed = asked, seed
        self.singles: Sequence[str] = _lines(corpus, documents, singles)
        self._strangers = _lines(strangers, 0, asked * len(KINDS))
        rng = np.random.default_rng([seed, documents])
        # 1 source for each run, 1 for each edited passage, 10 for each ten
        places = rng.choice(documents, 12 * asked, replace=False).tolist()
        self._sources = {
            "none": [[] for _ in range(asked)],
            "run": [[place] for place in places[:asked]],
            "edited": [[place] for place in places[asked : 2 * asked]],
            "ten": [places[i : i + 10] for i in range(2 * asked, 12 * asked, 10)],
        }
        self._kept = dict.fromkeys(places, "")
        self.bytes = 0

    def batches(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield texts and ids; texts of which parts will be asked about are kept."""
        with self._corpus.open(encoding="utf-8", newline="\n") as lines:
            for start in range(0, self._documents, self._batch):
                count = min(self._batch, self._documents - start)
                texts = [line[:-1] for line in islice(lines, count)]
                for place in range(start, start + count):
                    if place in self._kept:
                        self._kept[place] = texts[place - start]
                self.bytes += sum(len(text.encode()) for text in texts)
                yield texts, [str(place) for place in range(start, start + count)]

    def questions(self, kind: str) -> Iterator[Question]:
        """Yield the questions of a kind, once all batches have been taken."""
        number = KINDS.index(kind)
        rng = np.random.default_rng([self._seed, self._documents, number])
        strangers = self._strangers[number * self._asked : (number + 1) * self._asked]
        runs = np.geomspace(*RUN_WORDS, self._asked).round().astype(int).tolist()
        for own, places, run in zip(strangers, self._sources[kind], runs, strict=True):
            words = own.split()
            sources = [self._kept[place].split() for place in places]
            if kind == "run":
                planted = [_part(sources[0], run, rng)]
            elif kind == "edited":
                planted = [_edited(_part(sources[0], EDITED_WORDS, rng), words, rng)]
            else:
                lengths = _ten_lengths(rng) if sources else []
                planted = [_part(s, n, rng) for s, n in zip(sources, lengths, strict=True)]
            text = " ".join(_woven(words, planted, rng))
            yield Question(kind, text, frozenset(map(str, places)))


def _lines(path: Path, begin: int, count: int) -> list[str]:
    with path.open(encoding="utf-8", newline="\n") as lines:
        found = [line[:-1] for line in islice(lines, begin, begin + count)]
    if len(found) != count:
        raise ValueError(f"{path} has fewer than {begin + count:,} texts")
    return found


def _part(words: list[str], length: int, rng: np.random.Generator) -> list[str]:
    """Return so many words in a row from anywhere in a text; all, if it has no more."""
    begin = int(rng.integers(max(0, len(words) - length) + 1))
    return words[begin : begin + length]


def _ten_lengths(rng: np.random.Generator) -> list[int]:
    while True:
        drawn: list[int] = rng.integers(*TEN_WORDS, size=10, endpoint=True).tolist()
        if sum(drawn) <= ASKED_WORDS - 20:  # something stands between them
            return drawn


def _edited(words: list[str], others: list[str], rng: np.random.Generator) -> list[str]:
    """Return words with some replaced, in shuffled pieces: not five in a row are left."""
    made = words.copy()
    for place in range(REPLACED - 1, len(made), REPLACED):
        made[place] = others[int(rng.integers(len(others)))]
    pieces = [made[begin : begin + PIECE] for begin in range(0, len(made), PIECE)]
    return [word for i in rng.permutation(len(pieces)) for word in pieces[i]]


def _woven(words: list[str], planted: list[list[str]], rng: np.random.Generator) -> list[str]:
    """Return planted parts in order between words, as many in all as there are words."""
    rest = words[: len(words) - sum(map(len, planted))]
    gaps = np.sort(rng.choice(np.arange(1, len(rest)), len(planted), replace=False)).tolist()
    made, begin = [], 0
    for gap, part in zip(gaps, planted, strict=True):
        made += [*rest[begin:gap], *part]
        begin = gap
    return made + rest[begin:]
