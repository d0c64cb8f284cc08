"""Lines that say what follows: "Chapter 3", "ACT III. SCENE 1", "Psalm 23"."""

from __future__ import annotations

import re
from typing import NamedTuple

# In the languages of editions that are often read; in lower case.
_LARGE = (
    "book", "part", "volume", "canto", "act", "chapter", "chap", "psalm", "sonnet", "poem",
    "buch", "teil", "gesang", "akt", "aufzug", "kapitel", "kap", "sonett",
    "livre", "partie", "chant", "acte", "chapitre", "psaume",
    "libro", "parte", "acto", "atto", "capítulo", "capitulo", "capitolo", "salmo",
    "liber", "caput", "psalmus", "глава", "книга", "κεφάλαιο",
)  # fmt: skip
_SMALL = ("scene", "scena", "szene", "auftritt", "scène", "escena", "section", "abschnitt")
_WORDS = "|".join(re.escape(word) for word in (*_LARGE, *_SMALL))
_HEADING = re.compile(
    rf"\s*(?P<word>{_WORDS})\.?\s+(?P<number>\d{{1,4}}|[IVXLC]{{1,8}})\b\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_MAX_LENGTH = 100  # of a line that is a heading


class Heading(NamedTuple):
    """What a line says about those after it.

    Attributes:
        level: 1, or 2 for scenes and the like, which are in what is of level 1.
        number: as digits.
        title: what follows the number, if anything does.
    """

    level: int
    number: str
    title: str


def find_headings(line: str) -> list[Heading]:
    """Return what a line says: ["Act 3", "Scene 1"] of "ACT III, SCENE 1"; [] for other lines."""
    found: list[Heading] = []
    rest = line.strip() if len(line) <= _MAX_LENGTH else ""
    while match := _HEADING.match(rest):
        level = 2 if match["word"].lower() in _SMALL else 1
        rest = match["rest"].lstrip(".,:;-–— ")
        found.append(Heading(level, _digits(match["number"]), rest))
    # "Part of it": a title begins anew after a number, and a sentence goes on.
    if found and rest[:1].islower():
        return []
    return found


def _digits(number: str) -> str:
    if number.isdigit():
        return str(int(number))
    values = [_VALUES[letter] for letter in number.upper()]
    following = [*values[1:], 0]
    return str(sum(v if v >= n else -v for v, n in zip(values, following, strict=True)))
