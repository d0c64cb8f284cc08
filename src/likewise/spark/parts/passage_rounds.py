"""Passages that occur several times: all but one are cut, in rounds until none is left.

::

    documents ─→ fingerprints ─→ windows whose fingerprint is repeated ─→ equal windows
        ↑                                                                      │
        └── ranges of characters ←── words to cut ←── documents that share them┘
                                    (each component of them in one task)

Which of equal windows is left depends on what was left of the documents before, and on no document
that is connected with none of these: so each component is decided on by itself, in the order of
keeping, by the choice of the local engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from likewise import _core
from likewise.dedup.parts.cuts import Cuts, without
from likewise.dedup.parts.passages import cut_characters, fingerprints_of
from likewise.dedup.parts.source import present
from likewise.documents.texts import sound_array, text_array
from likewise.spark.arrow import (
    Batches,
    flat_lists,
    list_column,
    map_arrow,
    parts_of,
    whole_groups,
)
from likewise.spark.columns import ID, ID_TEXT, TEXT, VALUE
from likewise.spark.connected_components import IN_ONE_TASK, components
from likewise.spark.numbering import numbered
from likewise.spark.scan import order_column
from likewise.spark.steps import only_row
from likewise.text.inputs import from_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.dedup.parts.settings import PartSettings
    from likewise.spark.columns import Columns
    from likewise.spark.tables import Tables

_REMOVED = pa.list_(pa.list_(pa.int64()))
_MIN_FILTER_BITS, _BITS_PER_HASH = 16, 16


class PassageRounds:
    """A search for repeated passages.

    Attributes:
        documents: number (by the order of keeping), id, text, and what is removed so far.
        rounds: how often they were searched.
        words: how many they had at first.
    """

    def __init__(
        self,
        df: DataFrame,
        columns: Columns,
        settings: PartSettings,
        tables: Tables,
        in_one_task: int = IN_ONE_TASK,
    ) -> None:
        self._settings = settings
        self._tables = tables
        self._in_one_task = in_one_task
        self.rounds = self.words = 0
        ordered = _ordered(df, columns, settings).orderBy("order")
        rows = numbered(ordered, tables, "ordered").select("number", "id", "text", "removed")
        self.documents = tables.keep(rows, "documents-0")

    def run(self) -> DataFrame:
        """What is cut: id, kept, removed, removed_words and removed_parts of changed documents."""
        tables = self._tables
        first = words = self._fingerprints()
        self.words = only_row(first.agg(fn.sum("words")))[0]
        while self._cut(words):
            words = self._fingerprints()
            tables.drop(f"documents-{self.rounds - 2}")
            if self.rounds > 2:
                tables.drop(f"fingerprints-{self.rounds - 1}")
        at_first = first.select("number", fn.col("words").alias("all_words"))
        gone = fn.col("all_words") - fn.col("words")
        return (
            self.documents.where("removed IS NOT NULL")
            .join(at_first, "number")
            .join(words.select("number", "words"), "number")
            .select(
                "id",
                (fn.col("words") > 0).alias("kept"),
                "removed",
                gone.alias("removed_words"),
                fn.size("removed").cast("long").alias("removed_parts"),
            )
        )

    def _fingerprints(self) -> DataFrame:
        """Of each document its fingerprints, and how many words are left of it."""
        self.rounds += 1
        schema = "number long, words long, hashes array<long>"
        found = map_arrow(self.documents, _Fingerprints(self._settings), schema)
        return self._tables.keep(found, f"fingerprints-{self.rounds}")

    def _cut(self, fingerprints: DataFrame) -> bool:
        """Cuts what is repeated; whether there was anything."""
        tables, settings = self._tables, self._settings
        hashes = fingerprints.select("number", fn.explode("hashes").alias("hash"))
        repeated = hashes.groupBy("hash").count().where("count > 1").select("hash")
        wanted = hashes.join(repeated, "hash").groupBy("number").agg(
            fn.collect_set("hash").alias("hashes")
        )  # fmt: skip
        windows = map_arrow(
            self.documents.join(wanted, "number"), _Windows(settings),
            "number long, first int, low long, high long",
        )  # fmt: skip
        windows = tables.keep(windows, "windows")
        groups = windows.groupBy("low", "high").agg(
            fn.count(fn.lit(1)).alias("count"), fn.min("number").alias("root")
        )
        equal = windows.join(groups.where("count > 1").drop("count"), ["low", "high"])
        equal = tables.keep(equal, "equal-windows")
        runs = map_arrow(
            self._by_component(equal), _Choose(settings.min_words),
            "number long, first int, last int",
        )  # fmt: skip
        chosen = runs.groupBy("number").agg(
            fn.collect_list(fn.struct("first", "last")).alias("chosen")
        )
        cut = tables.keep(
            map_arrow(
                self.documents.join(chosen, "number"), _Cut(settings),
                "number long, removed array<array<long>>",
            ),
            "cut",
        )  # fmt: skip
        any_cut = cut.limit(1).count() > 0
        if any_cut:
            now = cut.withColumnRenamed("removed", "now")
            removed = fn.coalesce("now", "removed").alias("removed")
            rows = self.documents.join(now, "number", "left").select(
                "number", "id", "text", removed
            )
            self.documents = tables.keep(rows, f"documents-{self.rounds}")
            self.documents.count()
        tables.drop("windows", "equal-windows", "clusters", "cut")
        return any_cut

    def _by_component(self, equal: DataFrame) -> DataFrame:
        """The windows of documents that are connected by equal ones together, in their order."""
        ends = equal.where("root < number").select(
            _name("root").alias("a"), _name("number").alias("b")
        )
        pairs = self._tables.keep(ends.distinct(), "connected")
        found, _ = components(pairs, pairs.count(), self._tables, in_one_task=self._in_one_task)
        name = _name("number")
        return (
            equal.withColumn("name", name)
            .join(found, fn.col("name") == fn.col("digest"), "left")
            .withColumn("cluster", fn.coalesce("cluster", "name"))
            .select("cluster", "number", "first", "low", "high")
            .repartition("cluster")
            .sortWithinPartitions("cluster", "number", "first")
        )


def _name(number: str) -> Any:
    """A number as 16 bytes in the same order."""
    return fn.unhex(fn.lpad(fn.hex(fn.col(number)), 32, "0"))


def _ordered(df: DataFrame, columns: Columns, settings: PartSettings) -> DataFrame:
    """Rows (id, order, text, removed), nothing of which is removed yet."""
    wanted = [ID, ID_TEXT, *([VALUE] if settings.keep.column is not None else [])]
    rows = columns.rows(df, settings.keep.column).select(*wanted, fn.col(TEXT).alias("text"))
    kind = columns.id_type.simpleString()
    schema = f"id {kind}, order binary, text string, removed array<array<long>>"
    return map_arrow(rows, _Order(settings), schema)


@dataclass(frozen=True)
class _Order:
    settings: PartSettings

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            texts = present(sound_array(batch.column("text"))[0])
            columns: dict[str, Any] = {
                "id": batch.column(ID),
                "order": order_column(self.settings.keep, batch, texts),
                "text": texts.cast(pa.string()),
                "removed": pa.nulls(batch.num_rows, _REMOVED),
            }
            yield pa.record_batch(columns)


def _left(batch: pa.RecordBatch) -> list[str]:
    """What is left of the texts so far."""
    columns: Any = batch.column("text").to_pylist(), batch.column("removed").to_pylist()
    return [
        text if removed is None else without(text, removed)
        for text, removed in zip(*columns, strict=True)
    ]


@dataclass(frozen=True)
class _Fingerprints:
    settings: PartSettings

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part in parts_of(batch):
                own = [fingerprints_of(text_array([t]), self.settings) for t in _left(part)]
                hashes = [one[0] for one in own]
                offsets = np.concatenate([[0], np.cumsum([len(one) for one in hashes])])
                values = np.concatenate([np.zeros(0, np.uint64), *hashes]).view(np.int64)
                columns: dict[str, Any] = {
                    "number": part.column("number"),
                    "words": pa.array([int(one[1][0]) for one in own], pa.int64()),
                    "hashes": list_column(offsets, pa.array(values)),
                }
                yield pa.record_batch(columns)


@dataclass(frozen=True)
class _Windows:
    """Runs of words whose fingerprint comes more than once, with their digests."""

    settings: PartSettings

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part in parts_of(batch):
                yield self._windows(part)

    def _windows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        lists: Any = batch.column("hashes")
        hashes = np.asarray(lists.flatten()).view(np.uint64)
        bits = max(_MIN_FILTER_BITS, (len(hashes) * _BITS_PER_HASH).bit_length())
        repeated = _core.HashFilter(bits=bits)
        repeated.add(np.ascontiguousarray(hashes))
        rows, first, low, high = _core.digest_windows(
            from_arrow(text_array(_left(batch))), repeated, words=self.settings.min_words,
            shingle=self.settings.shingle, threads=1,
        )  # fmt: skip
        numbers: Any = batch.column("number")
        columns: dict[str, Any] = {
            "number": numbers.take(pa.array(rows)),
            "first": pa.array(first.view(np.int32)),
            "low": pa.array(low.view(np.int64)),
            "high": pa.array(high.view(np.int64)),
        }
        return pa.record_batch(columns)


@dataclass(frozen=True)
class _Choose:
    """Windows of whole components, in the order of keeping, to runs of words that are cut."""

    min_words: int

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "cluster"):
            numbers = np.asarray(table.column("number"))
            digests = np.stack([np.asarray(table.column(name)) for name in ("low", "high")], axis=1)
            documents, texts = np.unique(numbers, return_inverse=True)
            _, groups = np.unique(digests, axis=0, return_inverse=True)
            choice = _core.WindowChoice(words=self.min_words)
            own, first, last = choice.cut(
                texts.reshape(-1).astype(np.uint32),
                np.asarray(table.column("first")).astype(np.uint32),
                groups.reshape(-1).astype(np.uint64),
            )
            columns: dict[str, Any] = {
                "number": pa.array(documents[own]),
                "first": pa.array(first.view(np.int32)),
                "last": pa.array(last.view(np.int32)),
            }
            yield pa.record_batch(columns)


@dataclass(frozen=True)
class _Cut:
    """Documents with runs of words to all that is then removed of them; those alone of which
    something more is."""

    settings: PartSettings

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part in parts_of(batch):
                yield self._cut(part)

    def _cut(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        texts: Any = batch.column("text").to_pylist()
        earlier: Any = batch.column("removed").to_pylist()
        owners, (first, last) = flat_lists(batch.column("chosen"))
        order = np.lexsort((first, owners))
        rows, ranges = cut_characters(
            texts, earlier, owners[order], first[order], last[order], self.settings
        )
        before = [(row, cut) for row, cuts in enumerate(earlier) for cut in cuts or ()]
        known = Cuts(
            np.array([row for row, _ in before], np.uint32),
            np.array([cut for _, cut in before], np.uint32).reshape(-1, 2),
        )
        merged = known.merged(Cuts(rows, ranges)).by_document()
        changed = np.unique(rows).tolist()
        columns: dict[str, Any] = {
            "number": batch.column("number").take(pa.array(changed, pa.int64())),
            "removed": pa.array([merged[row] for row in changed], _REMOVED),
        }
        return pa.record_batch(columns)
