"""Pairs of documents as single numbers, `a << 32 | b`, which sort by a and then by b."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import U32, U64


def pack(a: NDArray[np.integer[Any]], b: NDArray[np.integer[Any]]) -> U64:
    return a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)


def unpack(pairs: U64) -> tuple[U32, U32]:
    return (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)
