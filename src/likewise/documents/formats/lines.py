"""`Lines`: paragraphs, and tables row by row, as lines of text."""

from __future__ import annotations

from itertools import accumulate

# Names of elements in OOXML and in OpenDocument.
_PARAGRAPHS = frozenset(("p", "h"))
_ROWS = frozenset(("tr", "table-row"))
_CELLS = frozenset(("tc", "table-cell"))


class Lines:
    """Gathers the text of a word processor's document.

    A paragraph is a line. A row of a table is a line too, its cells between tabs, and the
    paragraphs of a cell between blanks. A paragraph inside another one (a text box) comes before
    that, a table inside a cell is part of the cell.
    """

    def __init__(self) -> None:
        self._lines: list[list[str]] = [[]]  # of the document, and of each open cell
        self._rows: list[list[str]] = []
        self._paragraphs: list[list[str]] = []

    def add(self, text: str) -> None:
        """Add to the paragraph that is open; text outside any is layout of the file."""
        if self._paragraphs:
            self._paragraphs[-1].append(text)

    def open(self, name: str) -> None:
        """Begin a paragraph, row or cell, if an element of this name is one."""
        if name in _PARAGRAPHS:
            self._paragraphs.append([])
        elif name in _ROWS:
            self._rows.append([])
        elif name in _CELLS:
            self._lines.append([])

    def close(self, name: str) -> None:
        """End what `open` began."""
        if name in _PARAGRAPHS:
            self._lines[-1].append("".join(self._paragraphs.pop()))
        elif name in _ROWS:
            self._lines[-1].append("\t".join(self._rows.pop()))
        elif name in _CELLS:
            cell = " ".join(filter(None, self._lines.pop()))
            # A cell without a row: the file is odd, its text is not.
            (self._rows or self._lines)[-1].append(cell)

    @property
    def count(self) -> int:
        """How many lines there are so far, without those of cells that are open."""
        return len(self._lines[0])

    def line(self, number: int) -> str:
        """One of these lines, from 0."""
        return self._lines[0][number]

    def starts(self) -> list[int]:
        """Where each line begins in the text, and where the text ends."""
        return list(accumulate((len(line) + 1 for line in self._lines[0]), initial=0))

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines[0])
