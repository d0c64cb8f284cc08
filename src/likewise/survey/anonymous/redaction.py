"""`Redaction`: one text without names, and where its places are then."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from likewise.arrays import Bools, Ints
from likewise.text.words import Words

PLACEHOLDER = "[name]"
"""In place of each word of a name: one word, so that words have the same numbers."""


class Redaction:
    """Where names are in a text.

    Attributes:
        places: how many there are; names side by side are one.
    """

    def __init__(self, words: Words, names: Bools) -> None:
        at = np.flatnonzero(names)
        self.places = int(np.count_nonzero(np.diff(at) > 1)) + bool(len(at))
        self._begins: Ints = words.begins[at].astype(np.int64)
        self._ends: Ints = words.ends[at].astype(np.int64)
        # How much longer the text is after each name.
        self._shifts: Ints = np.cumsum(len(PLACEHOLDER) - (self._ends - self._begins))

    def apply(self, text: str) -> str:
        """The text, or one as long, with placeholders."""
        parts, end = [], 0
        for begin, last in zip(self._begins.tolist(), self._ends.tolist(), strict=True):
            parts += [text[end:begin], PLACEHOLDER]
            end = last
        return "".join([*parts, text[end:]])

    def moved(self, place: int) -> int:
        """Where a place of the text is; one within a name is at its beginning."""
        before = int(np.searchsorted(self._ends, place, "right"))
        shift = int(self._shifts[before - 1]) if before else 0
        if before < len(self._begins):
            place = min(place, int(self._begins[before]))
        return place + shift

    def touches(self, start: int, end: int) -> bool:
        """Whether a name is in a range."""
        first = int(np.searchsorted(self._ends, start, "right"))
        return first < len(self._begins) and bool(self._begins[first] < end)

    def outside(self, places: Iterable[int]) -> list[bool]:
        """Which places are in no name."""
        return [not self.touches(place, place + 1) for place in places]
