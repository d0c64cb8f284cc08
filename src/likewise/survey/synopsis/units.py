"""Units: the sentences and lines of a text, of which rows are made.

Short sentences are one unit with the next. A text without punctuation is cut where the words stand
at which another text has a break, or else every few words that agree, so that both sides are cut at
the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise.survey.synopsis.breaks import LINE, Breaks

MIN_UNIT_WORDS = 8
MAX_UNIT_WORDS = 60
_SOFT_EVERY = 25  # columns between cuts of texts without any breaks


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words `first` to `stop` (exclusive) of one of the texts."""

    text: int
    first: int
    stop: int

    @property
    def words(self) -> int:
        return self.stop - self.first


Column = tuple[tuple[int, int], ...]
"""Words that agree: the number of a text and the number of a word in it, for each."""


@dataclass(frozen=True, eq=False, slots=True)
class SharedWording:
    """A family of passages: stretches of the texts, and the words that agree in them.

    Attributes:
        stretches: in the order of the texts; a text that has the wording twice has two of them.
        columns: [columns, stretches]: words that agree, by their numbers in each text; -1 where a
            stretch does not have the word.
    """

    stretches: tuple[Stretch, ...]
    columns: NDArray[np.int32]


def cut_into_units(columns: Iterable[Column], breaks: Sequence[Breaks]) -> list[list[Stretch]]:
    """The units of each text, in order; together they are the whole of it."""
    soft = _soft_breaks(columns, breaks)
    return [list(_units(text, own, soft[text])) for text, own in enumerate(breaks)]


def _soft_breaks(columns: Iterable[Column], breaks: Sequence[Breaks]) -> list[NDArray[np.bool_]]:
    """Words of each text before which it may be cut although it has no break there."""
    soft = [np.zeros(len(own.strengths), np.bool_) for own in breaks]
    for number, column in enumerate(columns, 1):
        if not number % _SOFT_EVERY or any(breaks[text].strengths[word] for text, word in column):
            for text, word in column:
                soft[text][word] = True
    return soft


def _units(text: int, breaks: Breaks, soft: NDArray[np.bool_]) -> Iterator[Stretch]:
    places = np.flatnonzero(breaks.strengths).tolist()
    first = 0
    for start, stop in pairwise(places):
        # A short line or sentence is one unit with the next, unless a new paragraph begins.
        if start - first >= MIN_UNIT_WORDS or (start > first and breaks.strengths[start] > LINE):
            yield from _parts(text, first, start, soft)
            first = start
        if stop == places[-1]:
            yield from _parts(text, first, stop, soft)


def _parts(text: int, first: int, stop: int, soft: NDArray[np.bool_]) -> Iterator[Stretch]:
    """A unit; a long one in parts."""
    while stop - first > MAX_UNIT_WORDS:
        begin, end = first + MIN_UNIT_WORDS, first + MAX_UNIT_WORDS
        found = np.flatnonzero(soft[begin:end])
        cut = begin + int(found[0]) if len(found) else end
        yield Stretch(text, first, cut)
        first = cut
    yield Stretch(text, first, stop)
