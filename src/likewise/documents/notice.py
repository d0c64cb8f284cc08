"""`Skipped` and `Note`: what reading has to tell besides the documents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

MAX_ALIKE = 5
"""Notes that say the same of more files than these become one line."""
# Counts, quotations and plurals; not the digits of a name such as cp1252 or utf-8.
_DIFFERENT = re.compile(r"(?<![\w-])[\d,.]+|“.*”|s\b")


@dataclass(frozen=True)
class Skipped:
    """A document (or a file found in a folder) that was left out.

    Attributes:
        source: the file, as the user would recognise it.
        place: "line 17" (lines from 1, as editors count) or "row 16" (rows from 0, as ids count);
            empty when the file is the document.
        reason: why, in a few words.
    """

    source: str
    place: str
    reason: str

    def __str__(self) -> str:
        return f"{f'{self.source} {self.place}'.rstrip()}: {self.reason}"


@dataclass(frozen=True)
class Note:
    """A choice made for the user that may not be the one meant."""

    source: str
    message: str

    def __str__(self) -> str:
        return f"{self.source}: {self.message}"


def note_lines(notes: Iterable[Note]) -> list[str]:
    """Return notes as lines in order; what is said of many files is said once, with an example."""
    alike: dict[str, list[Note]] = {}
    for note in notes:
        alike.setdefault(_DIFFERENT.sub("", note.message), []).append(note)
    lines: list[str] = []
    for some in alike.values():
        files = len({note.source for note in some})
        if files > MAX_ALIKE:
            lines.append(f"{files:,} files, such as {some[0]}")
        else:
            lines.extend(map(str, some))
    return lines
