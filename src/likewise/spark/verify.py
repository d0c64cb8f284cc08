"""Candidates to verified pairs: the texts come to the pairs, by shuffle.

Each group is one document `a` of some candidates and the documents `b` it is to be compared with.
Only texts of documents in candidates are moved, and one of each digest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from likewise.errors import SourceError
from likewise.search.verification import TextsInMemory, verify
from likewise.spark.arrow import Batches, map_arrow
from likewise.spark.bloom_filter import bloom_filter
from likewise.spark.columns import ID, TEXT, TEXT_HASH, Columns
from likewise.spark.digests import WIDTH
from likewise.spark.scan import compared_texts
from likewise.text.inputs import from_arrow

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import Column, DataFrame

    from likewise.spark.tables import Tables
    from likewise.text.profile import Profile

# From this many documents on it is worth a pass to move no texts in vain.
FILTER_FROM = 1_000_000

_SCHEMA = "a binary, b binary, shared long, size_a long, size_b long"


def jaccard() -> Column:
    """The similarity as an expression of the columns."""
    return fn.col("shared") / (fn.col("size_a") + fn.col("size_b") - fn.col("shared"))


@dataclass
class Verifier:
    """Compares pairs of unique documents on their texts, which are read again."""

    df: DataFrame
    columns: Columns
    unique: DataFrame
    profile: Profile
    tables: Tables
    filter_first: bool  # exclude rows that are not wanted before they are moved

    def __call__(self, pairs: DataFrame, threshold: float) -> DataFrame:
        """Pairs (a, b, part) whose similarity reaches the threshold, with what they share."""
        # What each text is needed for: as the first of a group, or to be compared with the first.
        uses = (
            pairs.select("a", "part")
            .distinct()
            .select(
                fn.col("a").alias("digest"), "a", "part", fn.lit(None).cast("binary").alias("b")
            )
            .unionAll(pairs.select(fn.col("b").alias("digest"), "a", "part", "b"))
        )
        grouped = (
            uses.join(self._texts(pairs), "digest")
            .select("a", "part", "b", "text")
            .repartition("a", "part")
            .sortWithinPartitions("a", "part", fn.col("b").asc_nulls_first())
        )
        return map_arrow(grouped, _Verify(self.profile, threshold), _SCHEMA)

    def _texts(self, pairs: DataFrame) -> DataFrame:
        """The texts (digest, text) of the documents in pairs, one for each digest."""
        wanted = pairs.select(fn.explode(fn.array("a", "b")).alias("digest")).distinct()
        wanted = wanted.join(self.unique, "digest").select(
            "digest", fn.col("best.id").alias("id"), fn.col("best.text_hash").alias("text_hash")
        )
        rows = self.columns.rows(self.df).select(ID, TEXT_HASH, TEXT)
        if self.filter_first:
            wanted = self.tables.keep(wanted, "wanted")
            may_be_wanted = bloom_filter(wanted, wanted.count(), fn.xxhash64("id", "text_hash"))
            if may_be_wanted is not None:
                rows = rows.where(may_be_wanted(fn.xxhash64(ID, TEXT_HASH)))
        same = fn.col("id").eqNullSafe(fn.col(ID)) & (fn.col("text_hash") == fn.col(TEXT_HASH))
        found = rows.join(wanted, same).select("digest", fn.col(TEXT).alias("text"))
        return found.dropDuplicates(["digest"])  # several rows may have the same id and text


@dataclass(frozen=True)
class _Verify:
    profile: Profile
    threshold: float

    def __call__(self, batches: Batches) -> Batches:
        head: pa.RecordBatch | None = None  # the first document of the group that continues
        for batch in batches:
            if batch.num_rows == 0:
                continue
            rows = batch if head is None else _joined(head, batch)
            is_head = np.asarray(rows.column("b").is_null())
            yield self._verify(rows, is_head)
            head = rows.slice(int(np.flatnonzero(is_head)[-1]), 1)

    def _verify(self, rows: pa.RecordBatch, is_head: NDArray[np.bool_]) -> pa.RecordBatch:
        places = np.arange(len(is_head), dtype=np.uint32)
        head_of = np.maximum.accumulate(np.where(is_head, places, np.uint32(0)))
        digests = rows.column("a").cast(pa.binary(WIDTH))
        if not is_head[0] or not digests.equals(digests.take(head_of)):
            raise SourceError(
                "a text that was read before no longer exists",
                hint="the rows must be the same whenever Spark reads them: save them first",
            )
        texts, _ = compared_texts(rows.column("text"), self.profile)
        found = verify(
            TextsInMemory(from_arrow(texts)), head_of[~is_head], places[~is_head],
            profile=self.profile, threshold=self.threshold, threads=1,
        )  # fmt: skip
        return pa.record_batch(
            {
                "a": digests.take(found.a).cast(pa.binary()),
                "b": rows.column("b").take(found.b),
                "shared": pa.array(found.shared.astype(np.int64)),
                "size_a": pa.array(found.size_a.astype(np.int64)),
                "size_b": pa.array(found.size_b.astype(np.int64)),
            }
        )


def _joined(head: pa.RecordBatch, batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch after the head of its first group."""
    if batch.column("b")[0].as_py() is None:
        return batch
    names = batch.schema.names
    return pa.record_batch(
        {
            name: cast("Any", pa.concat_arrays([head.column(name), batch.column(name)]))
            for name in names
        }
    )
