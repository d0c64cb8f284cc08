"""`likewise dedup --engine spark`: what Spark reads to what Spark writes, in the same format."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from likewise.documents.tables.columns import ID_NAME, TEXT_NAMES
from likewise.errors import ColumnError, LikewiseError, SourceError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from likewise.dedup.report import Report
    from likewise.dedup.settings import DedupSettings

FORMATS = {
    ".parquet": "parquet",
    ".orc": "orc",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
}
_PACKED = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd"}
_KEEP = "_likewise_keep"


@dataclass(frozen=True)
class Format:
    """How files are read and written."""

    name: str
    compression: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        if self.name in ("csv", "tsv"):
            separator = "\t" if self.name == "tsv" else ","
            # Spark keeps the blanks around a field when it reads, but not when it writes.
            blanks = {"ignoreLeadingWhiteSpace": False, "ignoreTrailingWhiteSpace": False}
            return {"header": True, "sep": separator, "multiLine": True, "escape": '"', **blanks}
        return {}

    @property
    def spark(self) -> str:
        return "csv" if self.name == "tsv" else self.name


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
) -> Report:
    """Deduplicates the sources into the folder `output`, and gives a report.

    Args:
        sources: files, folders and patterns, of one format, on disk or wherever Spark can read.
        output: a folder, in which Spark writes its parts.
        settings: what is decided.
        master: the cluster, as in spark://host:7077, yarn or local[4]; without it what Spark's
            own configuration says, or all processors of this machine.
        text, id: the columns; by their usual names, if not given. There must be an id.
        annotate: write all rows, with what was decided, and not only those that are kept.
        overwrite: replace the output.
        checkpoint: a folder that all machines see, for the tables between the steps.
        clusters: how many of the largest clusters, and of those with the lowest similarity inside,
            the report lists; for these texts are read once more.
    """
    from likewise.dedup.report import Report

    form = format_of(sources)
    _check_apart(sources, output)
    if os.path.exists(output) and not overwrite:  # checked before Spark is started
        raise _exists(output)
    with _session(master) as spark, _plainly():
        from likewise.spark import filesystem
        from likewise.spark.dedup import Deduplication

        if filesystem.exists(spark, output) and not overwrite:
            raise _exists(output)
        df = spark.read.format(form.spark).options(**form.options).load(list(sources))
        text, id = _text_column(df, text), _id_column(df, id)
        df, typed = _with_typed_keep(df, form, sources, settings)
        done = Deduplication(
            df, text=text, id=id, settings=typed, checkpoint=checkpoint, annotate=annotate
        )
        try:
            rows = done.annotated() if annotate else done.kept()
            with done.stats.timed("write"):
                _write(spark, rows.drop(_KEEP), output, form, overwrite)
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


def format_of(sources: Sequence[str]) -> Format:
    """The one format of all sources, by their names; of a folder, by those of its files."""
    found = {_format(source) for source in sources}
    if len(found) > 1:
        names = ", ".join(sorted(form.name for form in found))
        raise UsageError(f"the sources are of several formats: {names}",
                         hint="deduplicate each format separately")  # fmt: skip
    return found.pop()


def _format(source: str) -> Format:
    name = source.rstrip("/").rpartition("/")[2]
    form = _by_name(name)
    folder = Path(source)
    if form is None and folder.is_dir():
        inside = {_by_name(path.name) for path in sorted(folder.rglob("*")) if path.is_file()
                  and not path.name.startswith(("_", "."))}  # fmt: skip
        known = sorted((f for f in inside if f is not None), key=lambda f: f.name)
        if len({f.name for f in known}) > 1:
            raise UsageError(f"{source}: has files of several formats: "
                             + ", ".join(sorted({f.name for f in known})))  # fmt: skip
        form = known[0] if known else None
    elif form is None and re.match(r"[a-z0-9]+://", source):
        form = Format("parquet")  # what tables in object stores mostly are
    if form is None:
        raise SourceError(
            f"{source}: Spark reads tables: {', '.join(FORMATS)} (also {', '.join(_PACKED)})",
            hint="--engine local reads folders of documents and lines of text",
        )
    return form


def _by_name(name: str) -> Format | None:
    stem, suffix = os.path.splitext(name.lower())
    packed = _PACKED.get(suffix)
    if packed:
        suffix = os.path.splitext(stem)[1]
    return Format(FORMATS[suffix], packed) if suffix in FORMATS else None


def _text_column(df: DataFrame, named: str | None) -> str:
    if named is not None:
        return named
    strings = [name for name, kind in df.dtypes if kind == "string"]
    for name in TEXT_NAMES:
        if name in strings:
            return name
    left = [name for name in strings if name != ID_NAME]
    if len(left) == 1:
        return left[0]
    raise ColumnError(
        f"no column of strings called {', '.join(TEXT_NAMES)}; there are {', '.join(df.columns)}",
        hint="name the column that contains the text with --text",
    )


def _id_column(df: DataFrame, named: str | None) -> str:
    if named is None and ID_NAME not in df.columns:
        raise ColumnError(
            f"no column {ID_NAME!r}; there are {', '.join(df.columns)}",
            hint="rows have no position in Spark, so they need an id: name its column with --id",
        )
    return named or ID_NAME


def _with_typed_keep(
    df: DataFrame, form: Format, sources: Sequence[str], settings: DedupSettings
) -> tuple[DataFrame, DedupSettings]:
    """In a CSV all is text, and is written as it was read; only the order needs the type."""
    name = settings.keep.column
    if name is None or form.spark != "csv" or name not in df.columns:
        return df, settings
    from likewise.spark.columns import column

    reader = df.sparkSession.read.format("csv").options(**form.options, inferSchema=True)
    kind = reader.load(list(sources)).schema[name].dataType
    typed = df.withColumn(_KEEP, column(name).cast(kind))
    return typed, replace(settings, keep=replace(settings.keep, column=_KEEP))


def _write(
    spark: SparkSession, rows: DataFrame, output: str, form: Format, overwrite: bool
) -> None:
    """The folder appears under its name complete, where the place can do that."""
    from likewise.spark import filesystem

    writer = rows.write.format(form.spark).options(**form.options)
    if form.compression:
        writer = writer.option("compression", form.compression)
    if not filesystem.can_rename(spark, output):
        writer.mode("overwrite" if overwrite else "error").save(output)
        return
    aside = f"{output.rstrip('/')}.likewise-{uuid4().hex}"
    old = f"{aside}-old"
    try:
        writer.save(aside)
        replaced = overwrite and filesystem.exists(spark, output)
        if replaced:
            filesystem.rename(spark, output, old)
        try:
            filesystem.rename(spark, aside, output)
        except BaseException:
            if replaced:  # what was there is not lost with what could not be put there
                filesystem.rename(spark, old, output)
            raise
        if replaced:
            filesystem.delete(spark, old)
    finally:
        filesystem.delete(spark, aside)


def _first(df: DataFrame, by: str, rising: bool, count: int) -> list[dict[str, Any]]:
    ordered = df.orderBy(df[by].asc() if rising else df[by].desc(), "name").limit(count)
    return [row.asDict() for row in ordered.collect()]


@contextmanager
def _session(master: str | None) -> Iterator[SparkSession]:
    """A session of its own, or the one that runs already."""
    import likewise.spark

    _ = likewise.spark.deduplicate  # says what is missing, if pyspark is
    from pyspark import SparkConf
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    builder = SparkSession.builder.appName("likewise dedup")
    chosen = master or (None if SparkConf().contains("spark.master") else "local[*]")
    if chosen is not None:
        builder = builder.master(chosen)
    if (chosen or "").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.ui.enabled", "false")
        if not SparkConf().contains("spark.sql.shuffle.partitions"):
            # 200, the default, is meant for clusters.
            parts = str(4 * (os.cpu_count() or 1))
            builder = builder.config("spark.sql.shuffle.partitions", parts)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
    try:
        spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    except (PySparkRuntimeError, FileNotFoundError, RuntimeError) as error:
        raise UsageError(
            f"Spark could not be started: {_line(error)}",
            hint="it needs Java 17 or later (Debian: openjdk-17-jre-headless)",
        ) from error
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _plainly() -> Iterator[None]:
    """What Spark raises, as an error in one line: its innermost cause."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except LikewiseError:
        raise
    except Py4JJavaError as error:
        raise SourceError(f"Spark: {_cause(error.java_exception)}") from error
    except PySparkException as error:
        java = getattr(error, "_origin", None)
        raise SourceError(f"Spark: {_line(error) if java is None else _cause(java)}") from error


def _cause(error: Any) -> str:
    """The message of a Java exception: the file that could not be read, and the innermost cause."""
    lines = []
    while error is not None:
        lines.append(_line(error.toString()))
        error = error.getCause()
    files = [line for line in lines if "reading file" in line or "file:" in line]
    return "; ".join(dict.fromkeys([*files[-1:], lines[-1]]))


def _line(error: object) -> str:
    """The first line, and that of an error inside it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["?"]
    inner = [line for line in lines[1:] if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return " ".join([lines[0], *inner[-1:]])
