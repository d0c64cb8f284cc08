"""PDF, page by page.

PDFium puts a mark (U+0002, or U+FFFE) in the place of a hyphen at a line's end and of the line's
end itself. The halves are joined, and the line ends behind the joined word: words are whole, and
lines can still be counted.

Limitations: text in the order in which the file draws it, which is nearly always that of reading;
form fields, annotations and text outside the page are left out; a real hyphen at a line's end
("self-explanatory") goes, unless a capital or a digit follows it.
"""

from __future__ import annotations

import re

from likewise.documents.extracted import Extracted, join_pages
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
    try:
        read = [_read_page(document, number) for number in range(len(document))]
    finally:
        document.close()
    pages = [page or "" for page in read]
    text, starts = join_pages(pages)
    if not text.strip():
        raise UnreadableError("no text: scanned pages?" if pages else "no pages")
    return Extracted(text, starts, tuple(_notes(read)))


def _explain(message: str) -> UnreadableError:
    if "password" in message.lower():
        return UnreadableError(ENCRYPTED)
    if "security" in message.lower():
        return UnreadableError("encrypted in a way that is not known")
    return UnreadableError(DAMAGED)


def _read_page(document: object, number: int) -> str | None:
    """Return the text of a page, None if it is damaged."""
    import pypdfium2

    try:
        page = document[number]  # type: ignore[index]
        content = page.get_textpage()
        text: str = content.get_text_bounded()
        if not text and content.count_chars():  # the page's own size is wrong
            text = content.get_text_range(0, content.count_chars())
    except pypdfium2.PdfiumError:
        return None
    content.close()
    page.close()
    return join_halves(_CONTROL.sub("", re.sub("\r\n?", "\n", text)))


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
