"""`PartDeduplication`: the rows of a DataFrame without repeated paragraphs, lines or passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from pyspark.sql import functions as fn

from likewise.dedup.parts.in_memory import DEFAULT_TEMPLATES
from likewise.dedup.parts.result import Template
from likewise.dedup.parts.settings import PASSAGE, PartSettings
from likewise.dedup.parts.verdicts import COLUMNS
from likewise.spark.columns import check_columns, check_ids, column
from likewise.spark.connected_components import IN_ONE_TASK
from likewise.spark.parts.cut_texts import cut_texts
from likewise.spark.parts.passage_rounds import PassageRounds
from likewise.spark.parts.repetitions import find_repetitions, scan_parts
from likewise.spark.steps import Steps, only_row

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.dedup.parts.settings import CutAt, PartUnit
    from likewise.text.profile import Profile


class PartOptions(TypedDict, total=False):
    """The options of `likewise.deduplicate` for parts of texts."""

    unit: PartUnit
    min_words: int | None
    min_count: int | None
    cut_at: CutAt | None
    profile: Profile | str
    keep: str


class PartDeduplication:
    """What is removed of the texts of a DataFrame.

    Attributes:
        templates: the paragraphs or lines that were removed most often; none for passages.
        stats: settings, counts, seconds of each step, and notes.
    """

    def __init__(
        self,
        df: DataFrame,
        *,
        text: str = "text",
        id: str = "id",
        settings: PartSettings | None = None,
        checkpoint: str | None = None,
        annotate: bool = False,
        templates: int = DEFAULT_TEMPLATES,
        in_one_task: int = IN_ONE_TASK,
        **options: Unpack[PartOptions],
    ) -> None:
        """Finds what is removed.

        Args:
            df: rows that are the same whenever Spark reads them.
            text: the column of strings; a null is no text.
            id: the column that names the rows, of any type that can be compared; unique, not null.
            settings: in place of options.
            checkpoint: a folder that all machines see, for the tables between the steps.
            annotate: check that the names of annotations are free, before any work.
            templates: how many to list.
            in_one_task: up to this many connected documents one task finds the components.
            options: unit, min_words, min_count, cut_at, profile and keep, as in
                `likewise.deduplicate`.
        """
        given: Any = options
        self._settings = settings or PartSettings.checked(**given, threads=1)
        self._columns = check_columns(
            df, text, id, self._settings.keep.column, COLUMNS if annotate else ()
        )
        self._df = df
        self._in_one_task = in_one_task
        self.templates: list[Template[Any]] = []
        steps = Steps(df.sparkSession, self._settings.to_dict(), checkpoint)
        self.stats, self._tables, self._step = steps.stats, steps.tables, steps.step
        with steps.all_or_nothing():
            self._run(templates)

    def _run(self, templates: int) -> None:
        tables, stats = self._tables, self.stats
        find = self._passages if self._settings.unit == PASSAGE else self._repetitions
        documents, words, removed, counts = find(templates)
        with self._step("decide"):
            self._verdicts = tables.keep(removed, "verdicts")
            changed, gone, parts, dropped = only_row(
                self._verdicts.agg(
                    fn.count(fn.lit(1)), fn.sum("removed_words"), fn.sum("removed_parts"),
                    fn.count_if(~fn.col("kept")),
                )
            )  # fmt: skip
        tables.drop_all_but("verdicts")
        stats.counts |= {
            "documents": documents,
            "words": words,
            "removed_words": gone,
            "removed_parts": parts,
            "changed": changed,
            "kept": documents - dropped,
            "removed": dropped,
            **counts,
        }

    def _repetitions(self, templates: int) -> tuple[int, int, DataFrame, dict[str, int]]:
        """Documents, their words, what is cut, and further counts."""
        tables = self._tables
        with self._step("scan"):
            scanned = tables.keep(scan_parts(self._df, self._columns, self._settings), "scanned")
            check_ids(scanned, self._columns.id)
            documents, words = only_row(scanned.agg(fn.count(fn.lit(1)), fn.sum("words")))
        with self._step("find"):
            removed, repeated = find_repetitions(scanned, self._settings, tables)
            counts = {"repeated": repeated.count()}
            self.templates = self._templates(repeated, templates)
        return documents, words, removed, counts

    def _passages(self, _: int) -> tuple[int, int, DataFrame, dict[str, int]]:
        with self._step("scan"):
            search = PassageRounds(
                self._df, self._columns, self._settings, self._tables, self._in_one_task
            )
            check_ids(search.documents, self._columns.id)
            documents = search.documents.count()
        with self._step("find"):
            removed = search.run()
        return documents, search.words, removed, {"rounds": search.rounds}

    def _templates(self, repeated: DataFrame, count: int) -> list[Template[Any]]:
        """The most frequent ones; of equally frequent ones the longest, then the first."""
        first = repeated.orderBy(
            fn.desc("count"), fn.desc("first.words"), "first.order", "first.begin"
        ).limit(count)
        ordered = first.select("count", "first.*").collect()
        found = first.select("first.id", "first.begin", "first.end")
        texts = self._columns.joined_by_id(self._df, found, "inner").select(
            "_likewise_known_id", "_likewise_begin",
            fn.substr(
                column(self._columns.text), fn.col("_likewise_begin") + 1,
                fn.col("_likewise_end") - fn.col("_likewise_begin"),
            ),
        )  # fmt: skip
        text_of = {(repr(id_), begin): text for id_, begin, text in texts.collect()}
        return [
            Template(
                row["count"] - 1, row["id"], row["begin"], row["end"],
                text_of[repr(row["id"]), row["begin"]].strip(),
            )
            for row in ordered
        ]  # fmt: skip

    def kept(self) -> DataFrame:
        """The rows with what is left of their texts, without those of which nothing is."""
        known = self._verdicts.select("id", "kept", "removed")
        rows = self._columns.joined_by_id(self._df, known, "left")
        text = self._columns.text
        shortened = cut_texts(column(text), fn.col("_likewise_removed")).alias(text)
        return rows.where("_likewise_kept IS NULL OR _likewise_kept").select(
            *(shortened if name == text else column(name) for name in self._df.columns)
        )

    def annotated(self) -> DataFrame:
        """All rows as they are, with kept and removed, a list of [start, end] in characters."""
        check_columns(self._df, self._columns.text, self._columns.id, added=COLUMNS)
        known = self._verdicts.select("id", *COLUMNS)
        rows = self._columns.joined_by_id(self._df, known, "left")
        none = {"kept": fn.lit(True), "removed": fn.array().cast("array<array<long>>")}
        own = [column(name) for name in self._df.columns]
        return rows.select(
            *own,
            *(fn.coalesce(f"_likewise_{name}", none[name]).alias(name) for name in COLUMNS),
        )

    def verdicts(self) -> DataFrame:
        """Of the rows from which something is removed: id, kept and removed."""
        return self._verdicts.select("id", *COLUMNS)

    def release(self) -> None:
        """Gives up all tables; what was made of them has to be written before."""
        self._tables.release()
