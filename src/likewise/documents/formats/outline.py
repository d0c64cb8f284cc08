"""`Outline`: section and paragraph of each line of a text with headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from likewise.documents.references import MAX_MARKS, Parts, References, shortened_part

_PARAGRAPH = "¶ "


class _Heading(NamedTuple):
    level: int
    title: str


class Outline:
    """Takes in headings and paragraphs in order.

    A text with a single heading, or with one above all others, has a title: it is no section. A
    text without headings has no references.
    """

    def __init__(self) -> None:
        self._open: list[_Heading] = []
        self._marks: list[tuple[int, Parts]] = []
        self._count = 0  # of paragraphs in this section
        self._headings = 0
        self._ended = False

    def heading(self, level: int, title: str, position: int) -> None:
        """A heading; 1 is the highest level. `position` is its offset, or counts lines."""
        title = shortened_part(title)
        if not title or self._ended:
            return
        while self._open and self._open[-1].level >= level:
            self._open.pop()
        self._open.append(_Heading(level, title))
        self._headings += 1
        self._count = 0
        self._mark(position)

    def paragraph(self, position: int) -> None:
        """A paragraph begins."""
        if not self._ended:
            self._count += 1
            self._mark(position, f"{_PARAGRAPH}{self._count}")

    def end(self, position: int) -> None:
        """What follows has no references, such as footnotes."""
        if not self._ended:
            self._marks.append((position, ()))
        self._ended = True

    def references(self, offsets: Sequence[int] | None = None) -> References | None:
        """The references; `offsets` are those of lines, if positions count lines."""
        if not self._headings:
            return None
        titles = {parts[0] for _, parts in self._marks if _is_in_section(parts)}
        first = next(parts for _, parts in self._marks if _is_in_section(parts))
        cut = len(titles) == 1 and (
            self._headings == 1
            or any(
                len(parts) > 1 and not parts[1].startswith(_PARAGRAPH) for _, parts in self._marks
            )
        )
        marks = (
            (position, parts[1:] if cut and parts[:1] == first[:1] else parts)
            for position, parts in self._marks
        )
        found = [
            (position if offsets is None else offsets[position], parts)
            for position, parts in without_lone_paragraphs(marks)
        ]
        return References.of("sections", found)

    def _mark(self, position: int, paragraph: str | None = None) -> None:
        if len(self._marks) >= MAX_MARKS:
            self.end(position)
            return
        parts = tuple(heading.title for heading in self._open)
        self._marks.append((position, (*parts, paragraph) if paragraph else parts))


def without_lone_paragraphs(marks: Iterable[tuple[int, Parts]]) -> list[tuple[int, Parts]]:
    """Marks without the number of a paragraph that is the only one of its section."""
    given = list(marks)
    counts = Counter(parts[:-1] for _, parts in given if _is_paragraph(parts))
    return [
        (at, parts[:-1] if _is_paragraph(parts) and counts[parts[:-1]] == 1 else parts)
        for at, parts in given
    ]


def _is_paragraph(parts: Parts) -> bool:
    """Whether a reference is that of a paragraph in a section."""
    return len(parts) > 1 and parts[-1].startswith(_PARAGRAPH)


def _is_in_section(parts: Parts) -> bool:
    return bool(parts) and not parts[0].startswith(_PARAGRAPH)
