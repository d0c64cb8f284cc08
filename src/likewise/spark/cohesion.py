"""Cohesion: what is known of each cluster, and the lowest similarity inside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from likewise.dedup.cohesion import MAX_COMPARED
from likewise.spark.verify import similarity

if TYPE_CHECKING:
    from likewise.types import Measure


def describe(
    unique: DataFrame,
    chosen: DataFrame,
    pairs: DataFrame,
    verified: Callable[[DataFrame, float], DataFrame],
    measure: Measure,
) -> DataFrame:
    """A row for each cluster, those that are only copies too.

    The lowest similarity inside is that of all pairs of up to `MAX_COMPARED` unique documents; in a
    larger cluster, and for containment, it is that of the verified pairs, and
    `lowest_inside_exact` is false where these are not all.
    """
    members = unique.join(chosen, "digest", "left").where("documents > 1 OR cluster IS NOT NULL")
    members = members.select(
        "digest",
        fn.coalesce("cluster", "digest").alias("cluster"),
        "documents",
        fn.coalesce("kept", fn.lit(True)).alias("kept"),
        fn.coalesce("similarity", fn.lit(1.0)).alias("similarity"),
    )
    removed = fn.when(~fn.col("kept"), fn.col("similarity")).when(fn.col("documents") > 1, 1.0)
    about = members.groupBy("cluster").agg(
        fn.sum("documents").alias("documents"),
        fn.count(fn.lit(1)).alias("unique"),
        fn.count_if("kept").alias("kept"),
        fn.min(removed).alias("lowest_removed"),
    )
    of_digest = chosen.select("digest", "cluster")
    known = (
        pairs.join(of_digest, fn.col("a") == fn.col("digest"))
        .groupBy("cluster")
        .agg(fn.min(similarity(measure)).alias("lowest"), fn.count(fn.lit(1)).alias("known"))
    )
    about = about.join(known, "cluster", "left").withColumn(
        "complete",
        fn.coalesce("known", fn.lit(0)) == fn.floor(fn.col("unique") * (fn.col("unique") - 1) / 2),
    )
    if measure == "containment":
        return _described(about.withColumn("far", fn.lit(None).cast("double")), "complete")
    open_ = about.where(f"NOT complete AND unique <= {MAX_COMPARED}").select("cluster")
    ends = of_digest.join(open_, "cluster")
    missing = (
        ends.withColumnRenamed("digest", "a")
        .join(ends.withColumnRenamed("digest", "b"), "cluster")
        .where("a < b")
        .join(pairs.select("a", "b"), ["a", "b"], "left_anti")
    )
    computed = verified(missing.select("a", "b", fn.lit(0).alias("part")), 0.0)
    far = (
        computed.join(of_digest, fn.col("a") == fn.col("digest"))
        .groupBy("cluster")
        .agg(fn.min(similarity(measure)).alias("far"))
    )
    exact = f"complete OR unique <= {MAX_COMPARED}"
    return _described(about.join(far, "cluster", "left"), exact)


def _described(about: DataFrame, exact: str) -> DataFrame:
    return about.select(
        fn.lower(fn.hex("cluster")).alias("name"),
        "documents",
        "unique",
        "kept",
        fn.coalesce(fn.least("lowest", "far"), fn.lit(1.0)).alias("lowest_inside"),
        fn.expr(exact).alias("lowest_inside_exact"),
        "lowest_removed",
    )
