"""`may_have_tricks`: which of many texts need a closer look, told by the characters they hold.

Look-alikes are letters of a second script, and characters that nobody sees are what they are: a
text in one script without any of these has no tricks, and most texts are such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.tricks.invisible import INVISIBLE
from likewise.tricks.lookalikes import LETTERS
from likewise.tricks.tricks import Tricks, find_tricks

_CODE_POINTS = 0x110000
_UNSEEN = 1 << len(LETTERS)  # the class behind those of the scripts


def may_have_tricks(texts: _core.Texts, *, threads: int) -> NDArray[np.bool_]:
    """Whether `find_tricks` may find anything in each text; where not, it finds nothing."""
    held = _core.character_classes(texts, _classes(), threads=threads)
    scripts = held & (_UNSEEN - 1)
    # More than one bit: something is left without the lowest.
    several = scripts & (scripts - 1)
    made: NDArray[np.bool_] = (several | (held & _UNSEEN)).astype(bool)
    return made


def find_all_tricks(texts: Sequence[str], *, threads: int) -> list[Tricks]:
    """`find_tricks` of each text, which looks closely only where that is needed."""
    looked_at = may_have_tricks(_core.Texts.from_strings(texts), threads=threads).tolist()
    return [
        find_tricks(text) if suspicious else Tricks(text)
        for text, suspicious in zip(texts, looked_at, strict=True)
    ]


@cache
def _classes() -> NDArray[np.uint8]:
    """By code point: a bit for each script, and one for characters that are not seen."""
    made = np.zeros(_CODE_POINTS, np.uint8)
    for number, inside in enumerate([*LETTERS.values(), INVISIBLE]):
        for first, last in _spans(inside):
            made[first : last + 1] |= 1 << number
    return made


def _spans(inside: str) -> Iterator[tuple[int, int]]:
    """First and last code points of what stands inside a class of a regular expression."""
    at = 0
    while at < len(inside):
        last = at + 2 if inside[at + 1 : at + 2] == "-" else at
        yield ord(inside[at]), ord(inside[last])
        at = last + 1
