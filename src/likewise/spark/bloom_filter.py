"""A Bloom filter of bounded size: which rows may be wanted, known before they are moved.

A join moves both of its sides, and one side of the join that fetches texts is all texts. With a
filter of the wanted rows on every executor nearly all others stay where they are. It has at most
`MAX_BITS`; where there are too many documents for it, there is none, and the join does the work.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame
from pyspark.sql.pandas.functions import pandas_udf

from likewise.arrays import U8
from likewise.spark.arrow import Batches, map_arrow, whole_groups

MAX_BITS = 1 << 29  # 64 MiB
MIN_BITS = 1 << 16
BITS_EACH = 12  # at which one row in 160 is let through in vain
MIN_BITS_EACH = 3  # at which every third is
PROBES = 4
BLOCK = 1 << 16  # bytes


def bloom_filter(wanted: DataFrame, count: int, key: Column) -> Callable[[Column], Column] | None:
    """Whether a key (a whole number) may be one of the wanted ones, as a function of a column.

    None where there are too many of them.
    """
    bits = MIN_BITS
    while bits < min(count * BITS_EACH, MAX_BITS):
        bits *= 2
    if bits < count * MIN_BITS_EACH:
        return None
    keys = wanted.select(key.alias("key"))
    blocks = map_arrow(keys, _Fill(bits), "block int, bits binary")
    together = blocks.repartition("block").sortWithinPartitions("block")
    filled = np.zeros(bits // 8, np.uint8)
    # Each block once, and no more of them than the filter has.
    for row in map_arrow(together, _merge, "block int, bits binary").collect():
        begin = row["block"] * BLOCK
        filled[begin : begin + len(row["bits"])] = np.frombuffer(row["bits"], np.uint8)
    shared: Any = wanted.sparkSession.sparkContext.broadcast(filled)

    import pandas as pd

    def passes(keys: Any) -> Any:
        bits_ = shared.value
        places = _places(keys.to_numpy(np.int64), 8 * len(bits_))
        found = (bits_[places >> np.uint64(3)] >> (places & np.uint64(7)).astype(np.uint8)) & 1
        return pd.Series(found.all(axis=0))

    # Hints that Spark reads to know what the function takes; pandas has come to be imported by it.
    passes.__annotations__ = {"keys": pd.Series, "return": pd.Series}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        make: Any = pandas_udf
        made: Callable[[Column], Column] = make(passes, "boolean")
    return made


def _places(keys: NDArray[np.int64], bits: int) -> NDArray[np.uint64]:
    """The bits of each key, [probes, n]: two halves of its hash, one added again and again."""
    hashes = keys.view(np.uint64)
    first, step = hashes & np.uint64(0xFFFFFFFF), hashes >> np.uint64(32) | np.uint64(1)
    probes = np.arange(PROBES, dtype=np.uint64)[:, None]
    return (first + probes * step) & np.uint64(bits - 1)


@dataclass(frozen=True)
class _Fill:
    """The bits of some keys, in the blocks that have any."""

    bits: int

    def __call__(self, batches: Batches) -> Batches:
        filled = np.zeros(self.bits // 8, np.uint8)
        for batch in batches:
            places = _places(np.asarray(batch.column("key")), self.bits).reshape(-1)
            bit = np.uint8(1) << (places & np.uint64(7)).astype(np.uint8)
            np.bitwise_or.at(filled, places >> np.uint64(3), bit)
        for number, begin in enumerate(range(0, len(filled), BLOCK)):
            block = filled[begin : begin + BLOCK]
            if block.any():
                yield _block(number, block)


def _merge(batches: Batches) -> Batches:
    """The same block of several tasks as one."""
    for table in whole_groups(batches, "block"):
        merged: dict[int, U8] = {}
        columns: Any = (table.column(name).to_pylist() for name in ("block", "bits"))
        for number, bits in zip(*columns, strict=True):
            block = np.frombuffer(bits, np.uint8)
            merged[number] = merged[number] | block if number in merged else block
        for number, block in merged.items():
            yield _block(number, block)


def _block(number: int, bits: U8) -> pa.RecordBatch:
    columns: dict[str, Any] = {
        "block": pa.array([number], pa.int32()),
        "bits": pa.array([bits.tobytes()], pa.binary()),
    }
    return pa.record_batch(columns)
