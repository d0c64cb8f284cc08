"""Files that are one document each: a row per file. One that gives no text is a bad row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.documents.batch import RowBatch
from likewise.documents.extraction.prefetch import look_ahead
from likewise.documents.tables.table import Table
from likewise.documents.texts import text_array_with_nulls
from likewise.errors import DocumentError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from likewise.documents.origin import Origin
    from likewise.documents.reading import Reading


class Documents(Table):
    """Neighbouring documents of a folder: a folder of a million texts is not a million tables."""

    def __init__(self, origins: Sequence[Origin], reading: Reading, number: int = 0) -> None:
        super().__init__(origins, reading, number)
        self.kind = "documents"
        self.count = len(origins)

    def read(self) -> Iterator[RowBatch]:
        return self._read(range(len(self.origins)))

    def gather(self, rows: NDArray[np.int64]) -> Iterator[RowBatch]:
        return self._read(rows.tolist())

    def check(self) -> None:
        """Documents are bad one by one, and never as a whole."""

    def _read(self, rows: Sequence[int]) -> Iterator[RowBatch]:
        items = look_ahead([self.origins[row] for row in rows], self.reading)
        done = 0
        for at, item in enumerate(items):
            row = rows[at]
            texts = text_array_with_nulls([None])
            bad: dict[int, str] = {}
            try:
                for batch in item.read():
                    texts = batch.texts
            except DocumentError as error:
                if self.reading.alone:
                    raise SourceError(str(error), hint=error.hint) from error
                bad[row] = error.reason
            except SourceError as error:
                if not self.reading.skip_bad:
                    raise
                bad[row] = str(error).removeprefix(f"{item.document.name}: ")
            done += item.origin.size or 0
            self.reading.position = done
            yield RowBatch(rows[at : at + 1], texts, bad=bad, file=self.number)
