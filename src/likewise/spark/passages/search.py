"""`find_passages` and `find_families` of the rows of a DataFrame, or of two.

::

    df ─ documents.py ─┬→ shared_fingerprints.py ─┬→ alignment.py ─→ filters.py ─→ families.py
         (numbered in  └→ shared_words.py ────────┘  (texts come                   (each component
          their order)    (candidates)                to pairs)                     in one task)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, TypedDict, Unpack

from pyspark.sql import functions as fn

from likewise.passages.aligned_pairs import can_align_all
from likewise.passages.alignment import checked_rates
from likewise.passages.document_set import FIRST
from likewise.passages.families.find import common_note
from likewise.passages.find import set_aside_note
from likewise.passages.pair_passages import alignment_settings
from likewise.passages.settings import NOTHING, PassageSettings, check_exclusions
from likewise.spark.connected_components import IN_ONE_TASK
from likewise.spark.passages.alignment import FIELDS, Aligner
from likewise.spark.passages.documents import Sources, read_documents
from likewise.spark.passages.families import FamilySearch
from likewise.spark.passages.filters import differ_in, of_enough_share, of_few_sources
from likewise.spark.passages.shared_fingerprints import pairs_by_fingerprints
from likewise.spark.passages.shared_words import BLOCK_WORDS, pairs_by_rare_words
from likewise.spark.steps import Steps
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.passages.alignment import AlignmentSettings
    from likewise.passages.settings import Exclusions
    from likewise.text.word_frequencies import Frequencies


class PassageSearchOptions(TypedDict, total=False):
    """The options of `PassageSearch`, which describes them."""

    against: DataFrame | None
    text: str
    id: str
    metadata: Mapping[str, str] | None
    min_words: int
    max_documents: int
    edited: bool
    exclude: Exclusions
    rates: Frequencies | None
    settings: AlignmentSettings | None
    checkpoint: str | None


def find_passages(df: DataFrame, **options: Unpack[PassageSearchOptions]) -> DataFrame:
    """The passages that rows of a DataFrame share with each other, or with those of another, in
    any order: the columns of `likewise.find_passages`, and the same rows.

    `PassageSearch` describes the options. The work is done before it returns; the rows stay in
    Spark's cache until `unpersist()`, or in the folder `checkpoint`.
    """
    search = PassageSearch(df, **options)
    return search.result(search.passages())


def find_families(df: DataFrame, **options: Unpack[PassageSearchOptions]) -> DataFrame:
    """The passage families of the rows of a DataFrame, or of two, one witness a row, in any order:
    the columns of `likewise.find_families`, and the same rows.

    `PassageSearch` describes the options. The work is done before it returns; the rows stay in
    Spark's cache until `unpersist()`, or in the folder `checkpoint`.
    """
    search = PassageSearch(df, **options)
    return search.result(search.families())


class PassageSearch:
    """A search for passages.

    Attributes:
        stats: settings, counts, seconds of each step, and notes.
    """

    def __init__(
        self,
        df: DataFrame,
        *,
        against: DataFrame | None = None,
        text: str = "text",
        id: str = "id",
        metadata: Mapping[str, str] | None = None,
        exclude: Exclusions = NOTHING,
        rates: Frequencies | None = None,
        settings: AlignmentSettings | None = None,
        checkpoint: str | None = None,
        in_one_task: int = IN_ONE_TASK,
        block_words: int = BLOCK_WORDS,
        **options: Unpack[_PassageOptions],
    ) -> None:
        """Finds the passages.

        Args:
            df: rows that are the same whenever Spark reads them.
            against: a second collection, in which the sources of `df` are searched for.
            text: the column of strings; a null is no text, and shares nothing.
            id: the column that names the rows, of any type that can be compared; unique in each
                DataFrame, and not null. It has the same name and type in both.
            metadata: the columns of author, group, date and title, by these fields.
            exclude, rates, settings: as in `likewise.find_passages`.
            checkpoint: a folder that all machines see, for the tables between the steps.
            in_one_task: up to this many connected places of passages one task finds the components.
            block_words: rare words of the documents that one task compares with as many others.
            options: min_words, max_documents and edited, as in `likewise.find_passages`.

        The first document is the one with the smallest id.
        """
        self._options = PassageSettings(**options)
        check_exclusions(exclude)
        check_whole("block_words", block_words, 1)
        alignment = alignment_settings(self._options.min_words, settings)
        aligner = Aligner(
            self._options.min_words, exclude.min_passage, checked_rates(rates, alignment), alignment
        )
        sources = Sources.of(df, against, text=text, id=id, metadata=metadata, exclude=exclude)
        self._steps = Steps(df.sparkSession, asdict(self._options), checkpoint)
        self.stats, self._tables = self._steps.stats, self._steps.tables
        self._in_one_task = in_one_task
        self._checkpoint = checkpoint
        with self._steps.all_or_nothing():
            self._run(sources, aligner, exclude, block_words)

    def _run(
        self, sources: Sources, aligner: Aligner, exclude: Exclusions, block_words: int
    ) -> None:
        tables, counts = self._tables, self.stats.counts
        with self._steps.step("words"):
            self._documents, self.common_text = read_documents(sources, exclude, tables)
            totals = self._documents.groupBy("side").agg(fn.count(fn.lit(1)), fn.sum("size"))
            sizes = {row[0]: (row[1], row[2]) for row in totals.collect()}
            tables.drop("rows")
        count = sum(documents for documents, _ in sizes.values())
        with self._steps.step("candidates"):
            pairs = tables.keep(
                self._candidates(sources, aligner, sizes, count, block_words), "candidates"
            )
            found = pairs.count()
            pairs = differ_in(pairs, self._documents, exclude.same)
            compared = pairs.count() if exclude.same else found
            if compared < found:
                counts["of_the_same"] = found - compared
            tables.drop("by-fingerprints", "words", "parts")
        with self._steps.step("align"):
            passages = aligner.passages(pairs, self._documents)
            if exclude.max_sources is not None or exclude.min_share:
                passages = tables.keep(passages, "aligned")
            passages = of_few_sources(passages, exclude.max_sources)
            passages = of_enough_share(passages, exclude.min_share)
            self._passages = tables.keep(passages, "passages")
            reworded = fn.count_if(fn.col("runs").isNull())
            row = self._passages.agg(
                fn.count(fn.lit(1)), reworded, fn.count_distinct("a", "b")
            ).first()
            assert row is not None
            tables.drop("candidates", "aligned")
        counts |= {
            "documents": count,
            "candidates": compared,
            "pairs": row[2],
            "passages": row[0] - row[1],
            "reworded": row[1],
        }

    def _candidates(
        self,
        sources: Sources,
        aligner: Aligner,
        sizes: Mapping[int, tuple[int, int]],
        count: int,
        block_words: int,
    ) -> DataFrame:
        options, documents, stats = self._options, self._documents, self.stats
        first, words = sizes.get(FIRST, (0, 0))
        others = count - first
        other_words = sum(size for _, size in sizes.values()) - words
        inside = not sources.two
        if options.edited and can_align_all(words, first, other_words, others, inside=inside):
            filled = documents.where("size > 0").select("number", "side")
            a = filled.select(fn.col("number").alias("a"), fn.col("side").alias("of_a"))
            b = filled.select(fn.col("number").alias("b"), fn.col("side").alias("of_b"))
            met = (fn.col("a") < fn.col("b")) & (
                fn.lit(inside) | (fn.col("of_a") != fn.col("of_b"))
            )
            return a.crossJoin(b).where(met).select("a", "b")
        by_runs = pairs_by_fingerprints(
            documents, min_words=options.min_words, max_documents=options.max_documents,
            two=sources.two,
        )  # fmt: skip
        grouped = by_runs.groupBy("a", "b").agg(fn.sum("set_aside").alias("set_aside"))
        grouped = self._tables.keep(grouped, "by-fingerprints")
        row = grouped.agg(fn.sum("set_aside"), fn.count("a")).first()
        assert row is not None
        stats.counts |= {"set_aside": row[0] or 0, "by_runs": row[1]}
        if row[0]:
            stats.notes.append(set_aside_note(options.max_documents))
        pairs = grouped.where("a IS NOT NULL").select("a", "b")
        if options.edited and count > 2:
            by_words = pairs_by_rare_words(
                documents, count, self._tables, two=sources.two,
                stem_letters=aligner.settings.stem_letters, block_words=block_words,
            )  # fmt: skip
            pairs = pairs.unionAll(by_words).distinct()
        return pairs

    def passages(self) -> DataFrame:
        """The rows of `Passages`, in any order; computed when they are used."""
        found = self._passages.select("a", "b", *FIELDS)
        for side in ("a", "b"):
            ids = self._documents.select(fn.col("number").alias(side), fn.col("id").alias("id"))
            found = found.join(ids, side).drop(side).withColumnRenamed("id", side)
        return found.select("a", "b", *FIELDS)

    def families(self, min_words: int | None = None) -> DataFrame:
        """The rows of `Families`, in any order; `min_words` as in `likewise.find_families`."""
        wanted = self._options.min_words if min_words is None else min_words
        check_whole("min_words", wanted, 1)
        tables, most = self._tables, self._options.max_documents
        search = FamilySearch(self._documents, self._passages, wanted, tables, self._in_one_task)
        with self._steps.step("families"):
            witnesses = tables.keep(search.located(search.witnesses()), "witnesses")
            witnesses.count()
            if self.stats.counts.get("set_aside"):
                common = search.common(witnesses, most)
                if omitted := common.count():
                    self.stats.notes.append(common_note(omitted, most))
                    witnesses = witnesses.join(common, ["cluster", "at"], "left_anti")
            rows = tables.keep(search.rows(witnesses), "rows-of-families")
            row = rows.agg(fn.count_distinct("family"), fn.count_distinct("side", "document"))
            found = row.first()
            assert found is not None
            self.stats.counts |= {"families": found[0], "in_families": found[1]}
            tables.drop("placed", "edges", "clusters", "witnesses", "runs", "common", "families")
        return rows

    def result(self, rows: DataFrame) -> DataFrame:
        """Some rows of this search, computed, when nothing else will be asked of it."""
        with self._steps.step("result"):
            kept = rows.persist() if self._checkpoint is None else self._tables.keep(rows, "result")
            kept.count()
            self._tables.drop_all_but("result")
        return kept

    def release(self) -> None:
        """Gives up the tables between the steps; what was computed from them must be written
        before."""
        self._tables.release()


class _PassageOptions(TypedDict, total=False):
    min_words: int
    max_documents: int
    edited: bool
