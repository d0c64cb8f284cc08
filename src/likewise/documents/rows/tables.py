"""What every kind of table can do: one line for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.documents.rows import delimited, jsonl, lines, parquet, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from likewise.documents.rows.batch import RowBatch, RowTexts
    from likewise.documents.rows.file import RowFile
    from likewise.documents.rows.reading import RowReading


@dataclass(frozen=True)
class Kind:
    """How files of a kind are read.

    Attributes:
        open: finds the columns, and what else can be known before reading.
        read: gives all rows in order, in batches of any size, none for a file without rows.
        gather: gives some rows again.
        check: raises if not every row can be read, with all that belongs to it.
    """

    open: Callable[[RowFile, RowReading], None]
    read: Callable[[RowFile, RowReading], Iterator[RowBatch]]
    gather: Callable[[RowFile, NDArray[np.int64], RowReading], Iterator[RowTexts]]
    check: Callable[[RowFile, RowReading], None]


KINDS: Mapping[str, Kind] = {
    "parquet": Kind(
        parquet.open_table, parquet.read_rows, parquet.gather_rows, parquet.check_table
    ),
    "jsonl": Kind(jsonl.open_table, jsonl.read_rows, jsonl.gather_rows, jsonl.check_table),
    "csv": Kind(
        delimited.open_table, delimited.read_rows, delimited.gather_rows, delimited.check_table
    ),
    "tsv": Kind(
        delimited.open_table, delimited.read_rows, delimited.gather_rows, delimited.check_table
    ),
    "lines": Kind(lines.open_table, lines.read_rows, lines.gather_rows, lines.check_table),
    "documents": Kind(whole.open_files, whole.read_rows, whole.gather_rows, whole.check_files),
}
