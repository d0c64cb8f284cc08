"""PDF, page by page.

PDFium puts a mark (U+0002, or U+FFFE) in the place of a hyphen at a line's end and of the line's
end itself. The halves are joined, and the line ends behind the joined word: words are whole, and
lines can still be counted.

Text that nobody sees is left out and told of (see `unseen`), unless there is hardly any other on
its page.

Limitations: text in the order in which the file draws it, which is nearly always that of reading;
form fields, annotations and text outside the page are left out; a real hyphen at a line's end
("self-explanatory") goes, unless a capital or a digit follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from likewise.documents.extracted import Extracted, join_pages
from likewise.documents.formats.unseen import Drawing, Unseen, find_unseen
from likewise.documents.hiding import Hiding, without_marks
from likewise.documents.unreadable import DAMAGED, ENCRYPTED, UnreadableError

_CUT = "\0"  # stands for a mark at the end of a line, while halves are joined
_MARKED_END = re.compile("(?<=\\w)[\ufffe\x02] *\n?")
_CONTROL = re.compile("[\0\x01\x03-\x08\x0b-\x1f]")  # from fonts without names for their letters
_MARK = re.compile("[\ufffe\x02]")


def extract_pdf(data: bytes) -> Extracted:
    """Return the text of a PDF; raise `UnreadableError` if it is encrypted, damaged or scanned."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)  # which tries the empty password
    except pypdfium2.PdfiumError as error:
        raise _explain(str(error)) from error
    hiding, drawing = Hiding(), Drawing()
    read: list[str | None] = []
    start = 0
    try:
        for number in range(len(document)):
            page = _read_page(document, number, hiding, drawing)
            read.append(None if page is None else hiding.settle(page, start))
            start += len(join_pages([read[-1] or ""])[0])
    finally:
        document.close()
    pages = [page or "" for page in read]
    text, starts = join_pages(pages)
    if not text.strip():
        raise UnreadableError("no text: scanned pages?" if pages else "no pages")
    notes = [*_notes(read), *hiding.notes()]
    if hiding.kept:
        verb = "has" if hiding.kept == 1 else "have"
        notes.append(f"{hiding.kept} of {len(read)} pages {verb} only text that is not seen; kept")
    return Extracted(text, starts, tuple(notes), tuple(hiding.hidden))


def _explain(message: str) -> UnreadableError:
    if "password" in message.lower():
        return UnreadableError(ENCRYPTED)
    if "security" in message.lower():
        return UnreadableError("encrypted in a way that is not known")
    return UnreadableError(DAMAGED)


def _read_page(document: object, number: int, hiding: Hiding, drawing: Drawing) -> str | None:
    """Return the text of a page, with marks for what is not seen; None if it is damaged."""
    import pypdfium2

    try:
        page = document[number]  # type: ignore[index]
        content = page.get_textpage()
        text: str = content.get_text_bounded()
        inside = len(text)
        if not text and content.count_chars():  # the page's own size is wrong
            text = content.get_text_range(0, content.count_chars())
        unseen = find_unseen(page, content, inside, drawing)
        parts = [text] if not unseen else list(_parts(content, unseen, hiding))
    except pypdfium2.PdfiumError:
        return None
    content.close()
    page.close()
    return join_halves("".join(map(_clean, parts)))


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


def _notes(read: list[str | None]) -> list[str]:
    notes = []
    if damaged := read.count(None):
        notes.append(f"{_of_pages(damaged, len(read))} damaged and not read")
    if empty := sum(page is not None and not page.strip() for page in read):
        verb = "has" if empty == 1 else "have"
        notes.append(f"{empty} of {len(read)} pages {verb} no text and may be scanned")
    return notes


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
