"""Exact copies collapsed: one row for each digest, before anything is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def collapse(scanned: DataFrame) -> DataFrame:
    """For each digest its band keys, how many documents have it, and the best of them.

    Each executor holds one row for each digest, however many copies there are.
    """
    return (
        scanned.where("digest IS NOT NULL")
        .groupBy("digest")
        .agg(
            fn.min(fn.struct("order", "text_hash", "id")).alias("best"),
            fn.count(fn.lit(1)).alias("documents"),
            fn.first("keys").alias("keys"),  # copies have the same ones
        )
    )
