"""Rows numbered in the order of their ids, without moving their texts more than a sort does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from likewise.dedup.order import order_keys
from likewise.dedup.settings import Keep
from likewise.documents.texts import sound_array
from likewise.spark.arrow import Batches, map_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.spark.tables import Tables

_PART_BITS = 33  # of `monotonically_increasing_id`, below the number of the partition


def schema_of(own: str, rows: DataFrame, *without: str) -> str:
    """The columns of some rows, and others in place of some of them."""
    kept = (
        f"{field.name} {field.dataType.simpleString()}"
        for field in rows.schema.fields
        if field.name not in without
    )
    return ", ".join([*kept, own])


def with_order(batches: Batches) -> Batches:
    """Ids as bytes that sort as the ids do."""
    for batch in batches:
        keys = order_keys(Keep("first"), {"id": sound_array(batch.column("key"))[0]})
        columns: dict[str, Any] = {
            name: batch.column(name) for name in batch.schema.names if name != "key"
        }
        yield pa.record_batch(columns | {"key": keys.cast(pa.binary())})


def numbered(ordered: DataFrame, tables: Tables, name: str) -> DataFrame:
    """The rows of a sorted table with their `number`, from 0."""
    # The number of a partition and the place in it: final once the table is stored.
    placed = tables.keep(ordered.withColumn("place", fn.monotonically_increasing_id()), name)
    part = fn.shiftright("place", _PART_BITS)
    counts = {row[0]: row[1] for row in placed.groupBy(part).count().collect()}
    begins: dict[int, int] = {}
    total = 0
    for number in sorted(counts):
        begins[number] = total
        total += counts[number]
    return map_arrow(placed, _Number(begins), schema_of("number long", placed, "place"))


@dataclass(frozen=True)
class _Number:
    begins: Mapping[int, int]  # the number of the first row of each partition

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            places = np.asarray(batch.column("place"))
            begins = [self.begins[part] for part in (places >> _PART_BITS).tolist()]
            numbers = np.array(begins, np.int64) + (places & ((1 << _PART_BITS) - 1))
            columns: dict[str, Any] = {
                name: batch.column(name) for name in batch.schema.names if name != "place"
            }
            yield pa.record_batch(columns | {"number": pa.array(numbers)})
