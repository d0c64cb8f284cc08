"""Documents cut into lines or sentences, and copies with a share of these replaced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise._core import Texts
from likewise.errors import UsageError
from likewise.sketches.scan import scan
from likewise.text.profile import Profile

UNITS = {
    # A capturing group: re.split gives unit, end, unit, end, ..., unit.
    "line": re.compile(r"(\r\n?|\n)"),
    "sentence": re.compile(r"((?<=[.!?。！？])\s+|(?<=[。！？]))"),
}
MIN_UNITS = 5


@dataclass(frozen=True, slots=True, eq=False)
class CutDocument:
    """A document as unit, end, unit, end, …; `places` are the indexes of units with words."""

    text: str
    parts: list[str]
    places: NDArray[np.intp]

    def copy(self, share: float, pool: Sequence[CutDocument], rng: np.random.Generator) -> str:
        """The text with each unit kept with probability `share`, or else replaced by any unit."""
        replaced = self.places[rng.random(len(self.places)) >= share]
        donors = [pool[donor] for donor in rng.integers(len(pool), size=len(replaced))]
        chosen = rng.integers(np.array([len(donor.places) for donor in donors], np.int64))
        parts = list(self.parts)
        for place, donor, unit in zip(replaced, donors, chosen, strict=True):
            parts[place] = donor.parts[donor.places[unit]]
        return "".join(parts)


def cut_documents(
    texts: Sequence[str], unit: str, profile: Profile, threads: int
) -> tuple[list[CutDocument], int]:
    """The documents with enough units, and the number of the others."""
    parts = [UNITS[unit].split(text) for text in texts]
    units = Texts.from_strings([part for document in parts for part in document[::2]])
    counts = scan(units, profile, values=1, threads=threads).counts
    ends = np.cumsum([len(document[::2]) for document in parts])
    worded = np.split(counts > 0, ends[:-1]) if len(ends) else []
    cut = [
        CutDocument(text, own, 2 * np.flatnonzero(has_words))
        for text, own, has_words in zip(texts, parts, worded, strict=True)
    ]
    pool = [document for document in cut if len(document.places) >= MIN_UNITS]
    if len(pool) < 2:
        raise UsageError(
            f"{len(pool)} of {len(texts):,} documents have at least {MIN_UNITS} {unit}s with "
            "words; at least 2 are needed",
            hint="in a folder each file is a document; use --unit sentence for text without line "
            "breaks"
            if unit == "line"
            else "use --unit line for text without full stops",
        )
    return pool, len(cut) - len(pool)
