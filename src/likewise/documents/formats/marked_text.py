"""`MarkedText`: a text put together line by line, with its references and pages."""

from __future__ import annotations

import re

from likewise.documents.formats.outline import without_lone_paragraphs
from likewise.documents.references import MAX_MARKS, Parts, References, Scheme

_HYPHENS = ("-", "¬", "\N{HYPHEN}", "\N{SOFT HYPHEN}")
_BLANKS = re.compile(r"[ \t\r\n\f]{2,}|[\t\r\n\f]")  # that are more than a single one


class MarkedText:
    """Gathers words; blanks run together, and lines begin and end where they are told to.

    A mark is at the next word that is added. Of several marks before it the last one counts, so
    that a verse without words leaves none.

    Attributes:
        length: of the text so far, in characters.
        marks: offset and reference of each mark so far, and the reference in a text of sections.
        full: there were more marks than are kept.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.length = 0
        self.marks: list[tuple[int, Parts, Parts]] = []
        self.full = False
        self._pending: tuple[Parts, Parts] | None = None
        self._pages: list[int] = []
        self._pages_pending = 0
        self._early: int | None = None
        self._waits = False
        self._blank = False  # before the next word
        self._glued = False  # to the next word
        self._in_line = False

    def add(self, text: str) -> None:
        """Add words to the line that is open."""
        if text.isspace():  # most texts of a file that is laid out
            self._blank = not self._glued
            return
        words = _BLANKS.sub(" ", text)
        if self._glued:
            words = words.lstrip(" ")
            self._glued = not words
        elif words[:1] == " ":
            self._blank = True
            words = words[1:]
        if not words:
            return
        if self._blank and self._in_line:
            self._put(" ")
        self._blank = words[-1] == " "
        self._settle()
        self._put(words[:-1] if self._blank else words)
        self._in_line = True

    def end_line(self) -> None:
        """End the line that is open, if it has words."""
        if self._in_line:
            self._put("\n")
        self._in_line = self._blank = self._glued = False

    def join(self) -> None:
        """The next letters go on with the last word, without the hyphen and blanks between."""
        if self._in_line and self._parts[-1][-1:] in _HYPHENS:
            self._parts[-1] = self._parts[-1][:-1]
            self.length -= 1
        self._blank, self._glued = False, self._in_line

    def tab(self) -> None:
        """What follows is in the next cell of a row."""
        if self._in_line:
            self._put("\t")
            self._blank = False

    def mark(self, parts: Parts, in_sections: Parts | None = None) -> None:
        """The next word has this reference, or another one if the text has sections only."""
        self._pending = parts, parts if in_sections is None else in_sections

    def wait(self) -> None:
        """What follows belongs to the mark after it: the name of a speaker, to his first line."""
        self._waits, self._early = True, None

    def stop_waiting(self) -> None:
        self._waits, self._early = False, None

    def page(self) -> None:
        """A page begins at the next word."""
        self._pages_pending += 1

    def rename(self, parts: Parts, in_sections: Parts, start: int) -> None:
        """Change the last mark, if it is not before `start`, or the one that is to come."""
        if self._pending is not None:
            self._pending = parts, in_sections
        elif self.marks and self.marks[-1][0] >= start:
            self.marks[-1] = self.marks[-1][0], parts, in_sections

    def text(self) -> str:
        self.end_line()
        return "".join(self._parts)

    def references(self, scheme: Scheme) -> References | None:
        in_sections = scheme == "sections"
        marks = ((at, other if in_sections else parts) for at, parts, other in self.marks)
        return References.of(scheme, without_lone_paragraphs(marks))

    def page_starts(self) -> tuple[int, ...] | None:
        """Where pages begin; None where there are none."""
        if not self._pages and not self._pages_pending:
            return None
        starts = self._pages + [self.length] * self._pages_pending
        return tuple(starts) if starts[0] == 0 else (0, *starts)

    def _settle(self) -> None:
        """Put the marks before a word."""
        if self._waits and self._early is None:
            self._early = self.length
        if self._pages_pending:
            self._pages += [self.length] * self._pages_pending
            self._pages_pending = 0
        if self._pending is None:
            return
        at = self.length if self._early is None else self._early
        self.stop_waiting()
        parts, self._pending = self._pending, None
        if len(self.marks) >= MAX_MARKS:
            self.full = True
            parts = (), ()
        if not self.marks or self.marks[-1][1:] != parts:
            self.marks.append((at, *parts))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)
