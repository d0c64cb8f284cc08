"""Verses: lines that begin with "Mt 3,7", "3:7", or "7" below a line "Chapter 3" or "Matthew 3".

A verse goes on until the next one; a verse with chapter and colon may also begin within a line, if
it is the one that is due. The book is what stands before the numbers, or the line that stands alone
above the first verse of a chapter 1. Lines that say nothing but the chapter are taken out, as the
numbers are.
"""

from __future__ import annotations

import re

from likewise.documents.numbered.headings import find_headings
from likewise.documents.references import Parts, References, shortened_part

_BOOK = r"(?:[1-4][. ]{0,2})?[^\W\d_]+\.?(?: [^\W\d_]+\.?){0,4}"
_VERSE = r"\d{1,3}[a-z]?(?:[-–]\d{1,3}[a-z]?)?"
_FULL = re.compile(
    rf"\s*[\[({{]?(?:(?P<book>{_BOOK})\s+)?(?P<chapter>\d{{1,3}})\s?[:.,]\s?(?P<verse>{_VERSE})"
    r"[\])}.:]?(?:\s+|$)"
)
_SHORT = re.compile(rf"\s*[\[({{]?(?P<verse>{_VERSE})[\])}}.:]?(?:\s+|$)")
_WITHIN = re.compile(r"(?<=\s)(\d{1,3}):(\d{1,3})\s+")
_CHAPTER_OF = re.compile(rf"\s*(?P<book>{_BOOK})\s+(?P<chapter>\d{{1,3}})\.?\s*")
_MAX_BOOK = 80  # characters
_MAX_GAP = 3  # verses that an edition may lack


def read_verses(text: str) -> tuple[str, References | None]:
    """Return the text without the numbers of verses, and the references."""
    reader = _Reader()
    for line in text.split("\n"):
        reader.take(line)
    made = "".join(reader.parts)[:-1]  # the end of line after the text was ours
    return made, References.of("verses", (mark for mark in reader.marks if mark[0] < len(made)))


class _Reader:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.marks: list[tuple[int, Parts]] = []
        self._length = 0
        self._book: str | None = None
        self._chapter: int | None = None
        self._verse = 0
        self._title: str | None = None  # a line that stands alone
        self._lines = 0  # of the paragraph that is open

    def take(self, line: str) -> None:
        """Read a line."""
        if not line.strip():
            self._lines = 0
            self._put(line + "\n")
        elif (full := _FULL.match(line)) and self._is_verse(full):
            self._begin(full["book"], int(full["chapter"]), full["verse"])
            self._put_verse(line[full.end() :])
        elif self._is_chapter(line):
            return
        elif self._chapter is not None and (short := self._short(line)):
            self._begin(None, self._chapter, short["verse"])
            self._put_verse(line[short.end() :])
        else:
            self._lines += 1
            self._title = line.strip() if self._lines == 1 else None
            self._put_verse(line, is_verse=False)

    def _is_verse(self, found: re.Match[str]) -> bool:
        """Whether words before a number are a book, and not the end of the verse before."""
        book = found["book"]
        if book is None or shortened_part(book) == self._book:
            return True
        is_due = (int(found["chapter"]), found["verse"]) in self._due()
        return len(book) <= _MAX_BOOK and not book[0].islower() and not is_due

    def _due(self) -> tuple[tuple[int, str], ...]:
        """The chapters and verses that may follow; none before the first."""
        if self._chapter is None or not self._verse:
            return ()
        return (self._chapter, str(self._verse + 1)), (self._chapter + 1, "1")

    def _is_chapter(self, line: str) -> bool:
        """Take in a line that begins a chapter, if this is one."""
        if headings := find_headings(line):
            self._go_to(self._book, int(headings[-1].number))
            if title := headings[-1].title:
                self._put(title + "\n")
            return True
        named = _CHAPTER_OF.fullmatch(line) if len(line) <= _MAX_BOOK else None
        if named is None:
            return False
        book, chapter = shortened_part(named["book"]), int(named["chapter"])
        follows = chapter == 1 or (book == self._book and chapter == (self._chapter or 0) + 1)
        if self._lines == 0 or follows:
            self._go_to(book, chapter)
            return True
        return False

    def _short(self, line: str) -> re.Match[str] | None:
        """The number of a verse at the beginning of a line, if one of that number is due."""
        found = _SHORT.match(line)
        if found is None:
            return None
        number = int(re.findall(r"\d+", found["verse"])[0])
        return found if self._verse < number <= self._verse + _MAX_GAP else None

    def _go_to(self, book: str | None, chapter: int) -> None:
        if chapter == 1 and book == self._book and self._title:
            book = shortened_part(self._title.rstrip(".:"))
        self._book, self._chapter, self._verse, self._title = book, chapter, 0, None
        self._mark(str(chapter))

    def _begin(self, book: str | None, chapter: int, verse: str) -> None:
        """A verse begins at the next word."""
        is_first = chapter == 1 and verse == "1" and self._verse > 0  # of another book
        if book is not None:
            self._book = shortened_part(book)
        elif chapter != self._chapter or is_first:
            self._go_to(self._book, chapter)
        self._chapter, self._lines, self._title = chapter, 2, None
        self._verse = int(re.findall(r"\d+", verse)[-1])
        self._mark(str(chapter), verse)

    def _put_verse(self, line: str, *, is_verse: bool = True) -> None:
        """Add a line, in which further verses may begin."""
        at = 0
        for found in _WITHIN.finditer(line):
            if (int(found[1]), found[2]) not in self._due():
                continue
            self._put(line[at : found.start()])
            self._begin(None, int(found[1]), found[2])
            at = found.end()
        self._put(line[at:] + "\n")

    def _mark(self, *parts: str) -> None:
        self.marks.append((self._length, (self._book, *parts) if self._book else parts))

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)
