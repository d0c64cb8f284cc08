"""`Words`: the words of a text, with their positions and the gaps between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.arrays import Hashes
from likewise.errors import UsageError
from likewise.whole_numbers import check_whole

STEM_LETTERS = 7
"""The number of letters that the forms of one word mostly share, in inflected languages."""

MAX_STEM_LETTERS = 1000

NUMERAL = 255
"""In `Words.letters`: a word of digits only."""


@dataclass(frozen=True, eq=False, slots=True)
class Words:
    """The words of one text, in order, under the core's rules of Unicode.

    A word is a run of letters, marks and numbers after NFKC and case folding; in scripts without
    spaces each letter with its marks is one. Where one character becomes several words, as "½"
    does, each has that character's place.

    Attributes:
        hashes: of each word, 64 bits.
        stems: of its first letters; equal to the hash for a word that has no more.
        letters: number of letters and digits, at most 254; 255 (`NUMERAL`) for a word of digits
            only, 0 for a letter of a script without spaces.
        begins, ends: its position, in code points of the given text.
        gaps: before each word and after the last: 1 the end of a line, 2 of a sentence, 3 a blank
            line or the edge of the text, 0 none of these.
    """

    hashes: Hashes
    stems: Hashes
    letters: NDArray[np.uint8]
    begins: NDArray[np.uint32]
    ends: NDArray[np.uint32]
    gaps: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.hashes)


def words_of(text: str, *, stem_letters: int = STEM_LETTERS) -> Words:
    """The words of `text`; `stem_letters` is how many letters a stem has at most."""
    if not isinstance(text, str):
        raise UsageError(f"text is not a str but {type(text).__name__}")
    check_whole("stem_letters", stem_letters, 1, MAX_STEM_LETTERS)
    return Words(
        *_core.words_with_places(_core.Texts.from_strings([text]), stem_letters=stem_letters)
    )
