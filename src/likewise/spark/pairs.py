"""`find_pairs`: similar pairs of the rows of a DataFrame."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from likewise.dedup.settings import Keep
from likewise.errors import UsageError
from likewise.search.settings import DEFAULT_MAX_COPIES, Settings
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.spark.buckets import candidates
from likewise.spark.columns import check_columns, check_ids
from likewise.spark.scan import collapse, scan
from likewise.spark.session import explained
from likewise.spark.tables import Tables
from likewise.spark.verify import FILTER_FROM, Verifier, jaccard
from likewise.statistics.bands import DEFAULT_MAX_BUCKET, DEFAULT_RECALL
from likewise.text.profile import DEFAULT_PROFILE, Profile


@explained()
def find_pairs(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    profile: Profile | str = DEFAULT_PROFILE,
    threshold: float | None = None,
    recall: float = DEFAULT_RECALL,
    bands: int | None = None,
    rows: int | None = None,
    values: int = DEFAULT_VALUES,
    max_bucket: int = DEFAULT_MAX_BUCKET,
    max_copies: int = DEFAULT_MAX_COPIES,
    checkpoint: str | None = None,
) -> DataFrame:
    """Similar pairs of the rows of a DataFrame, in any order.

    Args:
        df: rows that are the same whenever Spark reads them.
        text: the column of strings; a row whose text is null is in no pair.
        id: the column that names the rows, of any type that can be compared; unique and not null.
        profile, threshold, recall, bands, rows, values, max_bucket, max_copies: as in
            `likewise.find_pairs`; the first of many copies is that with the smallest id.
        checkpoint: a folder that all machines see, for the tables between the steps.

    Returns the columns of `likewise.find_pairs`; a and b are of the type of the id. The pairs are
    those that it finds in a collection in the order of its ids, with two exceptions: in a bucket of
    more than `max_bucket` documents the hubs are the first by digest and not by place; and a
    threshold too low for bands is refused, not searched exactly.

    The work is done before it returns. The pairs stay in Spark's cache until `unpersist()`.
    """
    settings = Settings(
        profile=Profile.of(profile), threshold=threshold, recall=recall, bands=bands, rows=rows,
        values=values, max_bucket=max_bucket, max_copies=max_copies,
    )  # fmt: skip
    assert settings.threshold is not None
    layout = settings.layout_at(settings.threshold)
    if layout is None:
        raise UsageError(
            f"no bands of {values} values find {recall:.3g} of the pairs at {settings.threshold:g}",
            hint="use more values, a higher threshold or a lower recall",
        )
    columns = check_columns(df, text, id)
    tables = Tables(df.sparkSession, checkpoint)
    scanned = tables.keep(
        scan(df, columns, profile=settings.profile, values=values, layout=layout,
             keep=Keep("first")),
        "scanned",
    )  # fmt: skip
    documents = scanned.count()
    check_ids(scanned, id)
    unique = tables.keep(collapse(scanned), "unique")
    compared = tables.keep(_compared(unique, max_bucket), "candidates")
    verify = Verifier(df, columns, unique, settings.profile, tables, documents >= FILTER_FROM)
    verified = tables.keep(verify(compared, settings.threshold), "verified")
    expanded = _expand(verified, _members(scanned, unique, max_copies), max_copies)
    result = expanded.persist() if checkpoint is None else tables.keep(expanded, "pairs")
    result.count()
    tables.drop_all_but("pairs")
    return result


def _compared(unique: DataFrame, max_bucket: int) -> DataFrame:
    """Candidates; and digests with several documents with themselves, for what those share."""
    pairs = candidates(unique, max_bucket=max_bucket).where("a IS NOT NULL")
    alone = unique.where("documents > 1").select(
        fn.col("digest").alias("a"), fn.col("digest").alias("b"), fn.lit(0).alias("part")
    )
    return pairs.select("a", "b", "part").unionAll(alone)


def _members(scanned: DataFrame, unique: DataFrame, max_copies: int) -> DataFrame:
    """The documents of each digest: (digest, order, id, listed, first)."""
    return scanned.join(unique.select("digest", "documents", "best"), "digest").select(
        "digest",
        "order",
        "id",
        (fn.col("documents") <= max_copies).alias("listed"),
        (fn.col("order") == fn.col("best.order")).alias("first"),
    )


def _expand(verified: DataFrame, members: DataFrame, max_copies: int) -> DataFrame:
    """Pairs of digests to pairs of documents, as `Copies.expand` does it; a before b."""
    a = members.select(*(fn.col(name).alias(f"{name}_a") for name in members.columns))
    b = members.select(*(fn.col(name).alias(f"{name}_b") for name in members.columns))
    joined = (
        verified.withColumnsRenamed({"a": "of_a", "b": "of_b"})
        .join(a, fn.col("of_a") == fn.col("digest_a"))
        .where(fn.col("listed_a") | fn.col("first_a"))
        .join(b, fn.col("of_b") == fn.col("digest_b"))
    )
    between = (fn.col("of_a") != fn.col("of_b")) & (fn.col("listed_b") | fn.col("first_b"))
    inside = (fn.col("of_a") == fn.col("of_b")) & (fn.col("order_a") < fn.col("order_b"))
    pairs = joined.where(between | inside)
    swapped = fn.col("order_a") > fn.col("order_b")

    def either(first: str, second: str) -> Column:
        return fn.when(swapped, fn.col(second)).otherwise(fn.col(first))

    return pairs.select(
        either("id_a", "id_b").alias("a"),
        either("id_b", "id_a").alias("b"),
        jaccard().alias("jaccard"),
        (fn.col("shared") / either("size_a", "size_b")).alias("containment_a"),
        (fn.col("shared") / either("size_b", "size_a")).alias("containment_b"),
        "shared",
        either("size_a", "size_b").alias("size_a"),
        either("size_b", "size_a").alias("size_b"),
    )
