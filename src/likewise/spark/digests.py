"""Digests between the core, where they are two numbers, and Spark, where they are 16 bytes.

The bytes are big-endian, so that Spark's order of them is the order of unique documents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.sketches.fixed_binary import from_fixed_binary, to_fixed_binary

WIDTH = 16


def to_bytes(digests: NDArray[np.uint64]) -> pa.Array[Any]:
    """Digests [n, 2] as an Arrow column of 16 bytes each."""
    return to_fixed_binary(digests.astype(">u8"))


def to_numbers(column: pa.Array[Any]) -> NDArray[np.uint64]:
    """A column of 16 bytes each, without nulls, as digests [n, 2]."""
    return from_fixed_binary(column.cast(pa.binary(WIDTH)), ">u8").astype(np.uint64)
