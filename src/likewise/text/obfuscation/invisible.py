"""Invisible characters inside words.

Where they are proper they are not flagged: joiners in Persian, in the scripts of India and between
emoji, spaces of no width where words have none between them (Thai, Khmer, Chinese), selectors of a
variant behind emoji and Chinese characters, marks of direction next to Arabic and Hebrew. At the
edge of a word they change nothing, and are not flagged either.
"""

from __future__ import annotations

import re

from likewise.text.obfuscation.flag import Flag, Kind
from likewise.text.obfuscation.lookalikes import LETTERS

# Scripts in which a word is letters in a row, without joiners.
_PLAIN = "".join(LETTERS.values()) + "0-9\u05d0-\u05ea\u10a0-\u10ff\uac00-\ud7a3\u0300-\u036f"
_UNSPACED = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u31f0-\u9fff"
_JOINERS = "\u200c\u200d"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_SELECTORS = "\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_FILLERS = "\u115f\u1160\u3164\uffa0"
_TAGS = "\U000e0000-\U000e007f"
_OPERATORS = "\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufff8"
# Proper between letters of some scripts, and never between these.
_SOMETIMES = f"\u034f\u17b4\u17b5{_JOINERS}{_BIDI}{_SELECTORS}{_FILLERS}"
_NEVER = f"\u00ad\u200b{_OPERATORS}"
INVISIBLE = f"{_SOMETIMES}{_NEVER}{_TAGS}"

_ANY = re.compile(f"[{INVISIBLE}]")
_PLACES = re.compile(
    # Between letters that are never joined; those of them that a word of any script can do without.
    f"(?<=[{_PLAIN}])[{INVISIBLE}]+(?=[{_PLAIN}])"
    f"|(?<=[^\\W{_UNSPACED}])[{_NEVER}]+(?=[^\\W{_UNSPACED}])"
    # Text may be stored the other way round than it is shown, or be stored in characters never
    # shown at all; only flags of regions are made of these.
    f"|[\u202d\u202e]|(?<![\U0001f3f4{_TAGS}])[{_TAGS}]+"
)
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("bidi", re.compile(f"[{_BIDI}]")),
    ("invisible", re.compile(f"[^\u200b{_JOINERS}\u00ad]")),
    ("zero-width", re.compile(f"[\u200b{_JOINERS}]")),
)
_MAX_SHOWN = 8


def find_invisible(text: str) -> list[Flag]:
    """Return the places of invisible characters inside words; each run of them is one place."""
    if _ANY.search(text) is None:
        return []
    return [
        Flag(_kind(found[0]), found.start(), found.end(), _show(found[0]))
        for found in _PLACES.finditer(text)
    ]


def _kind(run: str) -> Kind:
    return next((kind for kind, pattern in _KINDS if pattern.search(run)), "soft hyphen")


def _show(run: str) -> str:
    codes = [f"U+{ord(c):04X}" for c in run[:_MAX_SHOWN]]
    return " ".join(codes + ["…"] * (len(run) > _MAX_SHOWN))
