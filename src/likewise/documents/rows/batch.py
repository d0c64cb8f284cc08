"""`RowBatch` and `RowTexts`: rows of one file, with their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RowBatch:
    """Consecutive rows of one file, each of them, whether it has a text or not.

    Attributes:
        file: the number of the file, as in `RowSource.files`.
        first: the number of the first row, from 0.
        texts: valid UTF-8; null where a row has no text: its column is null, the line is blank, or
            the row cannot be read.
        ids: the id column as strings (null where there is none), or None where the file has no id
            column. An id may come twice. Their order is that of `search.order.id_key`.
        values: the further column that was asked for, or None where none was. All batches of a
            source have the same type: int64, float64 or large_string; times are int64 and NaN is
            null. Larger is later in Arrow's order, strings by code points.
    """

    file: int
    first: int
    texts: pa.LargeStringArray
    ids: pa.LargeStringArray | None = None
    values: pa.Array[Any] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def rows(self) -> range:
        """The numbers of the rows."""
        return range(self.first, self.first + len(self.texts))


@dataclass(frozen=True, eq=False)
class RowTexts:
    """Some rows of one file, read again.

    Attributes:
        file: the number of the file.
        rows: the numbers of the rows, ascending.
        texts: as in `RowBatch`.
    """

    file: int
    rows: NDArray[np.int64]
    texts: pa.LargeStringArray
