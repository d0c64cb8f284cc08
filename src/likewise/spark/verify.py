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
    from likewise.types import Measure

# From this many documents on it is worth a pass to move no texts in vain.
FILTER_FROM = 1_000_000

_SCHEMA = "a binary, b binary, shared long, size_a long, size_b long"


def jaccard() -> Column:
    """The similarity as an expression of the columns."""
    return fn.col("shared") / (fn.col("size_a") + fn.col("size_b") - fn.col("shared"))


def shares(measure: Measure) -> tuple[Column, Column]:
    """How much of a is in b, and of b in a; both are the Jaccard similarity where that is the
    measure."""
    if measure == "jaccard":
        return jaccard(), jaccard()
    return fn.col("shared") / fn.col("size_a"), fn.col("shared") / fn.col("size_b")


def similarity(measure: Measure) -> Column:
    """Jaccard, or the containment of the smaller document in the larger one."""
    return fn.greatest(*shares(measure))


@dataclass
class Verifier:
    """Compares pairs of unique documents on their texts, which are read again."""

    df: DataFrame
    columns: Columns
    unique: DataFrame
    profile: Profile
    tables: Tables
    filter_first: bool  # exclude rows that are not wanted before they are moved
    measure: Measure = "jaccard"

    def __call__(self, pairs: DataFrame, threshold: float) -> DataFrame:
        """Pairs (a, b, part) that reach the threshold, with what they share; a < b in the result.

        By their Jaccard similarity, or by how much of b is in a.
        """
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
            uses.join(self._texts_of(pairs), "digest")
            .select("a", "part", "b", "text")
            .repartition("a", "part")
            .sortWithinPartitions("a", "part", fn.col("b").asc_nulls_first())
        )
        found = map_arrow(grouped, _Verify(self.profile, self.measure, threshold), _SCHEMA)
        return found if self.measure == "jaccard" else _by_digest(found)

    def _texts_of(self, pairs: DataFrame) -> DataFrame:
        """The texts (digest, text) of the documents in pairs, one for each digest."""
        digests = pairs.select(fn.explode(fn.array("a", "b")).alias("digest")).distinct()
        wanted = _names(digests.join(self.unique, "digest"))
        rows = self.columns.rows(self.df).select(ID, TEXT_HASH, TEXT)
        if self.filter_first:
            wanted = self.tables.keep(wanted, "wanted")
            may_be_wanted = bloom_filter(wanted, wanted.count(), fn.xxhash64("id", "text_hash"))
            if may_be_wanted is not None:
                rows = rows.where(may_be_wanted(fn.xxhash64(ID, TEXT_HASH)))
        return self._fetched(rows, wanted)

    def all_texts(self) -> DataFrame:
        """The texts (digest, text) of all unique documents."""
        return self._fetched(
            self.columns.rows(self.df).select(ID, TEXT_HASH, TEXT), _names(self.unique)
        )

    def _fetched(self, rows: DataFrame, wanted: DataFrame) -> DataFrame:
        same = fn.col("id").eqNullSafe(fn.col(ID)) & (fn.col("text_hash") == fn.col(TEXT_HASH))
        found = rows.join(wanted, same).select("digest", fn.col(TEXT).alias("text"))
        return found.dropDuplicates(["digest"])  # several rows may have the same id and text


def _names(unique: DataFrame) -> DataFrame:
    """Digests, and the id and the hash of the text by which a row of each is found."""
    return unique.select(
        "digest", fn.col("best.id").alias("id"), fn.col("best.text_hash").alias("text_hash")
    )


def _by_digest(found: DataFrame) -> DataFrame:
    """The same pairs with a < b."""
    turned = fn.col("a") > fn.col("b")

    def either(first: str, second: str) -> Column:
        return fn.when(turned, fn.col(second)).otherwise(fn.col(first))

    return found.select(
        either("a", "b").alias("a"), either("b", "a").alias("b"), "shared",
        either("size_a", "size_b").alias("size_a"), either("size_b", "size_a").alias("size_b"),
    )  # fmt: skip


@dataclass(frozen=True)
class _Verify:
    profile: Profile
    measure: Measure
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
            profile=self.profile, measure=self.measure, threshold=self.threshold, threads=1,
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
