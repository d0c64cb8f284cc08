"""`Lines`: paragraphs, and tables row by row, as lines of text."""

from __future__ import annotations


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

    def open_paragraph(self) -> None:
        self._paragraphs.append([])

    def close_paragraph(self) -> None:
        self._lines[-1].append("".join(self._paragraphs.pop()))

    def open_row(self) -> None:
        self._rows.append([])

    def close_row(self) -> None:
        self._lines[-1].append("\t".join(self._rows.pop()))

    def open_cell(self) -> None:
        self._lines.append([])

    def close_cell(self) -> None:
        cell = " ".join(filter(None, self._lines.pop()))
        if self._rows:
            self._rows[-1].append(cell)
        else:  # a cell without a row: the file is odd, its text is not
            self._lines[-1].append(cell)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines[0])
