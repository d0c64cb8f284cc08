"""`Shingled`: a text as its shingles, which is all that an estimator sees of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import Hashes
from likewise.comparison.measures import distinct
from likewise.text.displayed import displayed_strings
from likewise.text.profile import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Shingled:
    """A text as shingles.

    Attributes:
        sequence: the hash of every shingle, in the order of the text, repeats and all.
        elements: what the text is as a set, sorted: its different shingles; or, as a bag, its
            shingles each with its occurrence number, so that a bag is a set as well.
        bag: which of the two it is.
    """

    sequence: Hashes
    elements: Hashes
    bag: bool

    @classmethod
    def of_text(cls, text: str, profile: Profile | str) -> Shingled:
        """The shingles of a text, as a set or as a bag as the profile says."""
        made = Profile.of(profile)
        texts = Texts.from_strings(displayed_strings([text], made))
        sequence, _ = _core.shingle_hashes(texts, replace(made, count="set").rules())
        elements, _ = _core.shingle_hashes(texts, made.rules())
        return cls(sequence, distinct(elements), made.count == "bag")

    @classmethod
    def of_set(cls, elements: Iterable[int]) -> Shingled:
        """A set of whole numbers from 0 to 2^64 - 1, for trials without a text."""
        made = np.unique(np.array(list(elements), dtype=np.uint64))
        return cls(made, made, False)

    def __len__(self) -> int:
        return len(self.elements)
