"""`Shingled`: a text as its shingles, which is all that an estimator sees of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import Hashes, Ints
from likewise.comparison.measures import distinct
from likewise.errors import UsageError
from likewise.text.displayed import displayed_strings
from likewise.text.profile import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Shingled:
    """A text as shingles.

    Attributes:
        sequence: the hash of every shingle, in the order of the text, with repeats.
        elements: the text as a set, sorted: its different shingles; in a bag each occurrence is an
            element of its own.
        bag: whether it is a bag.
    """

    sequence: Hashes
    elements: Hashes
    bag: bool

    @classmethod
    def of_text(cls, text: str, profile: Profile | str) -> Shingled:
        """The shingles of a text, as a set or a bag depending on the profile."""
        profile = Profile.of(profile)
        texts = Texts.from_strings(displayed_strings([text], profile))
        sequence, _ = _core.shingle_hashes(texts, replace(profile, count="set").rules())
        elements, _ = _core.shingle_hashes(texts, profile.rules())
        return cls(sequence, distinct(elements), profile.count == "bag")

    @classmethod
    def of_set(cls, elements: Iterable[int]) -> Shingled:
        """A set of whole numbers from 0 to 2^64 - 1, for trials without a text."""
        unique = np.unique(np.array(list(elements), dtype=np.uint64))
        return cls(unique, unique, False)

    def __len__(self) -> int:
        return len(self.elements)


def shingle_both(a: str, b: str, profile: Profile) -> tuple[Shingled, Shingled]:
    """Both texts as shingles; raises if one has none."""
    first, second = Shingled.of_text(a, profile), Shingled.of_text(b, profile)
    check_shingles(first, second)
    return first, second


def check_shingles(a: Shingled, b: Shingled) -> None:
    """Raises if one of two texts has no shingles."""
    for name, side in (("first", a), ("second", b)):
        if len(side) == 0:
            raise UsageError(
                f"the {name} text has no shingles",
                hint="it is empty, or the profile removes all of it",
            )


def matrix_rows(a: Shingled, b: Shingled) -> tuple[int, Ints, Ints]:
    """The representation matrix: its number of rows, and the rows of each text, from 0.

    It has a row for each element of the union. The papers leave the order of the rows open; here it
    is that of the hashes, the same in every trial.
    """
    union = np.union1d(a.elements, b.elements)
    return len(union), np.searchsorted(union, a.elements), np.searchsorted(union, b.elements)
