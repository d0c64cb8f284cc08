"""`WorksListed`: what a text lists at its end and in notes, by which its marks are confirmed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from likewise.passages.exclusions.bibliography import bibliography
from likewise.passages.ranges import Range

# The beginning of an entry or a note: [12], 12., (12), ¹², *
_ENTRY = re.compile(
    r"^[ \t]{0,8}(?:[\[［〔【(（](\d{1,3})[\]］〕】)）]|(\d{1,3})[.):]?(?=[ \t\u3000])"
    r"|([⁰¹²³⁴-⁹]{1,3})"
    r"|([*†‡§]{1,3})(?=[ \t]?[^\s*]))",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d_]{2,40}")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MIN_ENTRIES = 2
_MAX_NAMES_READ = 200_000  # characters of a list of works


@dataclass(frozen=True, slots=True)
class WorksListed:
    """The lists of one text.

    Attributes:
        works: where its bibliography is; None if there is none.
        entries: numbers of the bibliography's entries, where these are numbered.
        square: numbers of lines that begin with one in square brackets, anywhere.
        notes: numbers and signs that a line begins with, as a note does.
        names: words of the bibliography, in lower case.
    """

    works: Range | None
    entries: frozenset[int]
    square: frozenset[int]
    notes: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str) -> WorksListed:
        works = next(iter(bibliography(text)), None)
        entries: set[int] = set()
        square: set[int] = set()
        notes: set[str] = set()
        for entry in _ENTRY.finditer(text):
            bracketed, plain, raised, sign = entry.groups()
            notes.add(bracketed or plain or raised or sign)
            if bracketed and entry[0].lstrip()[0] not in "(（":
                square.add(int(bracketed))
            if works and works.start <= entry.start() < works.end and (bracketed or plain):
                entries.add(int(bracketed or plain))
        notes |= {note.translate(_SUPERSCRIPTS) for note in notes}
        names: frozenset[str] = frozenset()
        if works:
            end = min(works.end, works.start + _MAX_NAMES_READ)
            names = frozenset(w.casefold() for w in _WORD.findall(text[works.start : end]))
        return cls(
            works,
            frozenset(entries if len(entries) >= _MIN_ENTRIES else ()),
            frozenset(square if len(square) >= _MIN_ENTRIES else ()),
            frozenset(notes),
            names,
        )

    def contains(self, place: int) -> bool:
        """Whether a place is in the bibliography."""
        return self.works is not None and self.works.start <= place < self.works.end
