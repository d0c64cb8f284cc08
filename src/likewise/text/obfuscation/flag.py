"""`Flag`: a place in a text where what is shown and what is stored are not the same."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["look-alike", "zero-width", "soft hyphen", "bidi", "invisible"]


class Flag(NamedTuple):
    """One place.

    Attributes:
        kind: "look-alike", a word with letters of another script; "zero-width", spaces and joiners
            of no width; "soft hyphen"; "bidi", controls of the direction of writing; "invisible",
            any other character that is not seen.
        start, end: where, in code points of the text; for look-alikes the whole word.
        shown: for look-alikes the word as it was meant, else the code points, as "U+200B".
    """

    kind: Kind
    start: int
    end: int
    shown: str
