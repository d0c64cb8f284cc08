"""A fast check for texts that may have look-alike letters or invisible characters.

Most texts are in one script and have neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.text.obfuscation.invisible import INVISIBLE
from likewise.text.obfuscation.letters import EVER_ALIKE, NEUTRAL
from likewise.text.obfuscation.lookalikes import LETTERS
from likewise.text.obfuscation.tricks import Tricks, find_tricks

_CODE_POINTS = 0x110000
_UNSEEN = 1 << len(LETTERS)  # the class behind those of the scripts
_SCRIPTS = _UNSEEN - 1
_ANCHOR = _UNSEEN << 1  # a letter without look-alikes


def may_have_tricks(texts: _core.Texts, *, threads: int) -> NDArray[np.bool_]:
    """Whether `find_tricks` may find anything in each text; where not, it finds nothing."""
    classes = _core.character_classes(texts, _classes(INVISIBLE), threads=threads)
    made: NDArray[np.bool_] = _several(classes) | (classes & _UNSEEN).astype(bool)
    return made


def may_have_lookalikes(texts: _core.Texts, *, threads: int) -> NDArray[np.bool_]:
    """Whether `mend_letters` may mend anything in each text, by the scripts that it has."""
    return _several(_core.character_classes(texts, _classes(INVISIBLE), threads=threads))


def may_be_mended(texts: Sequence[str]) -> NDArray[np.bool_]:
    """The same by a closer look at texts of several scripts.

    Nothing is mended where no word has letters of two scripts and each script has letters without
    look-alikes: as in most texts in Cyrillic or Greek that have some Latin words. Takes about a
    dozen bytes for each character.
    """
    if not texts:
        return np.zeros(0, np.bool_)
    joined = "\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass")
    classes = _anchored()[np.frombuffer(joined, np.uint32)]
    starts = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])])
    scripts = classes & _SCRIPTS
    anchors = np.where(classes & _ANCHOR, scripts, np.uint8(0))
    lacking = np.bitwise_or.reduceat(scripts, starts) & ~np.bitwise_or.reduceat(anchors, starts)
    # What belongs to no script counts as one of its own here: few words have it.
    inside = classes & (_SCRIPTS | _UNSEEN)
    mixed = np.zeros(len(classes), np.bool_)
    mixed[1:] = (inside[1:] != inside[:-1]) & (inside[1:] > 0) & (inside[:-1] > 0)
    found: NDArray[np.bool_] = (lacking > 0) | np.logical_or.reduceat(mixed, starts)
    return found


def _several(classes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    scripts = classes & _SCRIPTS
    # More than one bit: something is left without the lowest.
    several: NDArray[np.bool_] = (scripts & (scripts - 1)).astype(bool)
    return several


def find_all_tricks(texts: Sequence[str], *, threads: int) -> list[Tricks]:
    """`find_tricks` of each text, which looks closely only where that is needed."""
    looked_at = may_have_tricks(_core.Texts.from_strings(texts), threads=threads).tolist()
    return [
        find_tricks(text) if suspicious else Tricks(text)
        for text, suspicious in zip(texts, looked_at, strict=True)
    ]


@cache
def _anchored() -> NDArray[np.uint8]:
    """By code point: a bit for each script, for what belongs to none, and for anchors."""
    made = _classes(NEUTRAL).copy()
    anchors = (made & _SCRIPTS) > 0
    anchors[[ord(c) for c in EVER_ALIKE]] = False
    made[anchors] |= _ANCHOR
    return made


@cache
def _classes(unseen: str) -> NDArray[np.uint8]:
    """By code point: a bit for each script, and one for the characters `unseen`."""
    made = np.zeros(_CODE_POINTS, np.uint8)
    for number, inside in enumerate([*LETTERS.values(), unseen]):
        for first, last in _spans(inside):
            made[first : last + 1] |= 1 << number
    return made


def _spans(inside: str) -> Iterator[tuple[int, int]]:
    """First and last code points of the ranges of a regular expression class."""
    at = 0
    while at < len(inside):
        last = at + 2 if inside[at + 1 : at + 2] == "-" else at
        yield ord(inside[at]), ord(inside[last])
        at = last + 1
