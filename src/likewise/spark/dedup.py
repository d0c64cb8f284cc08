"""`Deduplication`: the rows of a DataFrame, without those that are similar to a kept one."""

from __future__ import annotations

from typing import Unpack

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from likewise.dedup.files.verdicts import COLUMNS
from likewise.dedup.settings import DedupOptions, DedupSettings
from likewise.search.containment import boilerplate_notes
from likewise.sketches.candidates import bucket_notes
from likewise.spark import containment
from likewise.spark.buckets import PART, candidates
from likewise.spark.choice import choose, large_clusters, second_look
from likewise.spark.cohesion import describe
from likewise.spark.columns import TEXT_HASH, check_columns, column
from likewise.spark.connected_components import IN_ONE_TASK, components
from likewise.spark.scan import collapse, scan
from likewise.spark.steps import Steps, only_row
from likewise.spark.verify import FILTER_FROM, Verifier, jaccard, similarity
from likewise.text.displayed import LookAlikes

ANNOTATIONS = COLUMNS


class Deduplication:
    """What was decided on the rows of a DataFrame.

    Attributes:
        stats: settings, counts, seconds of each step, and notes.
    """

    def __init__(
        self,
        df: DataFrame,
        *,
        text: str = "text",
        id: str = "id",
        settings: DedupSettings | None = None,
        checkpoint: str | None = None,
        annotate: bool = False,
        in_one_task: int = IN_ONE_TASK,
        filter_from: int = FILTER_FROM,
        **options: Unpack[DedupOptions],
    ) -> None:
        """As `deduplicate`.

        Args:
            settings: in place of options.
            annotate: check that the names of annotations are free, before any work.
            in_one_task: up to this many verified pairs one task finds the clusters.
            filter_from: from this many documents on, texts that are not needed are not moved.
        """
        self._settings = settings or DedupSettings.checked(threads=1, **options)
        self._columns = check_columns(
            df, text, id, self._settings.keep.column, ANNOTATIONS if annotate else ()
        )
        self._df = df
        self._boilerplate: DataFrame | None = None
        steps = Steps(df.sparkSession, self._settings.to_dict(), checkpoint)
        self.stats, self._tables, self._step = steps.stats, steps.tables, steps.step
        with steps.all_or_nothing():
            self._run(in_one_task, filter_from)

    def _run(self, in_one_task: int, filter_from: int) -> None:
        settings, tables, stats = self._settings, self._tables, self.stats
        with self._step("scan"):
            scanned = tables.keep(
                scan(self._df, self._columns, profile=settings.profile, values=settings.values,
                     layout=settings.layout, keep=settings.keep),
                "scanned",
            )  # fmt: skip
            documents, present, words, changed = only_row(
                scanned.agg(
                    fn.count(fn.lit(1)),
                    fn.count("digest"),
                    fn.sum("lookalikes"),
                    fn.count_if(fn.col("lookalikes") > 0),
                )
            )
        with self._step("copies"):
            self._unique = tables.keep(collapse(scanned), "unique")
            unique, shingles = only_row(self._unique.agg(fn.count(fn.lit(1)), fn.sum("shingles")))
        self._verify = Verifier(
            self._df, self._columns, self._unique, settings.profile, tables,
            filter_first=documents >= filter_from, measure=settings.measure,
        )  # fmt: skip
        with self._step("candidates"):
            compared, found = self._candidates(shingles)
        with self._step("verify"):
            self._pairs = tables.keep(self._verify(compared, settings.threshold), "verified")
            verified = self._pairs.count()
        with self._step("clusters"):
            clusters, rounds = components(self._pairs, verified, tables, in_one_task=in_one_task)
            self._choose(clusters)
        with self._step("decide"):
            decided = tables.keep(self._decide(scanned), "verdicts")
            gone = fn.col("rows") - fn.col("kept").cast("long")
            removed, copies, groups, self._ties = only_row(
                decided.agg(
                    fn.sum(gone),
                    fn.sum(fn.when(fn.col("copy"), gone)),
                    fn.count_distinct("cluster"),
                    fn.count_if((fn.col("rows") > 1) & fn.col("kept")),
                )
            )
        self._verdicts = decided.drop("copy")
        tables.drop("scanned", "candidates", "shingles", "clusters", "more", "wanted")
        stats.counts |= {
            "documents": documents,
            "empty": documents - present,
            "copies": present - unique,
            "unique": unique,
            **found,
            "verified": verified,
            "rounds": rounds,
            "clusters": groups,
            "kept": documents - removed,
            "removed": removed,
            "removed_copies": copies,
            "removed_similar": removed - copies,
            "lookalike_words": words,
            "lookalike_documents": changed,
        }
        stats.notes += LookAlikes(words, changed).notes()
        if settings.measure == "containment":
            stats.notes += boilerplate_notes(found["boilerplate"], settings.max_bucket)
        else:
            stats.notes += bucket_notes(stats.counts, settings.max_bucket)

    def _candidates(self, shingles: int) -> tuple[DataFrame, dict[str, int]]:
        """Pairs (a, b, part) to be compared, and how many of what there are."""
        settings, tables = self._settings, self._tables
        if settings.measure == "containment":
            pairs, boilerplate = containment.find_candidates(
                self._verify.all_texts(), shingles, settings, tables
            )
            self._boilerplate = tables.keep(boilerplate, "boilerplate")
            compared = tables.keep(pairs, "candidates")
            return compared, {
                "candidates": compared.count(), "boilerplate": self._boilerplate.count()
            }  # fmt: skip
        compared = tables.keep(
            candidates(self._unique, max_bucket=settings.max_bucket), "candidates"
        )
        found, large, aside = only_row(
            compared.agg(fn.count("a"), fn.sum("large"), fn.sum("set_aside"))
        )
        counts = {"candidates": found, "large_buckets": large, "set_aside": aside}
        return compared.where("a IS NOT NULL"), counts

    def _choose(self, clusters: DataFrame) -> None:
        """Decides who is kept; where that takes more pairs, they become verified ones."""
        chosen = self._choice(clusters, self._pairs, "chosen")
        finish = self._split_again if self._settings.chains == "split" else self._measure_far
        self._chosen = finish(chosen, clusters)

    def _choice(self, clusters: DataFrame, pairs: DataFrame, name: str) -> DataFrame:
        chosen = self._tables.keep(
            choose(self._unique, pairs, clusters, self._columns.id_type, self._settings), name
        )
        chosen.count()
        return chosen

    def _split_again(self, chosen: DataFrame, clusters: DataFrame) -> DataFrame:
        """Large clusters, of which several documents are kept, once more with more pairs."""
        large = self._tables.keep(large_clusters(chosen), "large")
        if large.limit(1).count() == 0:
            return chosen
        more = self._tables.keep(
            second_look(chosen, large, self._boilerplate).join(
                self._pairs, ["a", "b"], "left_anti"
            ),
            "more",
        )
        found = self._found_again(more)
        self._pairs = self._tables.keep(self._pairs.unionAll(found), "verified-again")
        in_large = clusters.join(large, "cluster", "left_semi").select("digest", "cluster")
        pairs = self._pairs.join(in_large, fn.col("a") == fn.col("digest"), "left_semi")
        again = self._choice(in_large, pairs, "chosen-again")
        return chosen.join(large, "cluster", "left_anti").unionByName(again)

    def _found_again(self, more: DataFrame) -> DataFrame:
        """Those of some pairs a < b that reach the threshold, in whatever direction."""
        settings = self._settings
        if settings.measure == "jaccard":
            return self._verify(more, settings.threshold)
        return self._verify(more, 0.0).where(similarity("containment") >= settings.threshold)

    def _measure_far(self, chosen: DataFrame, clusters: DataFrame) -> DataFrame:
        """A chain's end may have no pair with the one that is kept: its similarity is computed."""
        far = chosen.where("isnan(similarity)").select(
            fn.col("near").alias("a"),
            fn.col("digest").alias("b"),
            fn.floor(fn.col("place") / PART).cast("int").alias("part"),
        )
        computed = self._verify(far, 0.0).select(
            fn.col("b").alias("digest"), jaccard().alias("computed")
        )
        either = fn.coalesce("computed", "similarity").alias("similarity")
        measured = chosen.join(computed, "digest", "left").select(
            "digest", "cluster", "kept", "near", "similar_to", either, "place"
        )
        return self._tables.keep(measured, "measured")

    def _decide(self, scanned: DataFrame) -> DataFrame:
        """The rows in clusters: each id and text once, how many rows are so, and whether they have
        the shingles of a kept document."""
        of_digest = (
            self._unique.select("digest", "documents", "best")
            .join(self._chosen, "digest", "left")
            .where("documents > 1 OR cluster IS NOT NULL")
            .select(
                "digest",
                fn.coalesce("cluster", "digest").alias("cluster"),
                fn.coalesce("kept", fn.lit(True)).alias("stays"),
                "best",
                fn.coalesce("similar_to", "best.id").alias("near"),
                fn.coalesce("similarity", fn.lit(1.0)).alias("similarity"),
            )
        )
        is_best = fn.col("id").eqNullSafe(fn.col("best.id")) & (
            fn.col("text_hash") == fn.col("best.text_hash")
        )
        kept = fn.col("stays") & is_best
        rows = scanned.select("id", "text_hash", "digest").join(of_digest, "digest")
        verdict = fn.struct(
            fn.lower(fn.hex("cluster")).alias("cluster"),
            kept.alias("kept"),
            fn.when(~kept, fn.col("near")).alias("similar_to"),
            fn.when(~kept, fn.col("similarity")).alias("similarity"),
            fn.col("stays").alias("copy"),
        )
        return (
            rows.select("id", "text_hash", verdict.alias("verdict"))
            .groupBy("id", "text_hash")
            .agg(fn.count(fn.lit(1)).alias("rows"), fn.first("verdict").alias("verdict"))
            .select("id", "text_hash", "rows", "verdict.*")
        )

    def kept(self) -> DataFrame:
        """The rows that are kept, with all columns."""
        if self._ties:
            return self.annotated().where("kept").drop(*ANNOTATIONS)
        gone = self._verdicts.where("NOT kept")
        return self._columns.joined(self._df, gone, "left_anti").drop(TEXT_HASH)

    def annotated(self) -> DataFrame:
        """All rows, with cluster, kept, similar_to and similarity."""
        check_columns(self._df, self._columns.text, self._columns.id, added=ANNOTATIONS)
        joined = self._columns.joined(self._df, self._verdicts, "left").withColumn(
            "_likewise_kept", fn.coalesce("_likewise_kept", fn.lit(True))
        )
        if self._ties:
            joined = self._first_of_ties(joined)
        own = [column(name) for name in self._df.columns]
        added = [fn.col(f"_likewise_{name}").alias(name) for name in ANNOTATIONS]
        return joined.select(*own, *added)

    def _first_of_ties(self, joined: DataFrame) -> DataFrame:
        """Of rows with the same id and text one is kept, by the hash of all their columns."""
        tied = fn.col("_likewise_kept") & (fn.col("_likewise_rows") > 1)
        tied = fn.coalesce(tied, fn.lit(False))
        id_ = column(self._columns.id)
        rows = joined.where(tied)
        everything = fn.to_json(fn.struct(*(column(name) for name in self._df.columns)))
        place = fn.row_number().over(
            Window.partitionBy(id_, fn.col(TEXT_HASH)).orderBy(fn.xxhash64(everything))
        )
        first = fn.col("_likewise_place") == 1
        settled = (
            rows.withColumn("_likewise_place", place)
            .withColumn("_likewise_kept", first)
            .withColumn("_likewise_similar_to", fn.when(~first, id_))
            .withColumn("_likewise_similarity", fn.when(~first, fn.lit(1.0)))
            .drop("_likewise_place")
        )
        return joined.where(~tied).unionByName(settled)

    def verdicts(self) -> DataFrame:
        """Of the rows that are in a cluster: id, cluster, kept, similar_to and similarity.

        A row for each id and text (`text_hash` is Spark's xxhash64 of it); `rows` says how many
        rows of the DataFrame are so. Of several that would be kept, one is.
        """
        return self._verdicts

    def clusters(self) -> DataFrame:
        """The clusters: name, documents, unique, kept, lowest_inside, lowest_inside_exact and
        lowest_removed, as `likewise.deduplicate` gives them."""
        return describe(
            self._unique, self._chosen, self._pairs, self._verify, self._settings.measure
        )

    def pairs(self) -> DataFrame:
        """The verified pairs: a and b are digests (binary), the smaller first."""
        return self._pairs.select("a", "b", jaccard().alias("jaccard"), "shared", "size_a",
                                  "size_b")  # fmt: skip

    def drop_all_but_verdicts(self) -> None:
        """Gives up the tables that `clusters` and `pairs` are computed from."""
        self._tables.drop_all_but("verdicts")

    def release(self) -> None:
        """Gives up all tables; what was made of them has to be written before."""
        self._tables.release()
