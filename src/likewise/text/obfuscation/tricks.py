"""`find_tricks`: everything that is flagged in one text, and the text to match with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import chain

from likewise.errors import UsageError
from likewise.text.obfuscation.flag import Flag, Kind
from likewise.text.obfuscation.invisible import find_invisible
from likewise.text.obfuscation.letters import mend_letters

__all__ = ["Flag", "Tricks", "find_tricks"]

MAX_FLAGS = 1000


@dataclass(frozen=True)
class Tricks:
    """What was found in a text.

    Attributes:
        mended: the text with look-alike letters replaced, of the same length. Invisible characters
            are still there: preparing the text drops them.
        flags: the first `MAX_FLAGS` places, in order.
        counts: the number of places by kind.

    Text copied from a PDF or typed with another keyboard has such characters too.
    """

    mended: str
    flags: tuple[Flag, ...] = ()
    counts: Mapping[Kind, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of places, of all kinds."""
        return sum(self.counts.values())

    def __bool__(self) -> bool:
        return bool(self.counts)


def find_tricks(text: str) -> Tricks:
    """Return what is flagged in a text, and the text with look-alike letters put right.

    >>> find_tricks("a p\\u0430per").flags
    (Flag(kind='look-alike', start=2, end=7, shown='paper'),)
    """
    if not isinstance(text, str):
        raise UsageError(f"text is not a str but {type(text).__name__}")
    if text.isascii():
        return Tricks(text)
    mended, letters = mend_letters(text)
    invisible = find_invisible(text)
    if not letters and not invisible:
        return Tricks(text)
    counts = Counter(flag.kind for flag in chain(letters, invisible))
    first = nsmallest(MAX_FLAGS, chain(letters, invisible), key=lambda flag: flag[1:3])
    return Tricks(mended, tuple(first), dict(counts))
