"""Rows of numbers as Arrow columns of values that have a fixed number of bytes, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


def to_fixed_binary(rows: NDArray[Any], valid: NDArray[np.bool_] | None = None) -> pa.Array[Any]:
    """Rows [n, k] as a column of n values; null where they are not valid."""
    import pyarrow

    pa: Any = pyarrow
    kind = pa.binary(rows.shape[1] * rows.itemsize)
    mask = None if valid is None else pa.py_buffer(np.packbits(valid, bitorder="little"))
    data = pa.py_buffer(np.ascontiguousarray(rows))
    made: pyarrow.Array[Any] = pa.Array.from_buffers(kind, len(rows), [mask, data])
    return made


def from_fixed_binary(column: Any, kind: Any) -> NDArray[Any]:
    """A column without nulls as rows [n, k] of numbers of a kind."""
    width = column.type.byte_width
    if len(column) == 0:
        return np.zeros((0, width // np.dtype(kind).itemsize), kind)
    data = np.frombuffer(column.buffers()[1], np.uint8)
    own = data[column.offset * width : (column.offset + len(column)) * width]
    rows: NDArray[Any] = own.view(kind).reshape(len(column), -1)
    return rows
