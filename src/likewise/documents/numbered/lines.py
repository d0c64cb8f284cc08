"""Lines: numbers at the beginning or the end of lines of verse, every one or every fifth.

Lines between two numbers are counted. A number at the end is set off by two blanks or a tab. Acts,
scenes, books and cantos are lines of their own ("ACT III. SCENE 1"), from which numbers begin anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from likewise.documents.numbered.headings import Heading, find_headings
from likewise.documents.references import Parts, References

_FIRST = re.compile(r"\s*[\[(]?(\d{1,5})[\]).]?\s+(?=\S)")
_LAST = re.compile(r"(?:[ \t]{2,}|\t)[\[(]?(\d{1,5})[\])]?[ \t]*$")
_MAX_STEP = 100  # from a number to the next


@dataclass
class _Line:
    """A line that has words: where it begins, and its number if it is known."""

    start: int
    number: int | None


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
                self._lines.append(_Line(self._length, number))
        self._length += len(line) + 1
        return line

    def end_section(self) -> None:
        """Number the lines since the last heading."""
        path = tuple(heading.number for heading in self._path)
        self.marks.append((self._start, path))
        known = [at for at, line in enumerate(self._lines) if line.number is not None]
        if known:
            self.has_numbers = True
            first = self._lines[known[0]].number or 0
            number = first - known[0] - 1
            for line in self._lines:
                number = number + 1 if line.number is None else line.number
                self.marks.append((line.start, (*path, str(number)) if number > 0 else path))
        self._lines, self._last, self._start = [], 0, self._length

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
