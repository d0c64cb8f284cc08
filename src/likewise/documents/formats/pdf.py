"""PDF, page by page.

PDFium puts a mark (U+0002, or U+FFFE) in the place of a hyphen at a line's end and of the line's
end itself. The halves are joined, and the line ends behind the joined word: words are whole, and
lines can still be counted.

Text that nobody sees is excluded and reported (see `hidden_characters`), unless there is hardly any
other on its page; so are running headers, footers and page numbers (see `running_lines`). Values of
form fields come after the text of their page.

Limitations: text in the order in which the file draws it, which is nearly always that of reading;
annotations and text outside the page are left out; a real hyphen at a line's end
("self-explanatory") goes, unless a capital or a digit follows it.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator
from typing import Any

from likewise.documents.document import Document, join_pages
from likewise.documents.formats.form_fields import open_forms, read_fields
from likewise.documents.formats.hidden_characters import Drawing, Unseen, find_unseen
from likewise.documents.formats.running_lines import EDGE_LINES, Page, describe, find_running
from likewise.documents.hidden_text import INVISIBLE, Hiding, is_marked, without_marks
from likewise.documents.unreadable import DAMAGED, ENCRYPTED, UnreadableError

_CUT = "\0"  # marks the end of a line, while halves are joined
_MARKED_END = re.compile("(?<=\\w)[\ufffe\x02] *\n?")
_CONTROL = re.compile("[\0\x01\x03-\x08\x0b-\x1f]")  # from fonts without names for their letters
_MARK = re.compile("[\ufffe\x02]")
_LINE_END = re.compile("\r\n?|\n|[\ufffe\x02](?<=\\w.) *(?:\r\n?|\n)?")


def extract_pdf(data: bytes) -> Document:
    """Return the text of a PDF; raise `UnreadableError` if it is encrypted, damaged or scanned."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)  # which tries the empty password
    except pypdfium2.PdfiumError as error:
        raise _explain(str(error)) from error
    reader = _PageReader(document)
    try:
        read = [reader.read(number) for number in range(len(document))]
    finally:
        document.close()
    hiding = reader.hiding
    read_pages = [page or Page([]) for page in read]
    running = find_running(read_pages)
    pages: list[str] = []
    start = 0
    for number, page in enumerate(read_pages):
        lines = [line for at, line in enumerate(page.lines) if at not in running[number]]
        pages.append(hiding.settle("\n".join((*lines, *reader.fields[number])), start))
        start += len(join_pages(pages[-1:])[0])
    text, starts = join_pages(pages)
    if not text.strip():
        raise UnreadableError("no text: scanned pages?" if pages else "no pages")
    damaged = read.count(None)
    empty = sum(not page.strip() for page in pages) - damaged
    notes = [*_notes(damaged, empty, len(pages)), *hiding.notes()]
    if running_note := describe(read_pages, running):
        notes.append(running_note)
    if hiding.kept:
        verb = "has" if hiding.kept == 1 else "have"
        notes.append(f"{hiding.kept} of {len(read)} pages {verb} only invisible text; kept")
    return Document(text, starts, tuple(notes), tuple(hiding.hidden))


def _explain(message: str) -> UnreadableError:
    if "password" in message.lower():
        return UnreadableError(ENCRYPTED)
    if "security" in message.lower():
        return UnreadableError("unsupported encryption")
    return UnreadableError(DAMAGED)


class _PageReader:
    """Reads the pages of a document, one after the other.

    Attributes:
        fields: for each page, what was filled into its form fields, as lines.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._has_forms = open_forms(document)
        self._drawing = Drawing()
        self._seen: set[tuple[str, str]] = set()
        self.hiding = Hiding()
        self.fields: list[list[str]] = []

    def read(self, number: int) -> Page | None:
        """Return the lines of a page, with marks for what is not seen; None if it is damaged."""
        import pypdfium2

        self.fields.append([])
        try:
            page = self._document[number]
            content = page.get_textpage()
            text: str = content.get_text_bounded()
            inside = len(text)
            if not text and content.count_chars():  # the page's own size is wrong
                text = content.get_text_range(0, content.count_chars())
            unseen = find_unseen(page, content, inside, self._drawing)
            parts = [text] if not unseen else list(_parts(content, unseen, self.hiding))
            lines = join_halves("".join(map(_clean, parts))).split("\n")
            if self._has_forms:
                self.fields[number] = list(self._read_fields(page))
            bottom, top = page.get_bbox()[1::2]
            found = Page(lines, _heights(page, content, text, lines, bottom), top - bottom)
        except pypdfium2.PdfiumError:
            return None
        content.close()
        page.close()
        return found

    def _read_fields(self, page: Any) -> Iterator[str]:
        for name, value, shown in read_fields(self._document, page):
            if (name, value) not in self._seen:  # one field may be on many pages
                self._seen.add((name, value))
                text = _clean(without_marks(value)).strip("\n")
                yield text if shown else self.hiding.mark(text, INVISIBLE)


def _heights(
    page: Any, content: Any, text: str, lines: list[str], bottom: float
) -> dict[int, float]:
    """Return the baselines of the first and last lines of a page, where they can be known."""
    from pypdfium2 import raw

    count = content.count_chars()
    if len(text) != count:  # some of it is outside the page
        text = content.get_text_range(0, count)
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    if len(text) != count or len(starts) != len(lines) or page.get_rotation():
        return {}
    filled = [at for at, line in enumerate(lines) if line.strip() and not is_marked(line)]
    x, y = ctypes.c_double(), ctypes.c_double()
    heights: dict[int, float] = {}
    for at in {*filled[:EDGE_LINES], *filled[-EDGE_LINES:]}:
        start = starts[at]
        while start < count - 1 and text[start].isspace():
            start += 1
        if raw.FPDFText_GetCharOrigin(content.raw, start, ctypes.byref(x), ctypes.byref(y)):
            heights[at] = y.value - bottom
    return heights


def _parts(content: Any, unseen: Iterable[Unseen], hiding: Hiding) -> Iterator[str]:
    """Yield the text of a page, with marks in the place of the characters that are not seen."""
    at = 0
    for start, end, why in (*unseen, (content.count_chars(), 0, "")):
        if start > at:
            yield without_marks(content.get_text_range(at, start - at))
        if end:
            yield hiding.mark(
                _clean(without_marks(content.get_text_range(start, end - start))), why
            )
        at = end


def _clean(text: str) -> str:
    return _CONTROL.sub("", re.sub("\r\n?", "\n", text))


def _notes(damaged: int, empty: int, pages: int) -> Iterator[str]:
    if damaged:
        yield f"{_of_pages(damaged, pages)} damaged and not read"
    if empty:
        verb = "has" if empty == 1 else "have"
        yield f"{empty} of {pages} pages {verb} no text and may be scanned"


def _of_pages(count: int, pages: int) -> str:
    return f"{count} of {pages} pages {'is' if count == 1 else 'are'}"


def join_halves(text: str) -> str:
    """Return the text of a page with words whole that a line's end cut in two.

    >>> join_halves("with a hy\\ufffephen, and so on")
    'with a hyphen,\\nand so on'
    """
    text = text.replace(_CUT, "")
    if not _MARK.search(text):
        return text
    lines = _MARK.sub("", _MARKED_END.sub(_CUT + "\n", text)).split("\n")
    for at, line in enumerate(lines):
        following = at + 1
        # More than once where a word runs over several lines.
        while line.endswith(_CUT):
            line = line[:-1]
            if following == len(lines):
                break
            head, _, lines[following] = lines[following].partition(" ")
            line = _glue(line, head)
            following += 1
        lines[at] = line
    return "\n".join(lines)


def _glue(left: str, right: str) -> str:
    # Before a capital or a digit the hyphen was one: Attribution-NonCommercial, 1914-1918.
    kept = right[:1].isdigit() or (right[:1].isupper() and left[-1:].islower())
    return f"{left}-{right}" if kept else left + right
