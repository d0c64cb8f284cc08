"""Candidates by rare words, in blocks of documents: each task compares the parts of two blocks.

What a word is worth depends on all documents, so it is counted first. A document's best candidates
are among its best in some task, since every other document is compared with it in one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as fn

from likewise import _core
from likewise.passages.document_set import FIRST, SECOND
from likewise.passages.rare_words import (
    MAX_CANDIDATES,
    MIN_EVIDENCE,
    PART,
    STRIDE,
    most_documents,
)
from likewise.spark.arrow import Batches, map_arrow, parts_of, whole_groups
from likewise.spark.passages.documents import remaining_texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.arrays import Ints
    from likewise.spark.tables import Tables

BLOCK_WORDS = 2_000_000  # rare words of the parts of a block, with some 50 bytes each
_FREQUENT = 100  # a word in one of so many documents is never joined: few words are


def pairs_by_rare_words(
    documents: DataFrame,
    count: int,
    tables: Tables,
    *,
    two: bool,
    stem_letters: int,
    block_words: int = BLOCK_WORDS,
) -> DataFrame:
    """Pairs (a, b) of numbers, a < b, each once; `count` is the number of documents."""
    most = most_documents(count)
    texts = documents.select("number", "side", "text", "excluded")
    words = tables.keep(
        map_arrow(texts, _Words(stem_letters), "hash long, side int")
        .groupBy("hash")
        .agg(fn.count(fn.lit(1)).alias("holders"), fn.count_distinct("side").alias("sides")),
        "words",
    )
    frequent = words.where(fn.col("holders") > max(most, count // _FREQUENT)).select("hash")
    skipped = np.array(sorted(row[0] for row in frequent.collect()), np.int64)
    rare = words.where(
        (fn.col("holders") >= 2) & (fn.col("holders") <= most) & (fn.col("sides") >= 1 + two)
    ).select("hash", "holders")
    placed = (
        map_arrow(texts, _PlacedWords(stem_letters, skipped), _PLACED)
        .join(rare, "hash")
        .repartition("number")
        .sortWithinPartitions("number", "part", "hash")
    )
    schema = "number long, side int, part int, hash long, worth double"
    parts = tables.keep(map_arrow(placed, _WorthWhile(count), schema), "parts")
    return _compared(parts, two, block_words)


_PLACED = "hash long, number long, side int, part int"


def _told(part: pa.RecordBatch, stem_letters: int) -> tuple[Ints, Ints, Ints]:
    """The words of some documents: hash, row of the document, and place in it."""
    texts = _core.Texts.from_strings(remaining_texts(part))
    hashes, offsets = _core.telling_words(texts, stem_letters=stem_letters, threads=1)
    counts: Any = np.diff(offsets.astype(np.int64))
    rows = np.repeat(np.arange(len(counts)), counts)
    return hashes.view(np.int64), rows, np.arange(len(hashes)) - offsets.astype(np.int64)[rows]


@dataclass(frozen=True)
class _Words:
    """The words of each document, once each."""

    stem_letters: int

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part in parts_of(batch):
                hashes, rows, _ = _told(part, self.stem_letters)
                once = _first_of_equal(rows, hashes)
                sides = np.asarray(part.column("side"))[rows[once]]
                yield _batch(hash=hashes[once], side=sides)


@dataclass(frozen=True)
class _PlacedWords:
    """The words of each part of a document, once each; parts are numbered from 0."""

    stem_letters: int
    skipped: Ints  # words that are in none, ascending

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part in parts_of(batch):
                yield self._words(part)

    def _words(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        hashes, rows, places = _told(batch, self.stem_letters)
        sizes = np.bincount(rows, minlength=batch.num_rows)
        # The last part is the first one that reaches the end of the text.
        last = -(-np.maximum(sizes - PART, 0) // STRIDE)
        wanted = ~np.isin(hashes, self.skipped)
        hashes, rows, places = hashes[wanted], rows[wanted], places[wanted]
        found = []
        for before in range(-(-PART // STRIDE)):
            parts = places // STRIDE - before
            inside = (parts >= 0) & (parts <= last[rows]) & (places < parts * STRIDE + PART)
            found.append(np.stack([rows[inside], parts[inside], hashes[inside]]))
        rows, parts, hashes = np.concatenate(found, axis=1)
        once = _first_of_equal(rows, parts, hashes)
        own = rows[once]
        return _batch(
            hash=hashes[once],
            number=np.asarray(batch.column("number"))[own],
            side=np.asarray(batch.column("side"))[own],
            part=parts[once].astype(np.int32),
        )


def _first_of_equal(*keys: Ints) -> Ints:
    """The places of different keys, in their order."""
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order), bool)
    new[:1] = True
    for key in keys:
        new[1:] |= np.diff(key[order]) != 0
    return order[new]


@dataclass(frozen=True)
class _WorthWhile:
    """Rows (number, side, part, hash, holders), sorted, of parts with enough evidence."""

    documents: int

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "number"):
            number, side, part, hashes, holders = (
                np.asarray(table.column(name))
                for name in ("number", "side", "part", "hash", "holders")
            )
            worths = _core.word_worths(holders.astype(np.uint64), documents=self.documents)
            own = np.cumsum(_changes(number, part)) - 1
            kept = (np.bincount(own, worths) >= MIN_EVIDENCE)[own]
            yield _batch(
                number=number[kept], side=side[kept], part=part[kept], hash=hashes[kept],
                worth=worths[kept],
            )  # fmt: skip


def _changes(*columns: Any) -> Any:
    """Where one of the columns differs from the row before."""
    new = np.ones(len(columns[0]), bool)
    new[1:] = False
    for one in columns:
        new[1:] |= one[1:] != one[:-1]
    return new


def _compared(parts: DataFrame, two: bool, block_words: int) -> DataFrame:
    """The pairs that share enough evidence and are among the best of one of their documents."""
    counts = {row[0]: row[1] for row in parts.groupBy("side").count().collect()}
    blocks = {side: max(1, -(-counts.get(side, 0) // block_words)) for side in (FIRST, SECOND)}
    left, right = blocks[FIRST], blocks[SECOND] if two else blocks[FIRST]
    is_left = fn.col("side") == FIRST if two else fn.lit(True)
    block = fn.pmod(fn.xxhash64("number"), fn.when(is_left, left).otherwise(right))
    other = fn.explode(fn.sequence(fn.lit(0), fn.when(is_left, right - 1).otherwise(left - 1)))
    rows = parts.withColumn("block", block.cast("int")).withColumn("other", other)
    if two:
        first = fn.when(is_left, fn.col("block")).otherwise(fn.col("other"))
        second = fn.when(is_left, fn.col("other")).otherwise(fn.col("block"))
        on_left = is_left
    else:
        first, second = fn.least("block", "other"), fn.greatest("block", "other")
        on_left = fn.col("block") <= fn.col("other")
    tasks = (
        rows.withColumn("left", on_left)
        .withColumn("inside", fn.lit(not two) & (fn.col("block") == fn.col("other")))
        .withColumn("task", first * right + second)
        .drop("block", "other", "side")
        .repartition("task")
        .sortWithinPartitions("task", "number", "part", "hash")
    )
    found = map_arrow(tasks, _compare, "a long, b long, evidence double")
    both = found.select(
        fn.explode(
            fn.array(
                fn.struct(fn.col("a").alias("own"), fn.col("b").alias("other"), "evidence"),
                fn.struct(fn.col("b").alias("own"), fn.col("a").alias("other"), "evidence"),
            )
        ).alias("pair")
    ).select("pair.*")
    best = Window.partitionBy("own").orderBy(fn.desc("evidence"), "other")
    return (
        both.withColumn("rank", fn.row_number().over(best))
        .where(fn.col("rank") <= MAX_CANDIDATES)
        .select(fn.least("own", "other").alias("a"), fn.greatest("own", "other").alias("b"))
        .distinct()
    )


def _compare(batches: Batches) -> Batches:
    """Rows (number, part, hash, worth, left, inside, task), sorted, to pairs, task by task."""
    for table in whole_groups(batches, "task"):
        edges = np.flatnonzero(_changes(np.asarray(table.column("task"))))
        for begin, end in pairwise([*edges.tolist(), table.num_rows]):
            yield _compare_blocks(table.slice(begin, end - begin))


def _compare_blocks(rows: pa.Table) -> pa.RecordBatch:
    number, part, hashes, worth = (
        np.asarray(rows.column(name)) for name in ("number", "part", "hash", "worth")
    )
    numbers, own = np.unique(number, return_inverse=True)
    _, first, words = np.unique(hashes, return_index=True, return_inverse=True)
    begins = np.flatnonzero(_changes(number, part))
    left = np.asarray(rows.column("left"))[np.searchsorted(number, numbers)]
    inside = bool(rows.column("inside")[0].as_py())
    a, b, evidence = _core.share_parts(
        words.astype(np.uint32),
        np.append(begins, len(number)).astype(np.uint64),
        own[begins].astype(np.uint32),
        worth[first],
        None if inside else np.where(left, FIRST, SECOND).astype(np.uint8),
        count=len(numbers),
        least_evidence=MIN_EVIDENCE,
        most_candidates=MAX_CANDIDATES,
        threads=1,
    )
    return _batch(a=numbers[a], b=numbers[b], evidence=evidence)


def _batch(**columns: Any) -> pa.RecordBatch:
    arrays: Any = {name: pa.array(values) for name, values in columns.items()}
    return pa.record_batch(arrays)
