"""Files that are one document each: a row a file. One that gives no text is a row without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.documents.extraction.prefetch import look_ahead
from likewise.documents.rows.batch import RowBatch, RowTexts
from likewise.documents.rows.texts import strings_with_nulls
from likewise.errors import DocumentError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.rows.file import RowFile
    from likewise.documents.rows.reading import RowReading


def open_files(file: RowFile, reading: RowReading) -> None:
    """Documents have no columns, and are counted already."""
    file.count = len(file.origins)


def read_rows(file: RowFile, reading: RowReading) -> Iterator[RowBatch]:
    """Yield the documents, one at a time."""
    for row, texts in _read(file, range(len(file.origins)), reading):
        yield RowBatch(file.number, row, texts)


def gather_rows(file: RowFile, rows: NDArray[np.int64], reading: RowReading) -> Iterator[RowTexts]:
    """Yield some documents again, one at a time."""
    for at, (_, texts) in enumerate(_read(file, rows.tolist(), reading)):
        yield RowTexts(file.number, rows[at : at + 1], texts)


def _read(
    file: RowFile, rows: Sequence[int], reading: RowReading
) -> Iterator[tuple[int, pa.LargeStringArray]]:
    origins = [file.origins[row] for row in rows]
    items = look_ahead(origins, reading)
    done = 0
    for row, item in zip(rows, items, strict=True):
        texts = strings_with_nulls([None])
        try:
            for piece in item.read():
                texts = piece.texts
        except DocumentError as error:
            if reading.alone:
                raise SourceError(str(error), hint=error.hint) from error
            reading.tell_bad(file, row, error.reason)
        except SourceError as error:
            if not reading.skip_bad:
                raise
            reading.tell_bad(file, row, str(error).removeprefix(f"{item.document.name}: "))
        done += item.origin.size or 0
        reading.position = done
        yield row, texts


def check_files(file: RowFile, reading: RowReading) -> None:
    """Documents are bad one by one, and never as a whole."""
