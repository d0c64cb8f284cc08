"""`--engine spark`: what Spark reads to what Spark writes, in the same formats."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from likewise.decontamination.row_verdicts import ANNOTATIONS as BENCHMARK_ANNOTATIONS
from likewise.dedup.files.verdicts import COLUMNS
from likewise.dedup.parts.verdicts import COLUMNS as PART_COLUMNS
from likewise.documents.notice import note_lines
from likewise.errors import UsageError
from likewise.spark.file_groups import Wanted
from likewise.spark.session import explained, open_session

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from likewise.decontamination.contamination import Findings
    from likewise.decontamination.settings import Action, DecontaminationSettings
    from likewise.dedup.parts.report import PartReport
    from likewise.dedup.parts.settings import PartSettings
    from likewise.dedup.report import Report
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.tables.source import RowSource
    from likewise.spark.file_rows import FileRows


def run(
    sources: Sequence[str],
    output: str,
    settings: DedupSettings,
    *,
    master: str | None = None,
    text: str | None = None,
    id: str | None = None,
    annotate: bool = False,
    overwrite: bool = False,
    checkpoint: str | None = None,
    clusters: int = 0,
    opened: Callable[[RowSource], None] | None = None,
) -> Report:
    """Deduplicates the sources into the folder `output`, and gives a report.

    Args:
        sources: files, folders and patterns, on disk or wherever Spark can read.
        output: a folder, in which Spark writes its parts; if the sources have several formats or
            schemas, a folder for each in it.
        settings: what is decided.
        master: the cluster, as in spark://host:7077, yarn or local[4]; without it what Spark's
            own configuration says, or all processors of this machine.
        text, id: the columns; by their usual names, if not given. There must be an id.
        annotate: write all rows, with what was decided, and not only those that are kept.
        overwrite: replace the output.
        checkpoint: a folder that all machines see, for the tables between the steps.
        clusters: how many of the largest clusters, and of those with the lowest similarity inside,
            the report lists; for these texts are read once more.
        opened: called with the files on disk before they are read.
    """
    from likewise.dedup.report import Report

    added = COLUMNS if annotate else ()
    wanted = Wanted(text, id, settings.keep.column, added)
    with _opened(sources, output, wanted, master, overwrite, opened) as rows:
        from likewise.spark.dedup import Deduplication
        from likewise.spark.file_rows import ID, TEXT, VALUE

        named = settings
        if settings.keep.column is not None:
            named = replace(settings, keep=replace(settings.keep, column=VALUE))
        done = Deduplication(rows.df, text=TEXT, id=ID, settings=named, checkpoint=checkpoint)
        try:
            with done.stats.timed("write"):
                decided = done.annotated() if annotate else done.kept()
                rows.write(decided, added, output, overwrite)
            report = Report(
                settings.to_dict() | {"engine": "spark"},
                done.stats.counts, done.stats.seconds, notes=done.stats.notes,
            )  # fmt: skip
            if clusters:
                found = done.clusters().persist()
                report.largest = _first(found, "documents", False, clusters)
                report.most_chained = _first(found, "lowest_inside", True, clusters)
        finally:
            done.release()
    return report


def run_parts(
    sources: Sequence[str],
    output: str,
    settings: PartSettings,
    *,
    master: str | None = None,
    text: str | None = None,
    id: str | None = None,
    annotate: bool = False,
    overwrite: bool = False,
    checkpoint: str | None = None,
    examples: int = 0,
    opened: Callable[[RowSource], None] | None = None,
) -> PartReport:
    """Writes the sources without repeated paragraphs, lines or passages.

    `examples` is how many templates the report lists; the other arguments are those of `run`.
    """
    from likewise.dedup.parts.report import PartReport

    added = PART_COLUMNS if annotate else ()
    wanted = Wanted(text, id, settings.keep.column, added)
    with _opened(sources, output, wanted, master, overwrite, opened) as rows:
        from likewise.spark.file_rows import ID, TEXT, VALUE
        from likewise.spark.parts.part_deduplication import PartDeduplication

        if not annotate:
            rows.check_replaceable()
        named = settings
        if settings.keep.column is not None:
            named = replace(settings, keep=replace(settings.keep, column=VALUE))
        done = PartDeduplication(
            rows.df, text=TEXT, id=ID, settings=named, checkpoint=checkpoint, templates=examples
        )
        try:
            with done.stats.timed("write"):
                decided = done.annotated() if annotate else done.kept()
                rows.write(decided, added, output, overwrite, edited=not annotate)
        finally:
            done.release()
    return PartReport(
        settings.to_dict() | {"engine": "spark"}, done.stats.counts, done.stats.seconds,
        notes=done.stats.notes, templates=[asdict(one) for one in done.templates],
    )  # fmt: skip


def decontaminate(
    sources: Sequence[str],
    output: str,
    settings: DecontaminationSettings,
    *,
    against: Sequence[str],
    action: Action = "drop",
    item_text: str | None = None,
    item_id: str | None = None,
    benchmark: str | None = None,
    master: str | None = None,
    text: str | None = None,
    id: str | None = None,
    cache: bool = True,
    overwrite: bool = False,
    checkpoint: str | None = None,
    opened: Callable[[RowSource], None] | None = None,
    report: Callable[[pa.Table], None] | None = None,
) -> Findings:
    """Writes the sources without items of benchmarks into the folder `output`.

    Args:
        settings: what is decided.
        against, item_text, item_id, benchmark, cache, action: as of `decontaminate_files`; the
            benchmarks are read on this machine.
        report: called with the table of all hits and templates, in order.

    The others are those of `run`.
    """
    from likewise.decontamination.benchmark_files import open_benchmarks, read_benchmarks

    benchmarks = open_benchmarks(
        against, text=item_text, id=item_id, benchmark=benchmark, encoding=None, cache=cache
    )
    added = BENCHMARK_ANNOTATIONS if action == "annotate" else ()
    wanted = Wanted(text, id, added=added)
    _check_apart(benchmarks.paths, output)
    with _opened(sources, output, wanted, master, overwrite, opened) as rows:
        from likewise.spark.decontamination import Decontamination
        from likewise.spark.file_rows import ID, TEXT

        if action == "cut":
            rows.check_replaceable()
        given = read_benchmarks(benchmarks)
        done = Decontamination(
            rows.df, given, text=TEXT, id=ID, action=action, checkpoint=checkpoint,
            **settings.to_dict(),
        )  # fmt: skip
        try:
            with done.stats.timed("write"):
                rows.write(done.rows(), added, output, overwrite, edited=action == "cut")
            if report is not None:
                report(done.to_arrow())
        finally:
            done.release()
    done.stats.notes[:0] = note_lines(benchmarks.notes)
    return done.found


@contextmanager
def _opened(
    sources: Sequence[str],
    output: str,
    wanted: Wanted,
    master: str | None,
    overwrite: bool,
    opened: Callable[[RowSource], None] | None,
) -> Iterator[FileRows]:
    """The rows of the sources, in a session, once it is known that the output can be written."""
    _check_apart(sources, output)
    if os.path.exists(output) and not overwrite:  # checked before Spark is started
        raise _exists(output)
    with open_session(master) as spark, explained(), _exact_names(spark):
        from likewise.spark import filesystem
        from likewise.spark.file_groups import find_groups
        from likewise.spark.file_rows import FileRows

        if filesystem.exists(spark, output) and not overwrite:
            raise _exists(output)
        yield FileRows(spark, find_groups(spark, sources, wanted, opened), wanted)


@contextmanager
def _exact_names(spark: SparkSession) -> Iterator[None]:
    """`Text` and `text` are two columns, as in the files."""
    name = "spark.sql.caseSensitive"
    before = spark.conf.get(name)
    spark.conf.set(name, "true")
    try:
        yield
    finally:
        spark.conf.set(name, before or "false")


def _exists(output: str) -> UsageError:
    return UsageError(
        f"{output}: already exists", hint="name another folder, or use --overwrite to replace it"
    )


def _check_apart(sources: Sequence[str], output: str) -> None:
    """Refuse an output that is a source, is inside one or contains one: it would be lost."""
    parts = _parts(output)
    for source in sources:
        pairs = zip(_parts(source), parts, strict=False)
        if all(name == one or fnmatchcase(name, one) for one, name in pairs):
            raise UsageError(
                f"{output}: is the source {source}, is inside it or contains it",
                hint="name another folder",
            )


def _parts(path: str) -> list[str]:
    """The folders of a path, from the first on; in a pattern {a,b} matches anything."""
    path = re.sub(r"^file:(//)?(?=/)", "", path)
    if "://" not in path:
        path = os.path.realpath(path)
    return [re.sub(r"\{.*?\}", "*", part) for part in path.split("/") if part not in ("", ".")]


def _first(df: DataFrame, by: str, rising: bool, count: int) -> list[dict[str, Any]]:
    ordered = df.orderBy(df[by].asc() if rising else df[by].desc(), "name").limit(count)
    return [row.asDict() for row in ordered.collect()]
