"""One pass over the texts: of each document its digest, its place in the order, its band keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as fn

from likewise.dedup.order import order_keys
from likewise.documents.texts import sound_array
from likewise.sketches.scan import Scan
from likewise.sketches.scan import scan as scan_texts
from likewise.spark import digests
from likewise.spark.arrow import map_arrow
from likewise.spark.columns import ID, ID_TEXT, TEXT, TEXT_HASH, VALUE, Columns
from likewise.text.displayed import displayed_column
from likewise.text.inputs import from_arrow

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from likewise.dedup.settings import Keep
    from likewise.statistics.bands import Layout
    from likewise.text.profile import Profile

_compute: Any = pc


def scan(
    df: DataFrame,
    columns: Columns,
    *,
    profile: Profile,
    values: int,
    layout: Layout | None,
    keep: Keep,
) -> DataFrame:
    """For each row id, text_hash, digest, order, keys (where there is a layout), number of shingles
    and look-alike words; a row without a shingle has no digest."""
    rows = columns.rows(df, keep.column)
    schema = (
        f"id {columns.id_type.simpleString()}, text_hash long, digest binary, order binary, "
        "keys array<long>, shingles long, lookalikes long"
    )
    return map_arrow(rows, _Scan(profile, values, layout, keep), schema)


def collapse(scanned: DataFrame) -> DataFrame:
    """For each digest its band keys, its shingles, how many documents have it, and the best."""
    return (
        scanned.where("digest IS NOT NULL")
        .groupBy("digest")
        .agg(
            fn.min(fn.struct("order", "text_hash", "id")).alias("best"),
            fn.count(fn.lit(1)).alias("documents"),
            fn.first("keys").alias("keys"),  # copies have the same ones
            # One with repeats may have more of them than its copies.
            fn.min("shingles").alias("shingles"),
        )
    )


@dataclass(frozen=True)
class _Scan:
    profile: Profile
    values: int
    layout: Layout | None
    keep: Keep

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(self._scan, batches)

    def _scan(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        texts, words = compared_texts(batch.column(TEXT), self.profile)
        found = scan_texts(
            from_arrow(texts), self.profile, values=self.values, layout=self.layout, threads=1
        )
        some = pa.array(found.counts > 0)
        return pa.record_batch(
            {
                "id": batch.column(ID),
                "text_hash": batch.column(TEXT_HASH),
                "digest": only(some, digests.to_bytes(found.digests).cast(pa.binary())),
                "order": order_column(self.keep, batch, texts),
                "keys": self._keys(found, some),
                "shingles": pa.array(found.counts.astype(np.int64)),
                "lookalikes": pa.array(words),
            }
        )

    def _keys(self, found: Scan, some: pa.Array[Any]) -> pa.Array[Any]:
        if self.layout is None:
            return pa.nulls(len(some), pa.list_(pa.int64()))
        return only(some, lists(np.ascontiguousarray(found.band_keys.T).view(np.int64)))


def order_column(keep: Keep, batch: pa.RecordBatch, texts: Any) -> pa.Array[Any]:
    """The place of rows in the order of keeping, from their columns ID_TEXT and VALUE."""
    columns: dict[str, Any] = {"id": sound_array(batch.column(ID_TEXT))[0]}
    if keep.by == "longest":
        columns["length"] = _compute.utf8_length(texts)
    if keep.by == "column":
        columns["value"] = batch.column(VALUE)
    return cast("pa.Array[Any]", order_keys(keep, columns).cast(pa.binary()))


def compared_texts(
    column: pa.Array[Any], profile: Profile
) -> tuple[pa.LargeStringArray, NDArray[np.int64]]:
    """Texts as they are compared, "" for null, and the look-alike words of each."""
    texts: Any = sound_array(column)[0]
    return displayed_column(texts.fill_null("") if texts.null_count else texts, profile)


def only(mask: pa.Array[Any], column: pa.Array[Any]) -> pa.Array[Any]:
    """A column that is null where the mask is false."""
    return cast("pa.Array[Any]", _compute.if_else(mask, column, pa.scalar(None, column.type)))


def lists(rows: Any) -> pa.Array[Any]:
    """A matrix as a column of lists, one for each of its rows."""
    count, width = rows.shape
    offsets: Any = pa.array(
        np.arange(0, count * width + 1, max(width, 1), dtype=np.int32)[: count + 1]
    )
    return cast("pa.Array[Any]", pa.ListArray.from_arrays(offsets, pa.array(rows.reshape(-1))))
