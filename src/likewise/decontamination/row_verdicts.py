"""Which rows of the training files are kept, cut or annotated, as `write_rows` asks for it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.decontamination.contamination import Contamination, ItemHit

ANNOTATIONS = ("kept", "benchmarks", "benchmark_items", "benchmark_share", "benchmark_run")


def annotation_schema() -> pa.Schema:
    """What action="annotate" adds to every row."""
    import pyarrow as pa

    kinds: Any = [pa.bool_(), pa.string(), pa.int64(), pa.float64(), pa.int64()]
    return pa.schema(list(zip(ANNOTATIONS, kinds, strict=True)))


@dataclass(frozen=True, slots=True)
class RowNote:
    """What is annotated about a row with hits: their benchmarks, how many items, and the largest
    share and the longest run of one."""

    benchmarks: str
    items: int
    share: float
    run: int

    @classmethod
    def of(cls, hits: Sequence[ItemHit]) -> RowNote:
        """The note on a row with these hits; templates are none."""
        return cls(
            ", ".join(sorted({hit.benchmark for hit in hits})),
            len(hits),
            max(hit.share for hit in hits),
            max(hit.run for hit in hits),
        )


def row_notes(found: Contamination) -> dict[int, RowNote]:
    """By row, what its hits come to."""
    of: dict[int, list[ItemHit]] = {}
    for hit in found.hits:
        if hit.verdict == "hit":
            of.setdefault(hit.row, []).append(hit)
    return {row: RowNote.of(hits) for row, hits in of.items()}


class RowVerdicts:
    """Rows by file; those of all files are counted together as they were searched.

    `removed` and `notes` are by the numbers of all rows.
    """

    def __init__(
        self, counts: Sequence[int], removed: Sequence[int], notes: Mapping[int, RowNote]
    ) -> None:
        self._counts = counts
        self._starts = [0, *np.cumsum(counts).tolist()]
        self._removed = sorted(removed)
        self._notes = notes

    def count(self, file: int) -> int:
        return self._counts[file]

    def kept(self, file: int, start: int, stop: int) -> NDArray[np.bool_]:
        first = self._starts[file] + start
        kept = np.ones(stop - start, bool)
        begin = bisect_left(self._removed, first)
        end = bisect_left(self._removed, self._starts[file] + stop)
        kept[np.array(self._removed[begin:end], np.int64) - first] = False
        return kept

    def schema(self, file: int) -> pa.Schema:
        return annotation_schema()

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        import pyarrow as pa

        first = self._starts[file]
        rows = [self._notes.get(first + row) for row in range(start, stop)]
        columns: list[Any] = [
            [row is None for row in rows],
            [row and row.benchmarks for row in rows],
            [row.items if row else 0 for row in rows],
            [row and row.share for row in rows],
            [row and row.run for row in rows],
        ]
        schema = annotation_schema()
        arrays = [pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


class CutVerdicts(RowVerdicts):
    """The same with other texts for some rows, by the numbers of all rows: also `RowEdits`."""

    def __init__(
        self, counts: Sequence[int], removed: Sequence[int], texts: Mapping[int, str]
    ) -> None:
        super().__init__(counts, removed, {})
        self._texts = texts
        self._rows = np.array(sorted(texts), np.int64)

    def rows(self, file: int, start: int, stop: int) -> NDArray[np.int64]:
        first = self._starts[file]
        begin, end = np.searchsorted(self._rows, (first + start, first + stop))
        rows: NDArray[np.int64] = self._rows[begin:end] - first
        return rows

    def edited(self, file: int, rows: NDArray[np.int64], texts: Sequence[str]) -> list[str]:
        return [self._texts[row] for row in (rows + self._starts[file]).tolist()]
