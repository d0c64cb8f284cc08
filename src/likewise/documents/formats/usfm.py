"""USFM Bibles: one or more books, each from `\\id` on.

Paragraphs, lines of poetry and headings are lines of text. Footnotes, cross-references, figures,
running heads, tables of contents and alternative numbers are left out; of character styles and
their attributes only the words stay. A book is cited by its shortest name (`\\toc3`), if it has
one, else by the name that OSIS uses for its code.
"""

from __future__ import annotations

import re
from collections import Counter

from likewise.documents.document import Document
from likewise.documents.formats.bible_books import book_name
from likewise.documents.formats.marked_text import MarkedText
from likewise.documents.formats.plain_text import extract_plain_text
from likewise.documents.references import MAX_MARKS, Parts, shortened_part
from likewise.documents.unreadable import NO_TEXT, UnreadableError
from likewise.run import counted

_MARKER = re.compile(r"\\(\+?[A-Za-z]+[0-9]*(?:-[se])?)(?:(\*)|[ \t])?|\\(\*)")
_NOTES = frozenset(("f", "fe", "ef", "x", "ex"))
# With all words up to their end marker, `\fig …\fig*`.
_LEFT_OUT = _NOTES | {"fig", "ca", "va", "vp", "rq", "pro", "cat"}
# With all words of their line.
_LINES_LEFT_OUT = frozenset(
    ("ide", "sts", "rem", "h", "usfm", "cp", "cl", "r", "mr", "sr", "periph", "toca", "toc")
)
_PARAGRAPHS = frozenset(
    (
        *("p", "m", "po", "pr", "cls", "pmo", "pm", "pmc", "pmr", "pi", "mi", "nb", "pc", "ph"),
        *("b", "q", "qr", "qc", "qa", "qm", "qd", "lh", "li", "lf", "lim", "tr", "mt", "mte"),
        *("ms", "s", "sp", "d", "sd", "iex", "ip", "ipi", "im", "imi", "is", "iot", "io", "ie"),
        *("imt", "imte", "ipq", "imq", "ipr", "iq", "ib", "ili", "lit", "cd", "pb", "qs"),
    )
)
_CELLS = frozenset(("th", "thr", "tc", "tcr", "tcc", "thc"))
_NUMBER = re.compile(r"\s*(\u200f?\d[\w\u200f]{0,8}(?:[-–,][\w\u200f]{1,9}){0,3})[ \t]*")
_BETWEEN = re.compile(r"[-–,]")  # the first and the last of several verses
_WORD = re.compile(r"[^\s\\]{1,20}")
_LINE_END = re.compile(r"\n")
_LINE_END_OR_MARKER = re.compile(r"[\n\\]")
_DIGITS = re.compile(r"[0-9]+$")
_SPECIAL = str.maketrans({"~": " "})


def extract_usfm(data: bytes, encoding: str | None = None) -> Document:
    """Return the text of a Bible; raise `UnreadableError` where there is none."""
    plain = extract_plain_text(data, encoding)
    reader = _Reader(plain.text)
    reader.read()
    text = reader.words.text()
    if not text.strip():
        raise UnreadableError(NO_TEXT)
    return Document(
        text,
        notes=(*plain.notes, *reader.notes()),
        references=reader.words.references("verses"),
    )


class _Reader:
    def __init__(self, source: str) -> None:
        self.words = MarkedText()
        self._source = source.removeprefix("\ufeff")
        self._at = 0
        self._book: Parts = ()
        self._chapter: Parts = ()
        self._attributed = 0  # open markers whose words may have attributes
        self._left_out: Counter[str] = Counter()

    def read(self) -> None:
        """Read all of the source, from marker to marker."""
        for found in iter(self._next_marker, None):
            self._add(self._source[self._at : found.start()])
            self._at = found.end()
            if found[3]:  # the end of a milestone
                continue
            self._take(found[1].lstrip("+"), closes=found[2] is not None)
        self._add(self._source[self._at :])

    def notes(self) -> list[str]:
        """What the user should hear of."""
        notes = []
        if count := sum(self._left_out.values()):
            notes.append(f"{counted(count, 'note')} excluded")
        if self.words.full:
            notes.append(f"more than {MAX_MARKS:,} verses; places after them have lines only")
        return notes

    def _next_marker(self) -> re.Match[str] | None:
        return _MARKER.search(self._source, self._at)

    def _take(self, marker: str, *, closes: bool) -> None:
        name = _DIGITS.sub("", marker)
        if closes:
            self._attributed = max(0, self._attributed - 1)
        elif name == "id":
            self._begin_book()
        elif marker == "toc3":
            if short := shortened_part(self._rest_of_line()):
                self._go_to_book(short)
        elif name in _LINES_LEFT_OUT:
            self._rest_of_line(markers=name in ("r", "mr", "sr"))
        elif name in _LEFT_OUT:
            self._skip_to_end(marker)
        elif name in ("c", "v"):
            self._number(name, marker[1:])
        elif marker.endswith(("-s", "-e")):
            self._skip_milestone()
        elif name in _PARAGRAPHS:
            self._attributed = 0
            self.words.end_line()
        elif name in _CELLS:
            self.words.tab()
        else:
            self._attributed += 1

    def _begin_book(self) -> None:
        code = _WORD.match(self._source, self._at)
        self._rest_of_line()
        self.words.end_line()
        self._attributed = 0
        self._go_to_book(book_name(shortened_part(code[0])) if code else "")

    def _go_to_book(self, name: str) -> None:
        self._book = self._chapter = (name,) if name else ()
        self.words.mark(self._book)

    def _number(self, name: str, written: str) -> None:
        """A chapter or a verse begins; its number may be written next to the marker, `\\v2`."""
        number = written
        if not number:
            found = _NUMBER.match(self._source, self._at)
            if found is None:
                return
            self._at = found.end()
            numbers = _BETWEEN.split(found[1].replace("\u200f", ""))
            number = numbers[0] if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        if name == "c":
            self.words.end_line()
            self._chapter = (*self._book, number)
            self.words.mark(self._chapter)
        else:
            self.words.add(" ")
            self.words.mark((*self._chapter, number))

    def _add(self, text: str) -> None:
        if self._attributed and "|" in text:
            text = text.partition("|")[0]
        self.words.add(text.replace("//", " ").translate(_SPECIAL))

    def _rest_of_line(self, *, markers: bool = False) -> str:
        """Go to the end of the line, or to the next marker unless markers are part of the rest."""
        found = (_LINE_END if markers else _LINE_END_OR_MARKER).search(self._source, self._at)
        start, self._at = self._at, len(self._source) if found is None else found.start()
        return self._source[start : self._at]

    def _skip_to_end(self, marker: str) -> None:
        """Go behind the end of a note; one that never ends goes to the next paragraph."""
        self._left_out[marker] += marker in _NOTES
        stop = _NEXT_PARAGRAPH.search(self._source, self._at)
        limit = len(self._source) if stop is None else stop.start()
        # Only that far: a file of notes that never end would be read again for each of them.
        end = self._source.find(f"\\{marker}*", self._at, limit)
        self._at = limit if end < 0 else end + len(marker) + 2

    def _skip_milestone(self) -> None:
        line = self._source.find("\n", self._at)
        limit = len(self._source) if line < 0 else line
        end = self._source.find("\\*", self._at, limit)
        self._at = self._at if end < 0 else end + 2


_NEXT_PARAGRAPH = re.compile(r"\\(?:id|c|p|m|q[0-9]?|s[0-9]?|v)[ \t\r\n]")
