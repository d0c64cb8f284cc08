"""`Numbering`: the reference at each point of a TEI edition, from its divisions and milestones."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import takewhile

from likewise.documents.references import Parts, Scheme, shortened_part

# Divisions and units that are numbered in order where the edition gives no number.
_COUNTED = frozenset(
    ("act", "scene", "book", "chapter", "canto", "psalm", "part", "volume", "sonnet")
)
# Divisions that are cited by what they are.
_NAMED = frozenset(
    (
        *("prologue", "epilogue", "induction", "chorus", "argument", "dedication", "preface"),
        *("introduction", "appendix", "postscript", "foreword", "afterword"),
    )
)
_DRAMA = frozenset(("act", "scene"))
_BIBLE = frozenset(("chapter", "psalm", "book"))
# Of milestones; what has a higher rank begins anew with what has a lower one.
_RANKS = {
    **dict.fromkeys(("work", "volume"), 0),
    **dict.fromkeys(("book", "part"), 1),
    **dict.fromkeys(("act", "canto", "chapter", "psalm", "poem"), 2),
    **dict.fromkeys(("scene", "section"), 3),
    **dict.fromkeys(("verse", "line", "ftln", "tln"), 4),
}
_LINE_RANK = 4
_ROMAN = re.compile(r"(?=.)M{0,3}(C[MD]|D?C{0,3})(X[CL]|L?X{0,3})(I[XV]|V?I{0,3})")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_NUMBER = re.compile(r"\d{1,9}[A-Za-z]?(?:[-–]\d{1,9}[A-Za-z]?)?")
_APART = re.compile(r"[.:,]\s*")
_FOLIO = re.compile(r"\d+\s*[rv]\.?", re.IGNORECASE)


@dataclass(eq=False)
class _Division:
    """A part of the text.

    Attributes:
        kind: what the edition calls it, in lower case.
        label: its number, or the name by which it is cited.
        heading: what stands above it.
        children: how many there are of each kind in it.
        line, paragraph: the number of the last one.
    """

    kind: str
    label: str | None
    heading: str | None = None
    children: Counter[str] = field(default_factory=Counter)
    line: str = "0"
    paragraph: int = 0

    @property
    def is_numbered(self) -> bool:
        return self.label is not None and _NUMBER.fullmatch(self.label) is not None

    @property
    def title(self) -> str | None:
        """How prose in it is cited."""
        if not self.is_numbered:
            return self.label or self.heading
        named = f"{self.kind.capitalize()} {self.label}" if self.kind else self.label
        return self.heading or shortened_part(named or "")


class Numbering:
    """Keeps where we are while an edition is read from its beginning to its end."""

    def __init__(self) -> None:
        self._divisions = [_Division("", None)]
        self._units: dict[int, str] = {}
        self._path: Parts | None = ()  # None after a change
        self._page: str | None = None
        self._has_verses = self._has_lines = self._has_numbered_lines = False

    @property
    def scheme(self) -> Scheme:
        """What is numbered, as far as was read."""
        return "verses" if self._has_verses else "lines" if self._has_lines else "sections"

    def open(self, kind: str, number: str | None) -> None:
        """Begin a division."""
        parent = self._divisions[-1]
        parent.children[kind] += 1
        label = self._label(kind, number)
        if label is None and kind in _COUNTED:
            label = str(parent.children[kind])
        elif label is None and kind in _NAMED:
            label = kind.capitalize()
        self._divisions.append(_Division(kind, label))
        self._units.clear()
        self._path = None

    def close(self) -> None:
        """End a division."""
        if len(self._divisions) > 1:
            self._divisions.pop()
        self._units.clear()
        self._path = None

    def heading(self, text: str) -> None:
        """Give the division its heading; the first one counts."""
        division = self._divisions[-1]
        if division.heading is None and (title := shortened_part(text)):
            division.heading = title
            self._path = None

    def path(self) -> Parts:
        """The numbers of divisions and milestones, and names where there are none."""
        if self._path is None:
            self._path = self._find_path()
        return self._path

    def _find_path(self) -> Parts:
        parts = []
        below = False  # whether a division in this one has a number or a name of its own
        for division in reversed(self._divisions):
            label = division.label
            if label is None and not below:
                label = division.heading
            below = below or division.label is not None
            if label is not None:
                parts.append(label)
        units = tuple(self._units[rank] for rank in sorted(self._units))
        return tuple(reversed(parts)) + units

    def milestone(self, unit: str, number: str | None) -> Parts | None:
        """A unit begins here; None if it is none that is cited."""
        rank = _RANKS.get(unit)
        if rank is None or not number or any(one.kind == unit for one in self._divisions):
            return None
        for below in [one for one in self._units if one >= rank]:
            del self._units[below]
        self._path = None
        before = self.path()
        whole = _joined(before, number)
        self._units[rank] = whole[-1]
        self._path = None
        if rank == _LINE_RANK:
            self._see(unit == "verse")
        return whole if len(whole) > len(before) + 1 else self.path()

    def verse(self, number: str) -> Parts:
        """A numbered stretch of text: a verse of the Bible, or a section of any other text."""
        kinds = {division.kind for division in self._divisions}
        self._see(bool(kinds & _BIBLE or {1, 2} & self._units.keys()))
        return _joined(self._without_line(), number)

    def line(self, number: str | None, part: str, stanza: str | None) -> Parts:
        """A line of verse; `part` says whether it goes on with one that another speaker began."""
        division = self._divisions[-1]
        path = self._without_line()
        if number:
            whole = _joined(path, number)
            division.line = whole[-1]
            self._has_numbered_lines = True
        else:
            if part not in ("M", "F"):
                division.line = _next(division.line)
            if stanza and not self._has_numbered_lines:
                path = (*path, stanza)
            whole = (*path, division.line)
        self._has_lines = True
        return whole

    def begin_stanza(self) -> None:
        """Lines are counted from the beginning of a numbered stanza, unless they have numbers."""
        if not self._has_numbered_lines:
            self._divisions[-1].line = "0"

    def paragraph(self, number: str | None) -> Parts | None:
        """A paragraph; None where it has no reference of its own."""
        if number:
            return self.verse(number)
        if _LINE_RANK in self._units or any(one.kind in _DRAMA for one in self._divisions):
            return None
        division = self._divisions[-1]
        division.paragraph += 1
        return (*self.titles(), self._page or f"¶ {division.paragraph}")

    def page(self, name: str) -> Parts | None:
        """A page of the printed edition; None where it is not what the text is cited by."""
        sigil = "f." if _FOLIO.fullmatch(name) else "p."
        self._page = shortened_part(f"{sigil} {name}")
        if self.scheme != "sections":
            return None
        return (*self.titles(), self._page)

    def titles(self) -> Parts:
        """The headings of divisions, and what they are called where they have none."""
        numbers = list(takewhile(lambda one: one.heading is None, self._divisions[1:]))
        labels = [one for one in numbers if one.label is not None]
        if len(labels) > 1 and len(numbers) == len(self._divisions) - 1 and labels[-1].is_numbered:
            return self.path()  # book, chapter and section of a classic
        titles = [one.title for one in self._divisions]
        return tuple(title for title in titles if title) + tuple(self._units.values())

    def _without_line(self) -> Parts:
        if self._units.pop(_LINE_RANK, None) is not None:
            self._path = None
        return self.path()

    def _see(self, is_verse: bool) -> None:
        self._has_verses = self._has_verses or is_verse
        self._has_lines = self._has_lines or not is_verse

    def _label(self, kind: str, number: str | None) -> str | None:
        if not number or number.startswith("urn:"):
            return None
        if kind in _COUNTED and (roman := _arabic(number)):
            return roman
        return _joined(self.path(), number)[-1]


def _joined(path: Parts, number: str) -> Parts:
    """The reference of a number that may repeat those above it.

    >>> _joined(("3", "1"), "56"), _joined(("3", "1"), "3.1.56"), _joined((), "3.1.56")
    (('3', '1', '56'), ('3', '1', '56'), ('3', '1', '56'))
    """
    if number.isdigit():
        return (*path, shortened_part(number))
    parts = tuple(filter(None, _APART.split(shortened_part(number))))
    if len(parts) < 2 or not all(map(_NUMBER.fullmatch, parts[1:])):
        return (*path, shortened_part(number))
    if len(parts) <= len(path):
        return (*path, parts[-1])
    same = all(
        one == other or not (_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other))
        for one, other in zip(path, parts, strict=False)
    )
    return path + parts[len(path) :] if same else parts


def _next(line: str) -> str:
    """The number after that of a line, "57" after "56" or "55-56"."""
    if line.isascii() and line.isdigit():
        return str(int(line) + 1)
    digits = re.findall(r"\d+", line)
    return str(int(digits[-1]) + 1) if digits else "1"


def _arabic(number: str) -> str | None:
    """A Roman number in digits; None for anything else."""
    if not _ROMAN.fullmatch(number.upper()):
        return None
    values = [_VALUES[letter] for letter in number.upper()]
    following = [*values[1:], 0]
    signed = (v if v >= after else -v for v, after in zip(values, following, strict=True))
    return str(sum(signed))
