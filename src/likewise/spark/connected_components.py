"""Clusters: connected components of verified pairs, by alternating large and small stars.

Each document points to smaller ones. A large star lets all larger neighbours of a document point to
the smallest of its neighbours, a small star all smaller ones; after O(log² n) rounds every document
points to the smallest of its component alone (Kiveris et al., "Connected components in MapReduce
and beyond", 2014). Neither changes what is connected, and a document's neighbours are gone through
as they come in, sorted, whatever their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as fn

from likewise.dedup.rules import number_unique
from likewise.errors import LikewiseError
from likewise.search.clusters import connected_components
from likewise.spark import digests
from likewise.spark.arrow import Batches, map_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.spark.tables import Tables

# Up to this many pairs one task is quicker than rounds of shuffles.
IN_ONE_TASK = 1_000_000
MAX_ROUNDS = 60


def components(
    pairs: DataFrame, count: int, tables: Tables, *, in_one_task: int = IN_ONE_TASK
) -> tuple[DataFrame, int]:
    """For each digest in pairs (a, b) its cluster, the smallest digest of it; and the rounds taken.

    `count` is the number of pairs.
    """
    if count <= in_one_task:
        edges = pairs.select("a", "b").repartition(1)
        return tables.keep(map_arrow(edges, _in_one_task, "digest binary, cluster binary"),
                           "clusters"), 0  # fmt: skip
    # Edges point from the larger to the smaller.
    edges = pairs.select(fn.col("b").alias("u"), fn.col("a").alias("v"))
    before: tuple[int, int] | None = None
    for number in range(1, MAX_ROUNDS + 1):
        edges = tables.keep(_small_star(_large_star(edges)), f"stars-{number}")
        now = _fingerprint(edges)
        tables.drop(f"stars-{number - 2}")
        if now == before:
            # Nothing has changed: every edge points to the smallest of its component.
            found = edges.select(fn.col("u").alias("digest"), fn.col("v").alias("cluster"))
            smallest = found.select(fn.col("cluster").alias("digest"), "cluster").distinct()
            clusters = tables.keep(found.unionAll(smallest), "clusters")
            clusters.count()
            tables.drop(f"stars-{number - 1}", f"stars-{number}")
            return clusters, number
        before = now
    raise LikewiseError(
        f"clusters are not complete after {MAX_ROUNDS} rounds",
        hint="this cannot happen with fewer than 2^60 documents; please report it",
    )


def _large_star(edges: DataFrame) -> DataFrame:
    both = edges.select(
        fn.explode(
            fn.array(
                fn.struct(fn.col("u").alias("x"), fn.col("v").alias("y")),
                fn.struct(fn.col("v").alias("x"), fn.col("u").alias("y")),
            )
        ).alias("edge")
    ).select("edge.x", "edge.y")
    smallest = fn.least("x", fn.min("y").over(Window.partitionBy("x")))
    return (
        both.select("x", "y", smallest.alias("m"))
        .where("y > x")
        .select(fn.col("y").alias("u"), fn.col("m").alias("v"))
        .distinct()
    )


def _small_star(edges: DataFrame) -> DataFrame:
    smallest = fn.min("v").over(Window.partitionBy("u"))
    return (
        edges.select("u", "v", smallest.alias("m"))
        # The document itself comes with its smallest neighbour, the others go to that one.
        .select(
            fn.when(fn.col("v") == fn.col("m"), fn.col("u")).otherwise(fn.col("v")).alias("u"), "m"
        )
        .select("u", fn.col("m").alias("v"))
        .distinct()
    )


def _fingerprint(edges: DataFrame) -> tuple[int, int]:
    """How many edges there are, and a hash of them all."""
    row = edges.agg(
        fn.count(fn.lit(1)), fn.coalesce(fn.bit_xor(fn.xxhash64("u", "v")), fn.lit(0))
    ).first()
    assert row is not None
    return int(row[0]), int(row[1])


def _in_one_task(batches: Batches) -> Batches:
    """The same for pairs that come to one task."""
    parts = [
        np.stack([digests.to_numbers(batch.column(side)) for side in ("a", "b")])
        for batch in batches
    ]
    if not parts:
        return
    ends = np.concatenate(parts, axis=1)
    ordered, numbers, _ = number_unique(ends.reshape(-1, 2))
    labels = connected_components(len(ordered), *np.split(numbers, 2))
    yield pa.record_batch(
        {
            "digest": digests.to_bytes(ordered).cast(pa.binary()),
            "cluster": digests.to_bytes(ordered[labels]).cast(pa.binary()),
        }
    )
