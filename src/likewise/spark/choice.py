"""Who is kept: `likewise.dedup.rules.choose` for many clusters at once, each of them whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn
from pyspark.sql.types import DataType

from likewise.dedup import rules
from likewise.search.packed_pairs import unpack
from likewise.spark.arrow import Batches, map_arrow, whole_groups
from likewise.spark.buckets import PAIRS_AT_ONCE, PART
from likewise.spark.verify import shares

if TYPE_CHECKING:
    from likewise.dedup.settings import DedupSettings


def choose(
    unique: DataFrame,
    pairs: DataFrame,
    clusters: DataFrame,
    id_type: DataType,
    settings: DedupSettings,
) -> DataFrame:
    """For each digest in a pair: its cluster, whether it is kept, and the kept one it is near.

    Columns digest, cluster, kept, near (a digest), similar_to (the id of its best document),
    similarity (NaN where it has to be computed), place, by the order of keeping, and keeper, the
    place of the best one that it may be removed for.
    """
    kind = id_type.simpleString()
    nothing = fn.lit(None).cast("binary")
    documents = clusters.join(unique, "digest").select(
        "cluster", "digest", fn.col("best.order").alias("order"), fn.col("best.id").alias("id"),
        nothing.alias("b"), fn.lit(None).cast("double").alias("of_a"),
        fn.lit(None).cast("double").alias("of_b"),
    )  # fmt: skip
    of_a, of_b = shares(settings.measure)
    edges = pairs.join(clusters, fn.col("a") == fn.col("digest")).select(
        "cluster", fn.col("a").alias("digest"), nothing.alias("order"),
        fn.lit(None).cast(id_type).alias("id"), "b", of_a.alias("of_a"), of_b.alias("of_b"),
    )  # fmt: skip
    together = (
        documents.unionAll(edges)
        .repartition("cluster")
        # Documents come first, the best of a cluster before the others.
        .sortWithinPartitions("cluster", fn.col("b").asc_nulls_first(), "order", "digest")
    )
    return map_arrow(
        together,
        _Choose(settings.chains, settings.threshold),
        f"digest binary, cluster binary, kept boolean, near binary, similar_to {kind}, "
        "similarity double, place long, keeper long",
    )


def large_clusters(chosen: DataFrame) -> DataFrame:
    """The clusters that are looked at once more, as `rules.second_look` has it."""
    counts = chosen.groupBy("cluster").agg(
        fn.count(fn.lit(1)).alias("unique"), fn.count_if("kept").alias("staying")
    )
    large = counts.where(f"unique > {rules.LARGE_CLUSTER} AND staying > 1")
    return large.select("cluster")


def second_look(
    chosen: DataFrame, large: DataFrame, boilerplate: DataFrame | None = None
) -> DataFrame:
    """Pairs (a, b, part) of large clusters to verify before choosing again; a < b.

    `boilerplate`: for containment, digests of documents for which not all was compared.
    """
    rows = chosen.join(large, "cluster", "left_semi")
    if boilerplate is None:
        rows = rows.withColumn("open", fn.lit(True))
    else:
        marked = boilerplate.select("digest", fn.lit(True).alias("open"))
        rows = rows.join(marked, "digest", "left").fillna(False, "open")
    rows = rows.select("cluster", "place", "digest", "kept", "keeper", "open")
    together = rows.repartition("cluster").sortWithinPartitions("cluster", "place")
    return map_arrow(together, _LookAgain(boilerplate is not None), "a binary, b binary, part int")


@dataclass(frozen=True)
class _Choose:
    chains: str
    threshold: float

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "cluster"):
            yield self._choose(table)

    def _choose(self, table: pa.Table) -> pa.RecordBatch:
        is_document = np.asarray(table.column("b").is_null())
        documents = table.filter(pa.array(is_document)).combine_chunks()
        edges = table.filter(pa.array(~is_document)).combine_chunks()
        names = _one(documents.column("digest"))
        # Documents are different, so that the code of each is its number.
        coded: Any = pa.concat_arrays(
            [names, _one(edges.column("digest")), _one(edges.column("b"))]
        ).dictionary_encode()
        numbers = np.asarray(coded.indices).astype(np.uint32)
        a, b = np.split(numbers[len(names) :], 2)
        of_a, of_b = (np.asarray(edges.column(name)) for name in ("of_a", "of_b"))
        pairs = a, b, of_a, of_b, np.arange(len(names), dtype=np.uint64)
        kept, near, similarity = rules.choose(*pairs, self.chains, self.threshold)
        keepers = rules.best_keepers(*pairs, kept, self.threshold)
        columns = {
            "digest": names,
            "cluster": _one(documents.column("cluster")),
            "kept": pa.array(kept),
            "near": names.take(pa.array(near)),
            "similar_to": _one(documents.column("id")).take(pa.array(near)),
            "similarity": pa.array(similarity),
            "place": pa.array(np.arange(len(names))),
            "keeper": pa.array(keepers.astype(np.int64)),
        }
        return pa.record_batch(columns)


@dataclass(frozen=True)
class _LookAgain:
    by_containment: bool

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "cluster"):
            yield from self._look(table)

    def _look(self, table: pa.Table) -> Batches:
        names = _one(table.column("digest"))
        clusters: Any = _one(table.column("cluster")).dictionary_encode()
        _, first, of_row = np.unique(
            np.asarray(clusters.indices), return_index=True, return_inverse=True
        )
        places = np.arange(len(names))
        among = None
        if self.by_containment:
            # The places of a cluster follow each other, as its rows do.
            own, keeper = (np.asarray(table.column(name)) for name in ("place", "keeper"))
            among = (places + keeper - own).astype(np.uint32), np.asarray(table.column("open"))
        pairs = rules.second_look(
            first[of_row].astype(np.uint32), np.asarray(table.column("kept")),
            places.astype(np.uint64), among,
        )  # fmt: skip
        one, other = unpack(pairs)
        digests = np.array(names.to_pylist(), "S16")
        turned = digests[one] > digests[other]
        first, second = np.where(turned, other, one), np.where(turned, one, other)
        for begin in range(0, len(pairs), PAIRS_AT_ONCE):
            a, b = (end[begin : begin + PAIRS_AT_ONCE] for end in (first, second))
            yield pa.record_batch(
                {
                    "a": names.take(pa.array(a)),
                    "b": names.take(pa.array(b)),
                    "part": pa.array((b // PART).astype(np.int32)),
                }
            )


def _one(column: Any) -> Any:
    """A column of a table as one array."""
    chunked = column.combine_chunks()
    return chunked.combine_chunks() if isinstance(chunked, pa.ChunkedArray) else chunked
