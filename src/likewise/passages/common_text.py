"""`CommonText`: text that many documents of a collection have, such as an assignment or a masthead.

Shingles of several words that occur in many documents are common; a run of words all of which are
in common shingles of about as many documents is common text. Large collections are judged by a
sample of their documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import Hashes
from likewise.passages.ranges import Range, word_range
from likewise.text.words import Words, words_of

MIN_DOCUMENTS = 5
"""Text of fewer documents is never common."""
MIN_SHARE = 0.2
"""Of the documents, where they are few; MAX_NEEDED of them are always enough."""
MAX_NEEDED = 50
MIN_RUN = 12
"""Words of a common run; shorter ones are set phrases."""

_SHINGLE = 8  # words
_SAMPLE = 2000  # documents
_STEP = 1.5  # where the number of documents changes by more, one common text ends
_MAX_DESCRIBED = 3
_MAX_QUOTED = 100  # characters
_KEPT = ", counted as shared; `--common-text exclude` on the command line excludes it"
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class CommonPassage:
    """A run of words that many documents have.

    Attributes:
        documents: how many of the examined ones have most of it.
        words: its length.
        text: as the first document has it.
    """

    documents: int
    words: int
    text: str


@dataclass(frozen=True, eq=False)
class CommonText:
    """The text that many documents of a collection have.

    Attributes:
        shingles: the common ones, sorted.
        documents: how many documents have each of them.
        examined: the number of documents that were examined.
        passages: the common runs, those of most documents first.
    """

    shingles: Hashes
    documents: NDArray[np.int64]
    examined: int
    passages: Sequence[CommonPassage]

    @classmethod
    def of(
        cls, texts: Sequence[str], words: Callable[[int], Words] | None = None
    ) -> CommonText | None:
        """The common text of a collection; None where there is none.

        `words` gives those of a text by its number, where they may have been cut already.
        """
        chosen = sampled(len(texts))
        if len(chosen) < MIN_DOCUMENTS:
            return None
        cut = words or (lambda number: words_of(texts[number]))
        of_texts = [np.unique(_shingles(cut(number))) for number in chosen]
        shingles, counts = np.unique(np.concatenate(of_texts), return_counts=True)
        common = counts >= _needed(len(chosen))
        shingles, counts = shingles[common], counts[common]
        if not len(shingles):
            return None
        made = cls(shingles, counts, len(chosen), ())
        passages = list(made._passages(texts, cut, chosen))
        passages.sort(key=lambda passage: (-passage.documents, -passage.words, passage.text))
        return replace(made, passages=passages) if passages else None

    @classmethod
    def of_sharing(
        cls, text: str, words: Words, sharing: NDArray[np.int64], documents: int
    ) -> CommonText | None:
        """The parts of one text that many documents of a collection have.

        `sharing` is for each of its `words` how many of the `documents` share it.
        """
        shingles = _shingles(words)
        if not len(shingles):
            return None
        counts = np.lib.stride_tricks.sliding_window_view(sharing, _SHINGLE).min(axis=1)
        common = counts >= _needed(documents)
        known, first = np.unique(shingles[common], return_index=True)
        if not len(known):
            return None
        made = cls(known, counts[common][first], documents, ())
        passages = list(made._passages([text], lambda _: words, [0]))
        return replace(made, passages=passages) if passages else None

    def _passages(
        self, texts: Sequence[str], cut: Callable[[int], Words], chosen: Sequence[int]
    ) -> Iterator[CommonPassage]:
        """Each common run once, where it is first met."""
        known: set[int] = set()
        for number in chosen:
            words = cut(number)
            shingles = _shingles(words)
            for first, last in self._runs(words, shingles):
                own = shingles[first : last - _SHINGLE + 1]
                own = own[self._documents(own) > 0]  # two common texts may be side by side
                new = [shingle for shingle in own.tolist() if shingle not in known]
                known.update(new)
                if 2 * len(new) < len(own):
                    continue
                documents = int(np.median(self._documents(own)))
                begin, end = word_range(words, first, last)
                yield CommonPassage(documents, last - first, texts[number][begin:end])

    def _documents(self, shingles: Hashes) -> NDArray[np.int64]:
        """How many documents have each shingle; 0 for those that are not common."""
        places = np.minimum(np.searchsorted(self.shingles, shingles), len(self.shingles) - 1)
        found: NDArray[np.int64] = np.where(
            self.shingles[places] == shingles, self.documents[places], 0
        )
        return found

    def _runs(self, words: Words, shingles: Hashes) -> list[tuple[int, int]]:
        """Words from and to which about as many documents have each word, for runs long enough.

        A word is of as many documents as the commonest shingle that it is in: so a text that some
        documents have ends where one that all have begins.
        """
        documents = np.zeros(len(words), np.int64)
        own = self._documents(shingles)
        for i in range(_SHINGLE if len(own) else 0):
            part = documents[i : i + len(own)]
            np.maximum(part, own, out=part)
        before, behind = documents[:-1], documents[1:]
        changes = np.maximum(before, behind) > _STEP * np.minimum(before, behind)
        edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(words)]
        return [
            (first, last)
            for first, last in pairwise(edges)
            if last - first >= MIN_RUN and documents[first]
        ]

    def described(
        self, done: Literal["kept", "excluded"], documents: str = "documents"
    ) -> list[str]:
        """What a user should know about it, one sentence for each of the first passages."""
        hint = "; excluded" if done == "excluded" else _KEPT
        lines = [
            f"{passage.documents:,} of {self.examined:,} {documents} have this text in common: "
            f"“{_shortened(passage.text)}” ({passage.words:,} words{hint})"
            for passage in self.passages[:_MAX_DESCRIBED]
        ]
        if more := self.passages[_MAX_DESCRIBED:]:
            lines.append(
                f"{len(more):,} more texts, each common to at least {more[-1].documents:,} "
                f"documents{hint}"
            )
        return lines

    def ranges(self, text: str, words: Words | None = None) -> list[Range]:
        """Where a text has common text; `words` are its own, where they have been cut already."""
        words = words_of(text) if words is None else words
        return [
            word_range(words, first, last) for first, last in self._runs(words, _shingles(words))
        ]


def sampled(documents: int) -> list[int]:
    """The positions of those that are examined, of this number of documents."""
    places = np.linspace(0, documents - 1, min(_SAMPLE, documents))
    return [int(place) for place in np.unique(places.astype(int))]


def _needed(documents: int) -> float:
    """In how many of this number of documents a text is common."""
    return max(MIN_DOCUMENTS, min(MAX_NEEDED, MIN_SHARE * documents))


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MAX_QUOTED else f"{flat[:_MAX_QUOTED].rsplit(' ', 1)[0]} …"


def _shingles(words: Words) -> Hashes:
    """A hash of each word with those after it; none of a text that is too short."""
    count = max(0, len(words) - _SHINGLE + 1)
    mixed = np.zeros(count, np.uint64)
    for i in range(_SHINGLE):
        mixed = mixed * _FACTOR + words.hashes[i : i + count]
    return mixed
