"""What is written of each document: its new text, or its annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likewise.dedup.parts.cuts import without
from likewise.dedup.parts.result import ranges_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.arrays import U32
    from likewise.dedup.files.row_map import RowMap
    from likewise.dedup.parts.cuts import Cuts

COLUMNS = ("kept", "removed")


def annotation_schema() -> pa.Schema:
    """What --annotate adds to every row."""
    import pyarrow as pa

    return pa.schema(list(zip(COLUMNS, (pa.bool_(), ranges_type()), strict=True)))


class PartVerdicts:
    """Which documents are kept: all but those of which nothing is left."""

    def __init__(self, row_map: RowMap, cuts: Cuts, dropped: U32) -> None:
        self._row_map = row_map
        self._cuts = cuts
        self._dropped = dropped

    def count(self, file: int) -> int:
        return self._row_map.counts[file]

    def kept(self, file: int, start: int, stop: int) -> NDArray[np.bool_]:
        first = int(self._row_map.starts[file])
        stop = min(stop, self.count(file))
        kept = np.ones(max(0, stop - start), np.bool_)
        begin, end = np.searchsorted(self._dropped, [first + start, first + stop])
        kept[self._dropped[begin:end].astype(np.int64) - first - start] = False
        return kept

    def schema(self, file: int) -> pa.Schema:
        return annotation_schema()

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        import pyarrow as pa

        first = int(self._row_map.starts[file])
        kept = self.kept(file, start, stop)
        removed = self._cuts.of(first + start, first + start + len(kept)).by_document()
        ranges = [removed.get(first + row, []) for row in range(start, start + len(kept))]
        columns = [pa.array(kept), pa.array(ranges, ranges_type())]
        return pa.RecordBatch.from_arrays(columns, schema=annotation_schema())


class CutEdits:
    """The texts of documents from which something is cut."""

    def __init__(self, row_map: RowMap, cuts: Cuts, dropped: U32) -> None:
        self._row_map = row_map
        self._cuts = cuts
        self._dropped = dropped

    def rows(self, file: int, start: int, stop: int) -> NDArray[np.int64]:
        first = int(self._row_map.starts[file])
        documents = np.unique(self._cuts.of(first + start, first + stop).documents)
        return np.setdiff1d(documents, self._dropped).astype(np.int64) - first

    def edited(self, file: int, rows: NDArray[np.int64], texts: Sequence[str]) -> list[str]:
        first = int(self._row_map.starts[file])
        own = self._cuts.of(first + int(rows[0]), first + int(rows[-1]) + 1).by_document()
        return [
            without(text, own[first + row]) for row, text in zip(rows.tolist(), texts, strict=True)
        ]
