"""Digests between the core, where they are two numbers, and Spark, where they are 16 bytes.

The bytes are big-endian, so that Spark's order of them is the order of unique documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = pa.Array[Any]

WIDTH = 16


def to_bytes(digests: NDArray[np.uint64]) -> Array:
    """Digests [n, 2] as an Arrow column of 16 bytes each."""
    data = pa.py_buffer(np.ascontiguousarray(digests).astype(">u8").tobytes())
    return cast("Array", pa.Array.from_buffers(pa.binary(WIDTH), len(digests), [None, data]))


def to_numbers(column: Array) -> NDArray[np.uint64]:
    """A column of 16 bytes each, without nulls, as digests [n, 2]."""
    fixed = column if pa.types.is_fixed_size_binary(column.type) else column.cast(pa.binary(WIDTH))
    if len(fixed) == 0:
        return np.zeros((0, 2), np.uint64)
    data: Any = fixed.buffers()[1]
    rows = np.frombuffer(data, ">u8").reshape(-1, 2)[fixed.offset : fixed.offset + len(fixed)]
    numbers: NDArray[np.uint64] = rows.astype(np.uint64)
    return numbers
