"""Cohesion: what is known of each cluster, and the lowest similarity inside it."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from likewise.dedup.cohesion import MAX_COMPARED
from likewise.spark.verify import jaccard


def describe(
    unique: DataFrame,
    chosen: DataFrame,
    pairs: DataFrame,
    verified: Callable[[DataFrame, float], DataFrame],
) -> DataFrame:
    """A row for each cluster, those that are only copies too.

    The lowest similarity inside is that of all pairs of up to `MAX_COMPARED` unique documents; in a
    larger cluster it is that of the verified pairs, and `lowest_inside_exact` is false.
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
        .agg(fn.min(jaccard()).alias("lowest"), fn.count(fn.lit(1)).alias("known"))
    )
    about = about.join(known, "cluster", "left").withColumn(
        "complete",
        fn.coalesce("known", fn.lit(0)) == fn.floor(fn.col("unique") * (fn.col("unique") - 1) / 2),
    )
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
        .agg(fn.min(jaccard()).alias("far"))
    )
    return about.join(far, "cluster", "left").select(
        fn.lower(fn.hex("cluster")).alias("name"),
        "documents",
        "unique",
        "kept",
        fn.coalesce(fn.least("lowest", "far"), fn.lit(1.0)).alias("lowest_inside"),
        (fn.col("complete") | (fn.col("unique") <= MAX_COMPARED)).alias("lowest_inside_exact"),
        "lowest_removed",
    )
