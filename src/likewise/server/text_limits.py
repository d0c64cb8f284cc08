"""Texts that would take far more memory than their size suggests.

Texts are compared in Unicode's normal form NFKC. Nearly all of them keep their length, but one
character may stand for 18 (U+FDFA), and 30 MB of such characters took 2.2 GB.
"""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
import numpy.typing as npt

MAX_GROWTH = 4
"""Times the length of a text. The characters that grow have three bytes in UTF-8, so a text of them
becomes hardly longer than one of as many bytes in ASCII."""
GROWING = (range(0x3200, 0x3400), range(0xFDF0, 0xFE00))
"""All characters that stand for more than four are here: units, dates and phrases."""
_SHORT_CHARACTERS = 100_000
_BLOCK_CHARACTERS = 1 << 20


def check_growth(text: str) -> str:
    """The text; raises `ValueError` if it would become far longer."""
    if len(text) <= _SHORT_CHARACTERS or text.isascii():
        return text
    growth = 0
    for start in range(0, len(text), _BLOCK_CHARACTERS):
        block = text[start : start + _BLOCK_CHARACTERS].encode("utf-16-le", "surrogatepass")
        growth += int(_growth()[np.frombuffer(block, "<u2")].sum())
    if growth > (MAX_GROWTH - 1) * len(text):
        raise ValueError(
            f"is more than {MAX_GROWTH} times as long in Unicode's normal form NFKC, in which "
            "texts are compared"
        )
    return text


@cache
def _growth() -> npt.NDArray[np.uint8]:
    """By code unit in UTF-16: how many characters are added."""
    growth = np.zeros(1 << 16, np.uint8)
    for code in (code for part in GROWING for code in part):
        growth[code] = len(unicodedata.normalize("NFKC", chr(code))) - 1
    return growth
