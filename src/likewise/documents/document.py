"""`Document`: a text with places, references and metadata; `Places`: where characters are."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from likewise.documents.references import Reference, References

FIELDS = ("title", "author", "date", "group")  # of the metadata that are shown


class Hidden(NamedTuple):
    """Text that is in a document and that nobody who reads it sees.

    Attributes:
        offset: in the text that is seen, where it stood; in code points.
        text: its first 200 characters.
        why: "white", "tiny", "transparent", "invisible" (drawn by no means at all, or marked as
            hidden) or "outside the page".
        length: how many characters it has.
    """

    offset: int
    text: str
    why: str
    length: int


class _PageAndLine(NamedTuple):
    page: int | None
    line: int


class Place(_PageAndLine):
    """Where a character stood: page (None where there are none) and line in it, both from 1.

    `reference` is chapter and verse, act and line, or section and paragraph; None where the text
    has none. It is no part of the pair that a place is: `page, line = document.place(0)`.
    """

    reference: Reference | None

    def __new__(cls, page: int | None, line: int, reference: Reference | None = None) -> Place:
        place = super().__new__(cls, page, line)
        place.reference = reference
        return place

    def __str__(self) -> str:
        if self.reference is not None:
            return str(self.reference) + ("" if self.page is None else f", page {self.page}")
        return f"line {self.line}" if self.page is None else f"page {self.page}, line {self.line}"


class Places:
    """Page, line and reference of any offset in a text.

    Args:
        text: as it was read; offsets are in its code points.
        page_starts, references: as in `Document`.

    A line ends with "\\n"; its end belongs to it. The offset behind the last character is
    allowed, as the end of a passage.
    """

    def __init__(
        self,
        text: str,
        page_starts: Sequence[int] | None = None,
        references: References | None = None,
    ) -> None:
        self._length = len(text)
        self._references = references
        self._ends = [found.start() for found in re.finditer("\n", text)]
        self._page_starts = page_starts

    def at(self, offset: int) -> Place:
        """Return the place of the character at `offset`; raise `IndexError` outside the text."""
        if not 0 <= offset <= self._length:
            raise IndexError(f"offset {offset} in a text of {self._length} characters")
        reference = None if self._references is None else self._references.at(offset)
        lines_before = bisect_left(self._ends, offset)
        if not self._page_starts:
            return Place(None, lines_before + 1, reference)
        page = bisect_right(self._page_starts, offset)
        start = self._page_starts[page - 1]
        return Place(page, lines_before - bisect_left(self._ends, start) + 1, reference)


@dataclass(frozen=True)
class Document:
    """One document, as it is read, searched and shown.

    Attributes:
        text: lines end with "\\n"; no lone surrogates.
        page_starts: the offsets, in code points, at which pages begin, from 0 on; a page without
            text begins where the next one does. None for formats without pages.
        notes: what the user should hear of.
        hidden: what was left out of the text because it is not seen, in order, as far as it is
            kept (`hidden_text.MAX_KEPT`); the notes count all of it.
        id: what the user calls it; a parser does not know it.
        metadata: of which `FIELDS` are shown.
        references: chapter and verse, act and line, or section and paragraph; None for a text
            without such numbers or headings.
    """

    text: str
    page_starts: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    id: str = ""
    metadata: Mapping[str, Any] | None = None
    references: References | None = None

    @cached_property
    def known(self) -> dict[str, str]:
        """Those of title, author, date and group that are known."""
        described = describe(self.metadata)
        return {name: value for name, value in described.items() if value is not None}

    def described(self) -> dict[str, str | None]:
        """Its id, and title, author, date and group, each None if it is not known."""
        return {"id": self.id} | describe(self.metadata)

    @cached_property
    def _places(self) -> Places:
        return Places(self.text, self.page_starts, self.references)

    def place(self, offset: int) -> Place:
        """Page, line and reference of a character."""
        return self._places.at(offset)

    def reference(self, start: int, end: int) -> str:
        """The references of a range of characters, "Mt 3,7–10"; "" where there are none."""
        return "" if self.references is None else self.references.between(start, end)


def describe(metadata: Mapping[str, Any] | None) -> dict[str, str | None]:
    """Title, author, date and group, each None if it is not known."""
    values = {name: (metadata or {}).get(name) for name in FIELDS}
    return {name: None if value is None else str(value) for name, value in values.items()}


def join_pages(pages: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """Return one text, each page that has some ended by a line's end, and where pages begin."""
    ended = [page if not page or page.endswith("\n") else page + "\n" for page in pages]
    starts: list[int] = []
    length = 0
    for page in ended:
        starts.append(length)
        length += len(page)
    return "".join(ended), tuple(starts)
