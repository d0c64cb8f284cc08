"""Paragraphs and lines that occur several times: all but the first are cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from likewise.dedup.parts.cuts import Cuts
from likewise.dedup.parts.repeated_parts import find_parts
from likewise.dedup.parts.source import present
from likewise.documents.texts import sound_array
from likewise.spark.arrow import Batches, flat_lists, list_column, map_arrow, parts_of
from likewise.spark.columns import ID, ID_TEXT, TEXT, VALUE
from likewise.spark.scan import order_column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.dedup.parts.settings import PartSettings
    from likewise.spark.columns import Columns
    from likewise.spark.tables import Tables

_FIELDS = ("low", "high", "begin", "end", "words")


def scan_parts(df: DataFrame, columns: Columns, settings: PartSettings) -> DataFrame:
    """For each row id, order, words (all of them), and the parts that are long enough."""
    rows = columns.rows(df, settings.keep.column)
    wanted = [ID, ID_TEXT, *([VALUE] if settings.keep.column is not None else [])]
    rows = rows.select(*wanted, fn.col(TEXT).alias("text"))
    schema = (
        f"id {columns.id_type.simpleString()}, order binary, words long, "
        "parts array<struct<low: long, high: long, begin: int, end: int, words: int>>"
    )
    return map_arrow(rows, _Scan(settings), schema)


def find_repetitions(
    scanned: DataFrame, settings: PartSettings, tables: Tables
) -> tuple[DataFrame, DataFrame]:
    """What is cut, and what is repeated.

    The first has a row for each document that is changed: id, kept, removed (ranges),
    removed_words and removed_parts. The second one for each part: count, and the `first` of them.
    """
    parts = scanned.select("id", "order", fn.explode("parts").alias("part"))
    parts = parts.select("id", "order", "part.*")
    first = fn.min(fn.struct("order", "begin", "id", "end", "words")).alias("first")
    repeated = tables.keep(
        parts.groupBy("low", "high")
        .agg(fn.count(fn.lit(1)).alias("count"), first)
        .where(fn.col("count") >= settings.min_count),
        "repeated",
    )
    is_first = (fn.col("order") == fn.col("first.order")) & (
        fn.col("begin") == fn.col("first.begin")
    )
    cuts = (
        parts.join(repeated, ["low", "high"])
        .where(~is_first)
        .groupBy("id")
        .agg(
            fn.collect_list(fn.struct("begin", "end")).alias("cuts"),
            fn.sum("words").alias("removed_words"),
            fn.count(fn.lit(1)).alias("removed_parts"),
        )
        .join(scanned.select("id", "words"), "id")
        .select(
            "id", (fn.col("words") > fn.col("removed_words")).alias("kept"), "cuts",
            "removed_words", "removed_parts",
        )
    )  # fmt: skip
    kind = scanned.schema["id"].dataType.simpleString()
    schema = (
        f"id {kind}, kept boolean, removed array<array<long>>, removed_words long, "
        "removed_parts long"
    )
    return map_arrow(cuts, _merged, schema), repeated


@dataclass(frozen=True)
class _Scan:
    settings: PartSettings

    def __call__(self, batches: Batches) -> Batches:
        return (self._scan(part) for batch in batches for part in parts_of(batch))

    def _scan(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        texts = present(sound_array(batch.column("text"))[0])
        parts, words = find_parts(texts, 0, self.settings)
        parts = parts[np.argsort(parts["document"], kind="stable")]
        offsets = np.searchsorted(parts["document"], np.arange(batch.num_rows + 1))
        fields: list[Any] = [
            pa.array(np.ascontiguousarray(parts[name]).view(kind))
            for name, kind in zip(_FIELDS, ("i8", "i8", "i4", "i4", "i4"), strict=True)
        ]
        lists = list_column(offsets, pa.StructArray.from_arrays(fields, list(_FIELDS)))
        columns: dict[str, Any] = {
            "id": batch.column(ID),
            "order": order_column(self.settings.keep, batch, texts),
            "words": pa.array(words.astype(np.int64)),
            "parts": lists,
        }
        return pa.record_batch(columns)


def _merged(batches: Batches) -> Batches:
    """Rows with ranges in any order to rows with those in order; what touches is one range."""
    for batch in batches:
        if not batch.num_rows:
            continue
        owners, edges = flat_lists(batch.column("cuts"))
        merged = Cuts.none().merged(Cuts(owners, np.stack(edges, axis=1))).by_document()
        columns: dict[str, Any] = {name: batch.column(name) for name in batch.schema.names}
        removed = [merged[row] for row in range(batch.num_rows)]
        columns["removed"] = pa.array(removed, pa.list_(pa.list_(pa.int64())))
        del columns["cuts"]
        order = ("id", "kept", "removed", "removed_words", "removed_parts")
        yield pa.record_batch({name: columns[name] for name in order})
