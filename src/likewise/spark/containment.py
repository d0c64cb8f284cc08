"""Candidates for containment, by shuffles: those of `likewise.search.containment`.

::

    texts → shingles ─┬→ how often each counter is hit ─┐
                      └─────────────────────────────────┴→ a row for each document: its shingles,
                                                            the rarest first
    rarest shingles of the documents to be found ─┬→ pairs that share enough of them
    all shingles but boilerplate                 ─┘

A shingle that too many documents have is never joined, so that no group of a join is larger than
`max_bucket` documents. Counters are those of the core: what is found is the same, to the pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as fn

from likewise import _core
from likewise.search.containment import count_bits
from likewise.spark.arrow import Batches, list_column, map_arrow, parts_of, whole_groups
from likewise.spark.buckets import HUBS, PART
from likewise.spark.scan import compared_texts
from likewise.text.inputs import from_arrow

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from likewise.arrays import Ints
    from likewise.dedup.settings import DedupSettings
    from likewise.spark.tables import Tables
    from likewise.text.profile import Profile

# As in core/containment.cpp.
HUB_SHINGLES = 4  # of a document that is boilerplate
_MAX_COUNTED = 65_535
_COUNTER_SHIFT = 8  # bits of a shingle below those that choose its counter
_MORE_MATCHES = 8
_REST = 4


def find_candidates(
    texts: DataFrame, shingles: int, settings: DedupSettings, tables: Tables
) -> tuple[DataFrame, DataFrame]:
    """Pairs (a, b, part) of digests where b may be in a, each once; and the digests of documents
    that consist of boilerplate.

    Args:
        texts: digest and text of the unique documents.
        shingles: about how many they have, as the local engine counts them.
    """
    documents = tables.keep(_ranked(texts, shingles, settings), "shingles")
    pairs = _sharing_rare_shingles(documents)
    boilerplate = documents.where("boilerplate").select("digest")
    if boilerplate.limit(1).count():
        pairs = pairs.unionAll(_sharing_boilerplate(documents))
    pairs = tables.keep(pairs.distinct(), "found")
    return _in_parts(pairs), boilerplate


def _ranked(texts: DataFrame, shingles: int, settings: DedupSettings) -> DataFrame:
    """A row for each document: digest, size, shingles (the rarest first), and of these `indexed`,
    the number by which it is found, of which a container has `needed`, and `known`, the number of
    those that are no boilerplate; whether it is boilerplate altogether."""
    each = map_arrow(
        texts, _Shingles(settings.profile), "digest binary, shingle long, counter long"
    )
    mask = (1 << count_bits(shingles)) - 1
    each = each.withColumn("counter", fn.col("counter").bitwiseAND(fn.lit(mask)))
    counts = each.groupBy("counter").agg(fn.least(fn.count(fn.lit(1)), fn.lit(_MAX_COUNTED)))
    counted = each.join(counts.toDF("counter", "count"), "counter")
    rows = counted.select("digest", "shingle", "count").repartition("digest")
    return map_arrow(
        rows.sortWithinPartitions("digest"),
        _Rank(settings.threshold, min(settings.max_bucket, 2**32 - 1)),
        "digest binary, size long, needed long, indexed int, known int, boilerplate boolean, "
        "shingles array<long>",
    )


def _sharing_rare_shingles(documents: DataFrame) -> DataFrame:
    entries = _exploded(documents, "indexed").select("shingle", "digest", "size", "needed")
    others = _exploded(documents, "known").select(
        "shingle", fn.col("digest").alias("container"), fn.col("size").alias("container_size")
    )
    return (
        entries.join(others, "shingle")
        .where(_MAY_CONTAIN)
        .groupBy("container", "digest")
        .agg(fn.count(fn.lit(1)).alias("shared"), fn.first("needed").alias("needed"))
        .where("shared >= needed")
        .select(fn.col("container").alias("a"), fn.col("digest").alias("b"))
    )


def _sharing_boilerplate(documents: DataFrame) -> DataFrame:
    """Documents that are boilerplate, with the largest that have some of it."""
    shingles = "slice(shingles, known + 1, {})"
    wanted = documents.where("boilerplate").select(
        fn.explode(fn.expr(shingles.format(HUB_SHINGLES))).alias("shingle"), "digest", "size"
    )
    holders = documents.select(
        fn.explode(fn.expr(shingles.format("size"))).alias("shingle"),
        fn.col("digest").alias("container"),
        fn.col("size").alias("container_size"),
    ).join(wanted.select("shingle").distinct(), "shingle", "left_semi")
    order = Window.partitionBy("shingle").orderBy(fn.desc("container_size"), "container")
    hubs = holders.withColumn("rank", fn.row_number().over(order)).where(fn.col("rank") <= HUBS)
    return (
        wanted.join(hubs.drop("rank"), "shingle")
        .where(_MAY_CONTAIN)
        .select(fn.col("container").alias("a"), fn.col("digest").alias("b"))
    )


# The larger of two, or of equally large ones that of the smaller digest.
_MAY_CONTAIN = "container_size > size OR (container_size = size AND container < digest)"


def _exploded(documents: DataFrame, count: str) -> DataFrame:
    """The first shingles of each document, one a row."""
    first = fn.explode(fn.expr(f"slice(shingles, 1, {count})"))
    return documents.where(f"{count} > 0").select(first.alias("shingle"), "*")


def _in_parts(pairs: DataFrame) -> DataFrame:
    """The same with parts: a book that contains very many documents is compared with some at a
    time, each in a task of its own."""
    parts = pairs.groupBy("a").agg(fn.ceil(fn.count(fn.lit(1)) / PART).alias("parts"))
    part = fn.pmod(fn.xxhash64("b"), fn.col("parts")).cast("int")
    return pairs.join(parts, "a").select("a", "b", part.alias("part"))


@dataclass(frozen=True)
class _Shingles:
    """The different shingles of each text, with the bits that choose a counter."""

    profile: Profile

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part in parts_of(batch):
                yield self._shingles(part)

    def _shingles(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        texts, _ = compared_texts(batch.column("text"), self.profile)
        hashes, offsets = _core.shingle_hashes(from_arrow(texts), self.profile.rules())
        hashes = hashes + (hashes == 0)  # as the core has them
        counts: Any = np.diff(offsets.astype(np.int64))
        rows = np.repeat(np.arange(len(texts)), counts)
        order = np.lexsort((hashes, rows))
        hashes, rows = hashes[order], rows[order]
        new = np.ones(len(rows), np.bool_)
        new[1:] = (hashes[1:] != hashes[:-1]) | (rows[1:] != rows[:-1])
        hashes, own = hashes[new], pa.array(rows[new])
        digests: Any = batch.column("digest")
        columns: dict[str, Any] = {
            "digest": digests.take(own),
            "shingle": pa.array(hashes.view(np.int64)),
            "counter": pa.array((hashes >> np.uint64(_COUNTER_SHIFT)).view(np.int64)),
        }
        return pa.record_batch(columns)


@dataclass(frozen=True)
class _Rank:
    """Rows (digest, shingle, count), sorted by digest, to a row for each digest."""

    threshold: float
    max_documents: int

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "digest"):
            yield self._rank(table)

    def _rank(self, table: pa.Table) -> pa.RecordBatch:
        names: Any = table.column("digest").combine_chunks().dictionary_encode()
        names = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
        own = np.asarray(names.indices).astype(np.int64)  # ascends, as the rows do
        count = np.asarray(table.column("count"))
        shingles = np.asarray(table.column("shingle"))
        order = np.lexsort((shingles.view(np.uint64), count, own))
        size = np.bincount(own)
        common = np.bincount(own, count > self.max_documents).astype(np.int64)
        known = size - common
        required = required_shingles(size, self.threshold)
        of_all = np.minimum(1 + required // _MORE_MATCHES, required - common)
        boilerplate = required <= common
        needed = np.where(boilerplate, np.maximum(1, known // _REST), of_all)
        indexed = np.where(boilerplate, known, size - required + of_all)
        offsets = np.concatenate([[0], np.cumsum(size)])
        columns: dict[str, Any] = {
            "digest": names.dictionary,
            "size": pa.array(size),
            "needed": pa.array(needed),
            "indexed": pa.array(indexed.astype(np.int32)),
            "known": pa.array(known.astype(np.int32)),
            "boilerplate": pa.array(boilerplate),
            "shingles": list_column(offsets, pa.array(shingles[order])),
        }
        return pa.record_batch(columns)


def required_shingles(size: Ints, threshold: float) -> NDArray[np.int64]:
    """How many shingles of documents a container has at least, as core/pairs.hpp counts them."""
    needed: NDArray[np.int64] = np.maximum(1, np.ceil(threshold * size)).astype(np.int64)
    while (less := (needed > 1) & ((needed - 1) / size >= threshold)).any():
        needed -= less
    while (more := (needed <= size) & (needed / size < threshold)).any():
        needed += more
    return needed
