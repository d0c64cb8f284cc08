"""`Paper`: what a page prints, read back from the PDF: its text, and the rows of its passages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pypdfium2

from tests.browser.window import Window

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

MARGIN = 14 / 25.4 * 72  # of a sheet on the left and on the right, in points
NUMBER = 12 / 25.4 * 72  # the column with the numbers of the rows
FOOT = 44.0  # the lower margin


@dataclass(frozen=True)
class Row:
    """A row of passages: the sheet it is on, from 0, its number, and the words on both sides."""

    page: int
    number: str
    left: str
    right: str


class Paper:
    """The printed pages of a window.

    Attributes:
        pages: the text of each.
    """

    def __init__(self, window: Window, **options: Any) -> None:
        self._pdf = pypdfium2.PdfDocument(window.page.pdf(**{"format": "A4", **options}))
        try:
            self.pages = [page.get_textpage().get_text_range() for page in self._pdf]
            self.rows = [
                row for number, page in enumerate(self._pdf) for row in _rows(number, page)
            ]
            self.cut = [found for page in self._pdf for found in _beyond(page)]
        finally:
            self._pdf.close()

    @property
    def text(self) -> str:
        return "\n".join(self.pages)

    @property
    def words(self) -> str:
        """All text in one line."""
        return " ".join(self.text.split())


def _rows(number: int, page: PdfPage) -> Iterator[Row]:
    """The rows whose numbers are in the first column, from top to bottom."""
    text, (width, _) = page.get_textpage(), page.get_size()
    middle = MARGIN + NUMBER + (width - 2 * MARGIN - NUMBER) / 2
    heads: list[tuple[float, str]] = []
    for at in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(at)
        if left > MARGIN + 1 or right > MARGIN + NUMBER:
            continue
        words = text.get_text_bounded(MARGIN - 1, bottom, MARGIN + NUMBER, top).strip()
        if re.fullmatch(r"R?\d+(\.\d+)?", words):
            heads.append((top, words))
    for (top, name), (next_top, _) in pairwise([*heads, (FOOT, "")]):
        columns = ((MARGIN + NUMBER, middle), (middle, width - MARGIN))
        cells = [" ".join(text.get_text_bounded(left, next_top + 1, right, top + 4).split())
                 for left, right in columns]  # fmt: skip
        yield Row(number, name, *cells)


def _beyond(page: PdfPage) -> Iterator[str]:
    """What is not within the sheet."""
    text, (width, height) = page.get_textpage(), page.get_size()
    for at in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(at)
        if left < 0 or bottom < 0 or right > width or top > height:
            yield text.get_text_bounded(left, bottom, right, top)
