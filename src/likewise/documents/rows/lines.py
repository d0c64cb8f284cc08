"""One row a line of plain text. A blank line is an empty text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.documents.lines import read_lines
from likewise.documents.rows.batch import RowBatch, RowTexts

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from likewise.documents.rows.file import RowFile
    from likewise.documents.rows.reading import RowReading


def open_table(file: RowFile, reading: RowReading) -> None:
    """There is nothing to find out."""


def read_rows(file: RowFile, reading: RowReading) -> Iterator[RowBatch]:
    """Yield the lines."""
    first = 0
    for piece in read_lines(file.origin, reading):
        yield RowBatch(file.number, first, piece.texts)
        first += len(piece.texts)


def gather_rows(file: RowFile, rows: NDArray[np.int64], reading: RowReading) -> Iterator[RowTexts]:
    """Yield some lines again."""
    import numpy as np

    done = 0
    for batch in read_rows(file, reading):
        stop = int(np.searchsorted(rows, batch.first + len(batch)))
        if stop > done:
            some = rows[done:stop]
            yield RowTexts(file.number, some, batch.texts.take(some - batch.first))
            done = stop
        if done == len(rows):
            return


def check_table(file: RowFile, reading: RowReading) -> None:
    """Raise if not every line can be read."""
    for _ in read_rows(file, reading):
        pass
