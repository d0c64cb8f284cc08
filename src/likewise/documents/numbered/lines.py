"""Lines: numbers at the beginning or the end of lines of verse, every one or every fifth.

Lines between two numbers are counted. A number at the end is set off by two blanks or a tab. Acts,
scenes, books and cantos are lines of their own ("ACT III. SCENE 1"), from which numbers begin anew.
Names of speakers and stage directions are not counted, where they would be too many: lines in
capitals, in brackets, or of a single word and a full stop.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from likewise.documents.numbered.headings import Heading, find_headings
from likewise.documents.references import Parts, References

_FIRST = re.compile(r"\s*[\[(]?(\d{1,5})[\]).]?\s+(?=\S)")
_LAST = re.compile(r"(?:[ \t]{2,}|\t)[\[(]?(\d{1,5})[\])]?[ \t]*$")
_MAX_STEP = 100  # from a number to the next
_BRACKETED = re.compile(r"\[.*\]|\(.*\)")
_NAME = re.compile(r"[^\W\d_]+\.")


@dataclass
class _Line:
    """A line that has words: where it begins, its number if it is known, and whether it may be the
    name of a speaker or a stage direction."""

    start: int
    number: int | None
    is_aside: bool


def read_lines(text: str) -> tuple[str, References | None]:
    """Return the text without the numbers of its lines, and the references."""
    reader = _Reader()
    parts = [reader.take(line) for line in text.split("\n")]
    reader.end_section()
    return "\n".join(parts), References.of("lines", reader.marks) if reader.has_numbers else None


class _Reader:
    def __init__(self) -> None:
        self.marks: list[tuple[int, Parts]] = []
        self.has_numbers = False
        self._length = 0
        self._path: list[Heading] = []
        self._lines: list[_Line] = []
        self._last = 0
        self._start = 0  # of the section

    def take(self, line: str) -> str:
        """Read a line; returns it without its number."""
        if headings := find_headings(line):
            self.end_section()
            for heading in headings:
                self._path = [one for one in self._path if one.level < heading.level]
                self._path.append(heading)
        else:
            number, line = self._without_number(line)
            if line.strip():
                self._lines.append(_Line(self._length, number, _is_aside(line.strip())))
        self._length += len(line) + 1
        return line

    def end_section(self) -> None:
        """Number the lines since the last heading."""
        path = tuple(heading.number for heading in self._path)
        self.marks.append((self._start, path))
        known = [at for at, line in enumerate(self._lines) if line.number is not None]
        if known:
            self.has_numbers = True
            counted = self._counted(known)
            first = self._lines[known[0]].number or 0
            number = first - counted[: known[0]].count(True) - 1
            for line, counts in zip(self._lines, counted, strict=True):
                number = number + counts if line.number is None else line.number
                own = number if counts else number + 1  # a name belongs to the line after it
                self.marks.append((line.start, (*path, str(own)) if own > 0 else path))
        self._lines, self._last, self._start = [], 0, self._length

    def _counted(self, known: list[int]) -> list[bool]:
        """Which lines are verses; `known` are those with numbers."""
        counted = [True] * len(self._lines)
        has_asides = False
        for before, after in pairwise([-1, *known]):
            first = self._lines[before].number or 0 if before >= 0 else 0
            step = (self._lines[after].number or 0) - first
            if after - before > step or (before < 0 and after + 1 < step):
                for at in range(before + 1, after):
                    counted[at] = not self._lines[at].is_aside
                    has_asides = has_asides or not counted[at]
        for at in range(known[-1] + 1, len(self._lines)):
            counted[at] = not (has_asides and self._lines[at].is_aside)
        return counted

    def _without_number(self, line: str) -> tuple[int | None, str]:
        for pattern in (_LAST, _FIRST):
            found = pattern.search(line) if pattern is _LAST else pattern.match(line)
            if found is None or not self._last < int(found[1]) <= self._last + _MAX_STEP:
                continue
            rest = line[: found.start()] + line[found.end() :]
            if rest.strip():
                self._last = int(found[1])
                return self._last, rest
        return None, line


def _is_aside(line: str) -> bool:
    """Whether a line has no lower-case letters, is in brackets, or is a single word with a stop."""
    is_capitals = line.upper() == line and line.lower() != line
    return is_capitals or bool(_BRACKETED.fullmatch(line) or _NAME.fullmatch(line))
