"""`decontaminate`: the rows of a DataFrame without those that contain items of benchmarks.

The benchmarks are sent to each machine once; documents pass by and stay where they are. Recall is
measured on the driver, on copies planted into the same sample of documents as on one machine.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from likewise.decontamination.benchmark_files import BenchmarkItems
from likewise.decontamination.contamination import (
    HIT_COLUMNS,
    BenchmarkCount,
    Findings,
    count_by_benchmark,
    item_counts,
)
from likewise.decontamination.decontaminate import given_items, items_of
from likewise.decontamination.expected_hits import expected_hits
from likewise.decontamination.item_search import ItemSearch
from likewise.decontamination.judgement import Judge
from likewise.decontamination.recall import MAX_CHARACTERS, SAMPLE, measure_recall
from likewise.decontamination.row_verdicts import ANNOTATIONS
from likewise.decontamination.settings import (
    Action,
    DecontaminationOptions,
    DecontaminationSettings,
    check_action,
)
from likewise.spark.arrow import map_arrow
from likewise.spark.columns import ID, TEXT, TEXT_HASH, check_columns, column
from likewise.spark.item_matches import (
    HIT_FIELDS,
    Benchmarks,
    CutTexts,
    JudgeRows,
    SampleKeys,
    SearchRows,
    WordHolders,
    hits_schema,
    matches_schema,
)
from likewise.spark.numbering import numbered, schema_of, with_order
from likewise.spark.steps import Steps, only_row
from likewise.threads import thread_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from likewise.decontamination.items import Items
    from likewise.types import Ids, Texts


def decontaminate(
    df: DataFrame,
    against: Texts | Mapping[str, Texts],
    *,
    text: str = "text",
    id: str = "id",
    against_ids: Ids[Any] | Mapping[str, Ids[Any]] | None = None,
    action: Action = "drop",
    checkpoint: str | None = None,
    **options: Unpack[DecontaminationOptions],
) -> DataFrame:
    """The rows of a DataFrame without those that contain items of benchmarks.

    Args:
        df: rows that are the same whenever Spark reads them.
        against, against_ids: the items of one benchmark, or of several by their names, and their
            ids, as in `likewise.decontaminate`; they are sent to every machine.
        text: the column of strings; a row whose text is null is kept.
        id: the column that names the rows, of any type that can be compared. Ids may repeat or be
            null.
        action: "drop" for the rows without a hit, "cut" for rows without the shared passages, and
            without rows of which nothing is left, "annotate" for all rows with the columns kept,
            benchmarks, benchmark_items, benchmark_share and benchmark_run.
        checkpoint: a folder that all machines see, for the tables between the steps.
        options: min_words, max_p, max_documents, planted and seed, as in `likewise.decontaminate`.

    All is decided before it returns; the rows themselves are read again when the result is used.
    `Decontamination` gives the hits, counts and recall too.
    """
    done = Decontamination(
        df, against, text=text, id=id, against_ids=against_ids, action=action,
        checkpoint=checkpoint, **options,
    )  # fmt: skip
    return done.rows()


class Decontamination:
    """What was found in the rows of a DataFrame.

    Attributes:
        found: counts by benchmark, recall, expected hits and templates.
        stats: settings, counts, seconds of each step, and notes.
    """

    def __init__(
        self,
        df: DataFrame,
        against: Texts | Mapping[str, Texts] | BenchmarkItems,
        *,
        text: str = "text",
        id: str = "id",
        against_ids: Ids[Any] | Mapping[str, Ids[Any]] | None = None,
        action: Action = "drop",
        checkpoint: str | None = None,
        **options: Unpack[DecontaminationOptions],
    ) -> None:
        """As `decontaminate`; `against` may also be what `read_benchmarks` gives."""
        check_action(action)
        self._settings = DecontaminationSettings(**options)
        self._columns = check_columns(
            df, text, id, added=ANNOTATIONS if action == "annotate" else ()
        )
        self._df, self._action = df, action
        steps = Steps(df.sparkSession, self._settings.to_dict() | {"action": action}, checkpoint)
        self.stats, self._tables, self._step = steps.stats, steps.tables, steps.step
        with steps.all_or_nothing():
            with self._step("items"):
                given = against
                if not isinstance(given, BenchmarkItems):
                    given = BenchmarkItems(*given_items(given, against_ids))
                items = items_of(
                    given.texts, given.ids, given.benchmarks, self._settings, thread_count(None)
                )
            self._run(items, given.texts)

    def _run(self, items: Items, originals: list[str]) -> None:
        settings, tables, stats = self._settings, self._tables, self.stats
        benchmarks = Benchmarks.sent(self._df.sparkSession, items, settings)
        kind = self._columns.id_type.simpleString()
        rows = self._columns.rows(self._df)
        with self._step("search"):
            texts = rows.select(
                fn.col(ID).alias("id"),
                fn.col(TEXT_HASH).alias("text_hash"),
                fn.col(TEXT).alias("text"),
            )
            found = tables.keep(
                map_arrow(texts, SearchRows(benchmarks), matches_schema(kind)), "matches"
            )
            lengths = self._lengths(found)
            matches = found.where("words IS NOT NULL")
        with self._step("decide"):
            holders = self._holders(matches, benchmarks)
            self._hits = tables.keep(
                map_arrow(matches, JudgeRows(benchmarks, holders), hits_schema(kind)), "hits"
            )
            counts, by_benchmark = self._count(items)
            expected = expected_hits(items, lengths, settings.max_p)
        with self._step("recall"):
            threads = thread_count(None)
            recall = measure_recall(
                ItemSearch(items, settings.max_p, threads), Judge(items, settings, holders),
                originals, self._sample() if settings.planted else [], settings.planted,
                settings.seed, threads,
            )  # fmt: skip
        documents = sum(lengths.values())
        stats.counts |= {
            "documents": documents,
            "words": sum(length * count for length, count in lengths.items()),
            **item_counts(items),
            **counts,
        }
        self.found = Findings(
            benchmarks=by_benchmark, recall=recall, expected=expected, stats=stats
        )
        self.found.describe_items(items)
        with self._step("cut"):
            removed = self._removed(counts["contaminated"])
        stats.counts |= {"kept": documents - removed, "removed": removed}
        tables.drop("matches", "numbered", "sample")

    def _lengths(self, found: DataFrame) -> Counter[int]:
        """How many documents have each number of words."""
        rows = found.where("words IS NULL").groupBy("length").agg(fn.sum("documents"))
        return Counter({row[0]: row[1] for row in rows.collect()})

    def _holders(self, matches: DataFrame, benchmarks: Benchmarks) -> dict[int, Any]:
        """How many documents have each word of the items that very many share something with."""
        of_item = matches.select(fn.explode("matches.item").alias("item")).groupBy("item").count()
        most = self._settings.max_documents
        wanted = frozenset(row[0] for row in of_item.where(fn.col("count") > most).collect())
        if not wanted:
            return {}
        own = map_arrow(matches, WordHolders(benchmarks, wanted), "item int, word int, own long")
        rows = own.groupBy("item", "word").agg(fn.sum("own")).collect()
        return WordHolders.collected(benchmarks.items, wanted, rows)

    def _count(self, items: Items) -> tuple[dict[str, int], list[BenchmarkCount]]:
        hits = self._hits.select(fn.explode("hits").alias("hit"))
        is_hit = fn.col("hit.verdict") == "hit"
        number, templates = only_row(hits.agg(fn.count_if(is_hit), fn.count_if(~is_hit)))
        seen = hits.select("hit.number", "hit.verdict").distinct().collect()
        of_row = fn.array_distinct(
            fn.transform(
                fn.filter("hits", lambda hit: hit["verdict"] == "hit"),
                lambda hit: hit["benchmark"],
            )
        )
        documents = self._hits.select(fn.explode(of_row).alias("benchmark")).groupBy("benchmark")
        by_benchmark = count_by_benchmark(
            items,
            {(items.benchmarks[row[0]], items.ids[row[0]], row[1]) for row in seen},
            {row[0]: row[1] for row in documents.count().collect()},
        )
        contaminated = self._hits.where("places IS NOT NULL").count()
        counts = {"hits": number, "templates": templates, "contaminated": contaminated}
        return counts, by_benchmark

    def _sample(self) -> list[str]:
        """The texts into which copies are planted: those of `recall.Sample` where documents are
        in the order of their ids."""
        rows = self._columns.rows(self._df).select(
            fn.col(ID).alias("id"),
            fn.col(TEXT_HASH).alias("text_hash"),
            self._columns.id_text.alias("key"),
        )
        ordered = map_arrow(rows, with_order, schema_of("key binary", rows, "key"))
        placed = numbered(ordered.orderBy("key", "text_hash"), self._tables, "numbered")
        kind = self._columns.id_type.simpleString()
        few = map_arrow(placed, SampleKeys(), f"id {kind}, text_hash long, sample long")
        chosen = self._tables.keep(few.orderBy("sample").limit(SAMPLE), "sample")
        same = fn.col("id").eqNullSafe(fn.col(ID)) & (fn.col("text_hash") == fn.col(TEXT_HASH))
        texts = (
            self._columns.rows(self._df)
            .join(fn.broadcast(chosen), same)
            .select("sample", fn.substring(TEXT, 1, MAX_CHARACTERS).alias("text"))
            .dropDuplicates(["sample"])
        )
        return [row["text"] or "" for row in sorted(texts.collect())]

    def _removed(self, contaminated: int) -> int:
        """How many rows are dropped; and for "cut", what is left of the others."""
        if self._action != "cut":
            return contaminated if self._action == "drop" else 0
        rows = self._columns.joined(self._df, self._of_rows("places"), "inner")
        texts = rows.select(
            column(self._columns.id).alias("id"),
            fn.col(TEXT_HASH).alias("text_hash"),
            column(self._columns.text).alias("text"),
            fn.col("_likewise_places").alias("places"),
        )
        kind = self._columns.id_type.simpleString()
        schema = f"id {kind}, text_hash long, left string"
        self._cut = self._tables.keep(map_arrow(texts, CutTexts(), schema), "cut")
        return self._cut.where("left IS NULL").count()

    def _of_rows(self, *names: str) -> DataFrame:
        """What is known of the rows with hits, by id and text."""
        known = self._hits.where("places IS NOT NULL").select("id", "text_hash", *names)
        return known.dropDuplicates(["id", "text_hash"])

    def rows(self) -> DataFrame:
        """The rows of the DataFrame as the action has them."""
        if self._action == "drop":
            rows = self._columns.joined(self._df, self._of_rows(), "left_anti")
            return rows.drop(TEXT_HASH)
        own = [column(name) for name in self._df.columns]
        if self._action == "annotate":
            names = ANNOTATIONS[1:]
            rows = self._columns.joined(self._df, self._of_rows(*names), "left")
            found = {name: fn.col(f"_likewise_{name}") for name in names}
            found["benchmark_items"] = fn.coalesce(found["benchmark_items"], fn.lit(0))
            kept = fn.col("_likewise_benchmarks").isNull().alias(ANNOTATIONS[0])
            return rows.select(*own, kept, *(found[name].alias(name) for name in names))
        cut = self._cut.dropDuplicates(["id", "text_hash"]).withColumn("cut", fn.lit(True))
        rows = self._columns.joined(self._df, cut, "left")
        text = self._columns.text
        left = fn.coalesce(fn.col("_likewise_left"), column(text)).alias(text)
        return rows.where("_likewise_cut IS NULL OR _likewise_left IS NOT NULL").select(
            *(left if name == text else column(name) for name in self._df.columns)
        )

    def hits(self) -> DataFrame:
        """Hits and templates, in any order: the columns of `Contamination.to_arrow`, with the
        document's id as it was given."""
        hits = self._hits.select("id", fn.explode("hits").alias("hit"))
        return hits.select(
            *(
                fn.col("id").alias(name) if name == "document" else fn.col(f"hit.{name}")
                for name in HIT_COLUMNS
            )
        )

    def to_arrow(self) -> pa.Table:
        """The table of `Contamination.to_arrow`: by benchmark, item and document; on the driver."""
        from likewise.search.order import id_key

        id_text = replace(self._columns, id="id").id_text.alias("document")
        columns = [fn.col(f"hit.{name}") for name in ("number", *HIT_FIELDS)]
        hits = self._hits.select("id", fn.explode("hits").alias("hit"))
        table = hits.select(id_text, *columns).toArrow()
        keys = [table.column(name).to_pylist() for name in ("benchmark", "number", "document")]
        keys[2] = [id_key(name or "") for name in keys[2]]
        rows = list(zip(*keys, strict=True))
        order = sorted(range(len(rows)), key=rows.__getitem__)
        return table.select(list(HIT_COLUMNS)).take(order)

    def release(self) -> None:
        """Gives up all tables; what was made of them has to be written before."""
        self._tables.release()
