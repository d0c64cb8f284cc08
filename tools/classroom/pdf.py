"""`pdf_of`: an essay as PDF, with a title page, running header and footer, and broken words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.classroom.essay import Essay, text_of
from tools.make_sample_pdfs import broken, document, escaped, stream

WIDTH, LINES = 88, 46  # letters in a line, lines on a page
_LEFT, _TOP, _LEADING = 72, 750, 15
_FONTS = (
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>",
)


@dataclass(frozen=True)
class _Line:
    text: str
    font: str = "F"
    points: int = 11


def pdf_of(essay: Essay) -> bytes:
    """The file; the same bytes for the same essay."""
    author, *others = map(text_of, essay.title_page)
    first = [_Line(author)] if others else [_Line(author, "B", 18)]
    if others:
        date, title, *assignment = others
        first += [_Line(date), _Line(""), _Line(title, "B", 16), _Line("")]
        first += _lines(assignment)
    pages = [first, *_pages(_lines([text_of(paragraph) for paragraph in essay.body]))]
    objects = [b"", b"", *_FONTS]
    kids = []
    for number, page in enumerate(pages, 1):
        kids.append(b"%d 0 R" % (len(objects) + 1))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F 3 0 R /B 4 0 R >> >> >>" % (len(objects) + 2)
        )
        objects.append(stream(_drawn(page, essay.header, f"Page {number} of {len(pages)}")))
    return document(objects, kids)


def _lines(paragraphs: Sequence[str]) -> list[_Line]:
    """Lines of paragraphs, with a blank line behind each."""
    return [_Line(line) for text in paragraphs for line in (*broken(text, WIDTH), "")]


def _pages(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Full pages; a word is not broken from one page to the next."""
    pages: list[list[_Line]] = [[]]
    for line in lines:
        if len(pages[-1]) >= (LINES - 1 if line.text.endswith("-") else LINES):
            pages.append([])
        if line.text or pages[-1]:  # no page begins with a blank line
            pages[-1].append(line)
    return [page for page in pages if page]


def _drawn(page: Sequence[_Line], header: str, footer: str) -> bytes:
    drawn = b"BT /F 9 Tf %d 800 Td (%s) Tj ET " % (_LEFT, escaped(header))
    y = _TOP
    for line in page:
        if line.text:
            drawn += b"BT /%s %d Tf %d %d Td (%s) Tj ET " % (
                line.font.encode(), line.points, _LEFT, y, escaped(line.text),
            )  # fmt: skip
        y -= _LEADING
    return drawn + b"BT /F 9 Tf 270 40 Td (%s) Tj ET" % escaped(footer)
