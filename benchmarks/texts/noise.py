"""Texts as a scan or an old print has them: wrong characters, line ends, historical spelling.

Everything is drawn from a seed, and `Altered` says where each character of the text has gone.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

# What optical recognition takes for what: pairs that look alike in print, long s (read as f) among
# them. Repeated entries are drawn more often.
CONFUSIONS: dict[str, tuple[str, ...]] = {
    "rn": ("m",), "m": ("rn", "in", "nn"), "cl": ("d",), "d": ("cl",), "vv": ("w",), "w": ("vv",),
    "li": ("h",), "ri": ("n",), "ii": ("u", "n"), "fi": ("n", "h"), "in": ("m",),
    "e": ("c", "c", "o"), "c": ("e", "o"), "o": ("c", "0", "e"), "l": ("1", "i", "t", "I"),
    "i": ("l", "1", "j", "t"), "t": ("l", "f", "r"), "f": ("t", "s"), "s": ("f", "f", "5", "z"),
    "n": ("u", "ri", "h"), "u": ("n", "ii", "a"), "h": ("b", "li", "n"), "b": ("h", "6"),
    "a": ("u", "o", "n"), "r": ("t", "c", "v"), "v": ("y", "r"), "y": ("v", "g"), "g": ("q", "9"),
    "q": ("g",), "p": ("j", "n"), "k": ("h", "lc"), "j": ("i",), "z": ("s",), "x": ("z",),
    "é": ("e", "6", "c"), "è": ("e", "c"), "ê": ("e", "6"), "à": ("a", "d"), "ç": ("c", "e"),
    "ä": ("a", "ii"), "ö": ("o", "6"), "ü": ("u", "ii"), "ß": ("B", "fs"),
    "S": ("5", "8"), "B": ("8", "R"), "O": ("0", "Q"), "I": ("l", "1"), "T": ("I", "F"),
}  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyz"
STRAY = ".,'-;:·|_ "
LINE = 60  # characters
HYPHENATED = 0.3  # of the lines end within a word

# (what, by what, how often): a rule is applied to a word or not, as the spelling of one print
# differs from word to word. u and v, i and j, and long s follow their place in the word.
_ANYWHERE = (r"s(?=.)", "ſ", 1.0)
RULES: dict[str, tuple[tuple[str, str, float], ...]] = {
    "English": (
        (r"(?<=[a-z]{2})ic\b", "ick", 0.9), (r"ed\b", "'d", 0.4), (r"(?<=[a-z]{2})l\b", "ll", 0.5),
        (r"(?<=[aeiou][bdgmnprt])\b", "e", 0.35), (r"(?<=[a-z])y\b", "ie", 0.4),
        (r"\b(he|she|me|we|be)\b", r"\1e", 0.6), (r"(?<=[a-z])ea", "e", 0.2),
        (r"(?<=[a-z])f(?=[aeiou]?r|t|$)", "ff", 0.25), (r"our\b", "or", 0.3),
        (r"(?<=[aeo])i(?=[a-z])", "y", 0.4), (r"(?<=[a-z])u(?=[aeiou])", "v", 0.8),
        (r"(?<=[a-z])v", "u", 0.9), (r"\bu", "v", 0.9), (r"\bj", "i", 0.9), _ANYWHERE,
    ),
    "French": (
        (r"ai(?=s\b|t\b|ent\b)", "oi", 0.9), (r"\bé", "es", 0.4), (r"ê", "es", 0.8),
        (r"(?<=[a-z])é(?=[a-z])", "e", 0.4), (r"é\b", "é", 1.0), (r"\bet\b", "&", 0.7),
        (r"(?<=[a-z])i\b", "y", 0.6), (r"ô", "os", 0.6), (r"û", "eu", 0.5), (r"î", "is", 0.5),
        (r"(?<=[a-z])ts\b", "ts", 1.0), (r"ants\b", "ans", 0.8), (r"ents\b", "ens", 0.5),
        (r"\bun\b", "vn", 0.8), (r"\bu", "v", 0.9), (r"(?<=[a-z])v", "u", 0.9), (r"\bj", "i", 0.9),
        (r"c(?=t)", "c", 1.0), (r"qu(?=e\b)", "cqu", 0.1), _ANYWHERE,
    ),
    "German": (
        (r"(?i)\bt(?=[aeiouäöü])", "th", 0.5), (r"(?<=[a-zäöü])t\b", "th", 0.2),
        (r"ei", "ey", 0.5), (r"ie", "i", 0.15), (r"ß", "ſſ", 0.5), (r"ss", "ß", 0.4),
        (r"k(?=[aeiou])", "c", 0.1), (r"k\b", "ck", 0.5), (r"nd\b", "ndt", 0.3),
        (r"f\b", "ff", 0.5), (r"ä", "e", 0.4), (r"ü", "ue", 0.3), (r"ö", "oe", 0.3),
        (r"z\b", "tz", 0.3), (r"\bu", "v", 0.9), (r"\bj", "i", 0.8), _ANYWHERE,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Altered:
    """A text and, for each character of the one it was made from, where that is now."""

    text: str
    places: list[int]  # one more than the original has characters

    def then(self, alter: Altered) -> Altered:
        """What another change made of this text."""
        return Altered(alter.text, [alter.places[place] for place in self.places])

    def range_of(self, begin: int, end: int) -> tuple[int, int]:
        return self.places[begin], self.places[end]

    def original(self, place: int) -> int:
        """The first character of the original that is at `place` or behind it."""
        return bisect_left(self.places, place)


class _Writer:
    """Writes a text piece by piece, each instead of some characters of the original."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._places: list[int] = []
        self._size = 0

    def write(self, piece: str, instead_of: int) -> None:
        for i in range(instead_of):
            self._places.append(self._size + min(i, len(piece)))
        self._parts.append(piece)
        self._size += len(piece)

    def done(self) -> Altered:
        return Altered("".join(self._parts), [*self._places, self._size])


def unaltered(text: str) -> Altered:
    return Altered(text, list(range(len(text) + 1)))


def scanned(text: str, share: float, draw: random.Random) -> Altered:
    """Lines with hyphens at their ends, and this share of the characters misread."""
    lines = broken_lines(text, draw)
    return lines.then(misread(lines.text, share, draw))


def broken_lines(text: str, draw: random.Random) -> Altered:
    """Lines of a column; some of them end within a word, with a hyphen."""
    out, column = _Writer(), 0
    for word in re.findall(r"\S+|\s+", text):
        if word.isspace():
            out.write("\n" if column >= LINE else " ", len(word))
            column = 0 if column >= LINE else column + 1
        elif column + len(word) > LINE and len(word) > 5 and draw.random() < HYPHENATED:
            cut = draw.randint(2, len(word) - 3)
            out.write(word[:cut] + "-\n", cut)
            out.write(word[cut:], len(word) - cut)
            column = len(word) - cut
        else:
            out.write(word, len(word))
            column += len(word)
    return out.done()


def misread(text: str, share: float, draw: random.Random) -> Altered:
    """This share of the characters read as others, lost or made up, as recognition does."""
    out, i = _Writer(), 0
    while i < len(text):
        if draw.random() >= share or text[i] == "\n":
            out.write(text[i], 1)
            i += 1
            continue
        pair, kind = text[i : i + 2], draw.random()
        if text[i] == " ":
            out.write("" if kind < 0.6 else draw.choice(STRAY) + " ", 1)
        elif kind < 0.08:
            out.write("", 1)
        elif kind < 0.14:
            out.write(text[i] + draw.choice(STRAY), 1)
        elif kind < 0.2:
            out.write(text[i] + " ", 1)
        elif len(pair) == 2 and pair in CONFUSIONS:
            out.write(draw.choice(CONFUSIONS[pair]), 2)
            i += 1
        else:
            out.write(draw.choice(CONFUSIONS.get(text[i], tuple(LETTERS))), 1)
        i += 1
    return out.done()


def substituted(text: str, share: float, draw: random.Random) -> Altered:
    """This share of the characters, spaces included, replaced by a letter or a space."""
    out = _Writer()
    for character in text:
        out.write(draw.choice(LETTERS + " ") if draw.random() < share else character, 1)
    return out.done()


def respelled(text: str, language: str, draw: random.Random) -> Altered:
    """Words spelled as in old prints."""
    out = _Writer()
    for word in re.findall(r"\w+|\W+", text):
        made = word
        for pattern, by, often in _rules(language):
            if word[0].isalpha() and draw.random() < often:
                made = pattern.sub(by, made)
        out.write(made, len(word))
    return out.done()


@cache
def _rules(language: str) -> list[tuple[re.Pattern[str], str, float]]:
    return [(re.compile(pattern), by, often) for pattern, by, often in RULES[language]]
