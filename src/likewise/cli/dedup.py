"""`likewise dedup`: one document of each group of similar ones, in the format of the source."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from likewise.cli.options import (
    Parser,
    add_goal,
    add_no_cache,
    add_profile,
    add_quiet,
    add_threads,
    add_values,
    size_in_bytes,
    whole_number,
)
from likewise.cli.progress import Progress, tell
from likewise.errors import LikewiseError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from likewise.dedup.report import Report
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.tables.source import RowSource

DESCRIPTION = """\
Keeps one document of each group of similar ones and writes a copy of the source without the others,
in the same format, with all columns and the same folder structure.

A SOURCE is a file, a folder or a glob. .parquet, .jsonl and .csv files (also .gz and .zst) contain
one document per row, a single .txt file one per line, and a folder one per file.
Every pair is verified on the full sets of shingles. Run an interrupted command again to resume
it."""

EXAMPLE = """\
  likewise dedup pages.parquet -o unique.parquet
  likewise dedup crawl/ -o clean/ --text body --keep column:date --report removed.json
  likewise dedup new.jsonl -o fresh.jsonl --threshold 0.7 --annotate"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("dedup", DESCRIPTION, EXAMPLE)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the documents to deduplicate")
    made.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="write the result to this file or folder",
    )
    add_profile(made)
    search = made.add_argument_group("duplicates")
    add_goal(search, 0.8)
    add_values(search)
    search.add_argument(
        "--max-bucket",
        type=whole_number,
        default=1000,
        metavar="N",
        help="do not compare all documents of a bucket larger than N with each other (default: "
        "1000)",
    )
    kept = made.add_argument_group("documents to keep")
    kept.add_argument(
        "--keep",
        default="first",
        metavar="WHICH",
        help="which of several similar documents to keep: first (smallest id, or first in the "
        "source if there are no ids), longest, column:NAME (largest value) or column:-NAME "
        "(smallest value) (default: first)",
    )
    kept.add_argument(
        "--chains",
        choices=("split", "join"),
        default="split",
        help="if A is similar to B and B to C, but A is not similar to C: split removes only "
        "documents similar to a kept one, join keeps only one of the three (default: split)",
    )
    kept.add_argument(
        "--annotate",
        action="store_true",
        help="write all documents, and add columns with the decision: cluster, kept, similar_to, "
        "similarity",
    )
    before = made.add_argument_group("earlier documents")
    before.add_argument(
        "--against",
        metavar="STORED",
        help="first remove documents that are similar to one in an index or in the saved "
        "signatures of an earlier run",
    )
    before.add_argument(
        "--save-signatures", metavar="FILE", help="save the signatures of this run for later runs"
    )
    _add_reading(made)
    work = made.add_argument_group("work")
    work.add_argument(
        "--engine",
        choices=("local", "spark"),
        default="local",
        help="local: run on this machine; spark: run on a Spark cluster, for tables with an id "
        "column (default: local)",
    )
    work.add_argument(
        "--master",
        metavar="URL",
        help="address of the Spark cluster: spark://HOST:7077, yarn, local[4] (default: Spark's "
        "own configuration, or this machine)",
    )
    work.add_argument(
        "--memory",
        type=size_in_bytes,
        default=4 * 10**9,
        metavar="SIZE",
        help="maximum memory of the process (default: 4GB)",
    )
    work.add_argument(
        "--scratch",
        metavar="FOLDER",
        help="keep working files in FOLDER during the run; with spark, a folder that all machines "
        "can access (default: next to OUT)",
    )
    work.add_argument(
        "--resume",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="resume an unfinished run, or start over with --no-resume (default: resume)",
    )
    work.add_argument("--overwrite", action="store_true", help="replace OUT if it already exists")
    add_threads(work)
    told = made.add_argument_group("report")
    told.add_argument(
        "--report", metavar="FILE", help="write counts, times, clusters and examples as JSON"
    )
    told.add_argument(
        "--examples",
        type=whole_number,
        default=10,
        metavar="N",
        help="number of clusters and removed documents to list in the report (default: 10)",
    )
    told.add_argument(
        "--stats", action="store_true", help="print settings, counts and times to stderr"
    )
    add_quiet(told)
    return made


def _add_reading(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    group.add_argument("--text", metavar="COLUMN", help="column that contains the text")
    group.add_argument("--id", metavar="COLUMN", help="column that contains the id")
    shape = group.add_mutually_exclusive_group()
    shape.add_argument("--lines", action="store_true", help="read one document per line")
    shape.add_argument("--whole", action="store_true", help="read one document per file")
    group.add_argument(
        "--encoding", metavar="NAME", help="encoding of all files (default: detected)"
    )
    add_no_cache(group)
    group.add_argument(
        "--skip-bad",
        action="store_true",
        help="skip files that are damaged or lack a column, instead of stopping with an error",
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="exit status 1 if a file was skipped or a row could not be read",
    )


def run(arguments: Sequence[str]) -> int:
    """Deduplicates; the exit status."""
    options = parser().parse(arguments)
    from likewise.dedup.files.inputs import check_apart, check_no_source
    from likewise.dedup.files.run import Reading, workspace_of
    from likewise.dedup.files.run import run as deduplicate
    from likewise.dedup.settings import DedupSettings
    from likewise.files import check_output

    settings = DedupSettings.checked(
        profile=options.profile, threshold=options.threshold, recall=options.recall,
        values=options.values, max_bucket=options.max_bucket, keep=options.keep,
        chains=options.chains, threads=options.threads,
    )  # fmt: skip
    if options.examples < 0:
        raise UsageError(f"examples is {options.examples}; it must be 0 or more")
    if options.report is not None:
        check_output(options.report, binary=False)
    if options.save_signatures is not None:
        check_output(options.save_signatures, binary=True)
        if options.against is not None:
            # Given twice, every document would be a copy of itself.
            check_apart("signatures", options.save_signatures, [options.against])
    if not options.output:
        raise UsageError("the name of the output is empty", hint="name a file or a folder")
    if options.report is not None:
        others = [options.output, options.against, options.save_signatures, *options.sources]
        check_apart("report", options.report, [path for path in others if path])
    if options.engine == "spark":
        return _run_on_spark(options, settings)
    if options.master is not None:
        raise UsageError(
            "--master cannot be combined with --engine local", hint="add --engine spark"
        )
    sources: list[RowSource] = []
    shape: Any = "lines" if options.lines else "whole" if options.whole else "auto"
    reading = Reading(
        options.text, options.id, shape, options.encoding, not options.no_cache, options.skip_bad
    )
    folder = workspace_of(options.output, options.scratch)

    def opened(source: RowSource) -> None:
        sources.append(source)
        if options.report is not None:
            check_no_source("report", options.report, source)

    with _unfinished(folder, options.quiet), Progress(options.quiet) as progress:
        report = deduplicate(
            options.sources, options.output, settings, reading=reading,
            annotate=options.annotate, memory=options.memory, scratch=options.scratch,
            examples=options.examples, overwrite=options.overwrite, resume=options.resume,
            against=options.against, save_signatures=options.save_signatures,
            progress=progress, opened=opened,
        )  # fmt: skip
    _write_report(report, options.report)
    return _tell(report, sources[0], options)


# What one machine does and Spark does not, or does in its own way.
_LOCAL = ("against", "save_signatures", "lines", "whole", "encoding", "skip_bad")


def _run_on_spark(options: argparse.Namespace, settings: DedupSettings) -> int:
    """The same on a cluster; the exit status."""
    for name in _LOCAL:
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} cannot be combined with --engine spark")
    from likewise.spark.command import run as deduplicate

    report = deduplicate(
        options.sources, options.output, settings, master=options.master, text=options.text,
        id=options.id, annotate=options.annotate, overwrite=options.overwrite,
        checkpoint=options.scratch, clusters=options.examples if options.report else 0,
    )  # fmt: skip
    _write_report(report, options.report)
    _tell_report(report, options)
    return 0


def _write_report(report: Report, path: str | None) -> None:
    from likewise.files import open_output

    if path is not None:
        with open_output(path) as stream:
            stream.write(report.to_json().encode())


@contextmanager
def _unfinished(folder: Path, quiet: bool) -> Iterator[None]:
    """Says what is left of a run that did not come to its end. SIGTERM ends it as Ctrl-C does."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except (LikewiseError, KeyboardInterrupt, OSError, MemoryError):
        if folder.exists():
            tell(
                f"progress is saved in {folder}: run the same command again to resume; "
                "remove the folder if you do not need it",
                quiet,
            )
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell(report: Report, source: RowSource, options: argparse.Namespace) -> int:
    """Notes, what could not be read, and the summary, on stderr; the exit status."""
    from likewise.documents.notice import note_lines

    for line in note_lines(source.notes):
        tell(line, options.quiet)
    for item in [*source.skipped, *source.bad]:
        tell(f"skipped {item}", options.quiet)
    unread = len(source.skipped) + source.bad_rows
    if source.bad_rows:
        tell(f"rows that could not be read, kept unchanged: {source.bad_rows:,}")
    if source.skipped:
        tell(f"files skipped: {len(source.skipped):,}")
    _tell_report(report, options)
    return 1 if unread and options.strict else 0


def _tell_report(report: Report, options: argparse.Namespace) -> None:
    for message in [*report.notes, *report.summary()]:
        tell(message, options.quiet)
    if options.stats:
        _print_stats(report)


def _print_stats(report: Report) -> None:
    parts: dict[str, dict[str, Any]] = {
        "settings": report.settings,
        "counts": report.counts,
        "seconds": {name: f"{value:.6f}" for name, value in report.seconds.items()},
        "memory": {"peak": report.peak_memory},
    }
    for title, values in parts.items():
        print(f"{title}:", file=sys.stderr)
        for name, value in values.items():
            print(f"  {name}: {value}", file=sys.stderr)
