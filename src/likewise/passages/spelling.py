"""The letters of words, as similar words are compared by them.

Letters that one print has for another are the same: accents are left out, long s is s, and v and j
are u and i. What is no letter, as the hyphen at the end of a line, is left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from likewise.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.arrays import U32
    from likewise.text.words import Words

_SAME = str.maketrans("vj", "ui")
_ACCENTS = range(0x300, 0x370)


def spelling_of(texts: Sequence[str], words: Sequence[Words]) -> tuple[U32, U32]:
    """The letters of the words of all texts, and where those of each word begin."""
    letters: list[U32] = []
    begins: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
    size = 0
    for text, own in zip(texts, words, strict=True):
        characters, counts = _letters(text, own)
        letters.append(characters)
        begins.append(size + np.cumsum(counts, dtype=np.int64))
        size += len(characters)
    none = np.empty(0, np.uint32)
    if size > np.iinfo(np.uint32).max:
        raise UsageError("the texts are too long to compare their spelling at once")
    return np.concatenate([none, *letters]), np.concatenate(begins).astype(np.uint32)


def letters_only(text: str) -> str:
    """The letters of a text, without anything between them."""
    folded = _folded_characters(text)
    return folded[folded > 0].tobytes().decode("utf-32-le", "replace")


def _folded_characters(text: str) -> U32:
    """The letter that stands for each character; 0 where there is none."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    table = np.zeros(int(points.max(initial=0)) + 1, np.uint32)
    table[points] = 1
    different = np.flatnonzero(table)
    table[different] = [_folded(point) for point in different.tolist()]
    folded: U32 = table[points]
    return folded


def _letters(text: str, words: Words) -> tuple[U32, U32]:
    """The letters of all words of a text, and how many each has."""
    folded = _folded_characters(text)
    kept = np.concatenate([np.zeros(1, np.int64), np.cumsum(folded > 0)])
    counts = kept[words.ends] - kept[words.begins]
    # A character may be in no word, or, as "½", in several.
    first, total = kept[words.begins], int(counts.sum())
    places = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(total)
    return folded[folded > 0][places], counts.astype(np.uint32)


@lru_cache(maxsize=4096)
def _folded(point: int) -> int:
    """The code point that stands for a character; 0 for one that is no letter and no digit."""
    character = chr(point)
    if not character.isalnum():
        return 0
    parts = unicodedata.normalize("NFKD", character).casefold()
    if all(ord(part) in _ACCENTS for part in parts[1:]):
        return ord(parts[0].translate(_SAME))
    return ord(unicodedata.normalize("NFKC", character).casefold()[0].translate(_SAME))
