"""Writes a copy of training data without the documents that contain items of benchmarks: whole or
edited copies, across line breaks and markup, but neither common language nor templates.

TRAIN is a file, a folder or a glob, of any size; it is written back in its own format, with all
columns. Each file of EVALS is a benchmark, with an item per row; they are kept in memory.
How many edited copies the search finds is measured in each run: copies of the benchmarks' own
items are planted, in memory, into documents of TRAIN.

example:
  likewise decontaminate train.parquet --against evals/ -o clean.parquet --report hits.csv
  likewise decontaminate crawl/ --against mmlu.jsonl gsm8k.csv --item-text question -o clean/
  likewise decontaminate train.jsonl --against evals.parquet --benchmark task --cut -o cut.jsonl
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from likewise.cli.engines import check_local, check_spark
from likewise.cli.messages import notify, print_stats, warn
from likewise.cli.options import constant, flag, path, real, sources, text, whole
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.decontamination.settings import DecontaminationSettings
from likewise.errors import UsageError
from likewise.run import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pyarrow as pa

    from likewise.decontamination.contamination import Findings
    from likewise.documents.tables.source import RowSource

_FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}

OPTIONS = {
    "TRAIN": sources("the training documents"),
    "--against": path(
        "source",
        "EVALS",
        "the benchmarks: files, folders and patterns",
        nargs="+",
        required=True,
    ),
    "--output": path(
        "target", "OUT", "write the result to this file or folder", short="-o", required=True
    ),
    "--cut": constant(
        "action",
        "cut",
        "cut the shared passages out of documents, instead of dropping documents; only documents "
        "of which nothing is left are dropped",
    ),
    "--annotate": constant(
        "action",
        "annotate",
        "write all documents, and add columns with what was found: kept, benchmarks, "
        "benchmark_items, benchmark_share, benchmark_run",
    ),
    "--min-words": whole(
        "N",
        "a run of at least N identical words is a hit; a shorter item only as a whole, an edited "
        "copy if three quarters of the item are left",
    ),
    "--max-p": real("P", "maximum probability of a hit in an unrelated document of its length"),
    "--max-documents": whole(
        "N", "wording of an item in more than N documents is a template, and no hit"
    ),
    "--item-text": text("COLUMN", "column of the benchmarks that contains the text of an item"),
    "--item-id": text("COLUMN", "column of the benchmarks that contains the id of an item"),
    "--benchmark": text(
        "COLUMN", "column that contains the name of the benchmark", "the name of the file"
    ),
    "--planted": whole(
        "N", "number of copies to plant at each level of editing to measure recall; 0 for none"
    ),
    "--skip-bad": flag(
        "skip training files that are damaged or lack a column, instead of stopping with an error"
    ),
    "--strict": flag("exit status 1 if a file was skipped or a row could not be read"),
    "--overwrite": flag("replace OUT if it already exists"),
    "--scratch": path(
        "folder",
        "FOLDER",
        "with spark: keep tables between the steps in FOLDER, which all machines can access",
        "Spark's cache",
    ),
    "--report": path(
        "output",
        "FILE",
        "write a table of all hits and templates to FILE (.csv, .jsonl or .parquet)",
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("TRAIN --against --output --cut|--annotate")
    parser.add(
        "--min-words --max-p --max-documents", DecontaminationSettings, group="what is a hit"
    )
    parser.add("--item-text --item-id --benchmark", group="benchmarks")
    parser.add("--planted --seed", DecontaminationSettings, group="recall")
    parser.add(
        "--text --id --lines|--whole --encoding --no-cache --skip-bad --strict", group="reading"
    )
    parser.add("--engine --master --scratch --overwrite --threads", group="work")
    parser.add("--report --stats --quiet", group="report")


def run(options: argparse.Namespace) -> int:
    from likewise.decontamination.decontaminate_files import decontaminate_files

    format_ = _report_format(options.report)
    if options.engine == "spark":
        return _run_on_spark(options, format_)
    check_local(options, "master", "scratch")
    with Progress(options.quiet) as progress:
        found = decontaminate_files(
            options.sources,
            options.output,
            against=options.against,
            **arguments_for(DecontaminationSettings, options),
            **{
                name: value
                for name, value in arguments_for(
                    decontaminate_files, options, progress=progress
                ).items()
                if name != "against"
            },
        )
    if options.report is not None:
        _write_report(
            options.report, format_, (hit.values() for hit in found.hits), len(found.hits),
            found.to_arrow,
        )  # fmt: skip
    _print_findings(options, found, found.skipped)
    counts = found.stats.counts
    return _status(options, found, counts["bad_rows"], counts["files_left_out"])


# Options that only a run on one machine has.
_LOCAL = ("shape", "encoding", "skip_bad")


def _run_on_spark(options: argparse.Namespace, format_: str) -> int:
    check_spark(options, *_LOCAL)
    from likewise.documents.notice import note_lines
    from likewise.spark.command import decontaminate

    opened: list[RowSource] = []

    def report(columns: pa.Table) -> None:
        if options.report is not None:
            rows = zip(*(column.to_pylist() for column in columns.columns), strict=True)
            _write_report(options.report, format_, rows, len(columns), lambda: columns)

    found = decontaminate(
        options.sources,
        options.output,
        DecontaminationSettings(**arguments_for(DecontaminationSettings, options)),
        **arguments_for(
            decontaminate,
            options,
            checkpoint=options.scratch,
            opened=opened.append,
            report=None if options.report is None else report,
        ),
    )
    notes = note_lines([note for source in opened for note in source.notes])
    skipped = [f"skipped {one}" for source in opened for one in [*source.skipped, *source.bad]]
    _print_findings(options, found, [*notes, *skipped])
    bad_rows = sum(source.bad_rows for source in opened)
    return _status(options, found, bad_rows, sum(len(source.skipped) for source in opened))


def _print_findings(options: argparse.Namespace, found: Findings, skipped: Sequence[str]) -> None:
    counts = found.stats.counts
    outcome = f"{counted(counts['kept'], 'document')} kept, {counts['removed']:,} removed"
    notify(options, *found.notes, *skipped, *found.summary(), outcome)


def _status(options: argparse.Namespace, found: Findings, bad_rows: int, skipped: int) -> int:
    """Warns of what could not be read, and gives the exit status."""
    if bad_rows:
        warn(f"rows that could not be read, kept unchanged: {bad_rows:,}")
    if skipped:
        warn(f"files skipped: {skipped:,}")
    print_stats(options, found.stats)
    return 1 if options.strict and bad_rows + skipped else 0


def _report_format(path: str | None) -> str:
    if path is None:
        return ""
    for ending, format_ in _FORMATS.items():
        if path.lower().endswith(ending):
            return format_
    raise UsageError(
        f"--report {path}: the format is not known by this name",
        hint="choose a name that ends in .csv, .jsonl or .parquet",
    )


def _write_report(
    path: str,
    format_: str,
    hits: Iterable[tuple[Any, ...]],
    count: int,
    arrow: Callable[[], pa.Table],
) -> None:
    from likewise.decontamination.contamination import HIT_COLUMNS
    from likewise.files import open_output
    from likewise.output.rows import Rows, write_rows

    rows = Rows(
        tuple(HIT_COLUMNS), hits, count, many="hits", kinds=tuple(HIT_COLUMNS.values()),
        arrow=arrow,
    )  # fmt: skip
    with open_output(path) as stream:
        write_rows(rows, format_, stream, to_file=True)
