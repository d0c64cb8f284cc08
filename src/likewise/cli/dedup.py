"""Keeps one document of each group of similar ones and writes a copy of the source without the
others, in the same format, with all columns and the same folder structure. With --unit, removes
paragraphs, lines or passages that are repeated, within documents or between them.

A SOURCE is a file, a folder or a glob. .parquet, .jsonl and .csv files (also .gz and .zst) contain
one document per row, a single .txt file one per line, and a folder one per file.
Every pair is verified on the full sets of shingles. Run an interrupted command again to resume it.

example:
  likewise dedup pages.parquet -o unique.parquet
  likewise dedup crawl/ -o clean/ --text body --keep column:date --report removed.json
  likewise dedup new.jsonl -o fresh.jsonl --threshold 0.7 --annotate
  likewise dedup pages.parquet -o trimmed.parquet --unit passage --min-words 40
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from likewise.cli.engines import check_local, check_spark
from likewise.cli.messages import notify, print_stats, warn
from likewise.cli.options import choice, flag, path, size, sources, text, whole
from likewise.cli.parser import Option, Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.errors import LikewiseError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from likewise.dedup.parts.settings import PartSettings
    from likewise.dedup.report import Report
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.tables.source import RowSource

OPTIONS = {
    "SOURCE": sources("the documents to deduplicate"),
    "--output": path(
        "target", "OUT", "write the result to this file or folder", short="-o", required=True
    ),
    "--measure": choice(
        ("jaccard", "containment"),
        "jaccard: remove documents that are similar as a whole; containment: remove a document if "
        "the minimum share of it is in a kept one, however much longer that is",
        "jaccard",
    ),
    "--unit": choice(
        ("document", "paragraph", "line", "passage"),
        "what to remove: documents similar to a kept one; paragraphs or lines equal to a kept one; "
        "or passages, runs of words that occur elsewhere",
        "document",
    ),
    "--min-words": whole(
        "N",
        "remove only paragraphs, lines or passages of at least N words",
        None,
        otherwise="10 for paragraphs, 5 for lines, 50 for passages",
    ),
    "--min-count": whole(
        "N", "remove only paragraphs or lines that occur at least N times", None, otherwise="2"
    ),
    "--cut-at": Option(
        "cut passages at words, or remove only the whole sentences or paragraphs in them",
        otherwise="word",
        more={"choices": ("word", "sentence", "paragraph")},
    ),
    "--keep": Option(
        "which of several similar documents to keep: first (smallest id, or first in the source if "
        "there are no ids), longest, column:NAME (largest value) or column:-NAME (smallest value)",
        "WHICH",
        default="first",
    ),
    "--chains": choice(
        ("split", "join"),
        "if A is similar to B and B to C, but A is not similar to C: split removes only documents "
        "similar to a kept one, join keeps only one of the three",
        "split",
    ),
    "--annotate": flag(
        "write all documents, and add columns with the decision: cluster, kept, similar_to, "
        "similarity; with --unit, kept and removed, a list of [start, end] in characters"
    ),
    "--within": text(
        "COLUMN",
        "compare only documents with the same value in this column of a table: equal documents of "
        "different sites, for example, are kept",
        dest="within_column",
    ),
    "--across": text(
        "COLUMN",
        "compare only documents with different values in COLUMN: a document is removed if another "
        "source, for example, has it, but not if its own source repeats it",
        dest="across_column",
    ),
    "--against": path(
        "input",
        "STORED",
        "first remove documents that are similar to one in an index or in the saved signatures of "
        "an earlier run",
    ),
    "--save-signatures": path("output", "FILE", "save the signatures of this run for later runs"),
    "--skip-bad": flag(
        "skip files that are damaged or lack a column, instead of stopping with an error"
    ),
    "--strict": flag("exit status 1 if a file was skipped or a row could not be read"),
    "--memory": size("maximum memory of the process", 4 * 10**9),
    "--scratch": path(
        "folder",
        "FOLDER",
        "keep working files in FOLDER during the run; with spark, a folder that all machines can "
        "access",
        "next to OUT",
    ),
    "--resume": flag(
        "resume an unfinished run, or start over with --no-resume (default: resume)",
        action=argparse.BooleanOptionalAction,
        default=True,
    ),
    "--overwrite": flag("replace OUT and the file of --save-signatures if they already exist"),
    "--report": path("output", "FILE", "write counts, times, clusters and examples as JSON"),
    "--examples": whole(
        "N",
        "number of clusters, removed documents and repeated lines or paragraphs to list in the "
        "report",
        10,
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("SOURCE --output --profile")
    parser.add("--unit --min-words --min-count --cut-at", group="repeated parts of documents")
    parser.add("--measure --threshold --recall --values --max-bucket", group="duplicates")
    parser.add("--within --across", group="groups of documents")
    parser.add("--keep --chains --annotate", group="documents to keep")
    parser.add("--against --save-signatures", group="earlier documents")
    parser.add(
        "--text --id --lines|--whole --encoding --no-cache --skip-bad --strict", group="reading"
    )
    parser.add("--engine --master --memory --scratch --resume --overwrite --threads", group="work")
    parser.add("--report --examples --stats --quiet", group="report")


def run(options: argparse.Namespace) -> int:
    from likewise.dedup.settings import DedupSettings, group_rule

    given = vars(options)
    parts = _part_settings(options)
    rule = group_rule(
        options.within_column, options.across_column, {name: given[name] for name in _STORED}
    )
    settings = DedupSettings.checked(**arguments_for(DedupSettings.checked, options, groups=rule))
    _check(options)
    if options.engine == "spark":
        return _run_on_spark(options, settings, parts)
    check_local(options, "master")
    return _run_locally(options, settings, parts)


def _part_settings(options: argparse.Namespace) -> PartSettings | None:
    """The settings for parts of documents; None for whole ones."""
    from likewise.dedup.parts.settings import part_settings
    from likewise.dedup.settings import DOCUMENT_DEFAULTS

    given = vars(options)
    return part_settings(
        options.unit,
        {name: given[name] for name in ("min_words", "min_count", "cut_at")},
        {name: given[name] for name in (*DOCUMENT_DEFAULTS, *_STORED, "profile", "keep")}
        | {rule: given[f"{rule}_column"] for rule in ("within", "across")},
        options.threads,
    )


def _check(options: argparse.Namespace) -> None:
    if options.examples < 0:
        raise UsageError(f"examples is {options.examples}; it must be 0 or more")
    if not options.output:
        raise UsageError("the name of the output is empty", hint="name a file or a folder")


def _run_locally(
    options: argparse.Namespace, settings: DedupSettings, parts: PartSettings | None
) -> int:
    from likewise.dedup.files.run import run as deduplicate
    from likewise.dedup.files.staged_run import Reading, RunOptions, workspace_of
    from likewise.dedup.parts.files import run_parts

    sources: list[RowSource] = []
    folder = workspace_of(options.output, options.scratch)
    group = options.within_column or options.across_column
    reading = Reading(**arguments_for(Reading, options, group=group))
    with _resumable(folder, options), Progress(options.quiet) as progress:
        own = RunOptions(
            **arguments_for(
                RunOptions, options, reading=reading,
                progress=progress, opened=sources.append,
            )
        )  # fmt: skip
        report: Report
        if parts is not None:
            report = run_parts(options.sources, options.output, parts, own)
        else:
            report = deduplicate(
                options.sources, options.output, settings, own, against=options.against,
                save_signatures=options.save_signatures,
            )  # fmt: skip
    _write_report(report, options.report)
    unread = _report_reading(sources[0], options)
    _print_report(report, options)
    return 1 if unread and options.strict else 0


# Options that only whole documents have, but for those of a search.
_STORED = ("against", "save_signatures")
# Options that only a run on one machine has.
_LOCAL = ("against", "save_signatures", "shape", "encoding", "skip_bad", "within_column",
          "across_column")  # fmt: skip


def _run_on_spark(
    options: argparse.Namespace, settings: DedupSettings, parts: PartSettings | None
) -> int:
    check_spark(options, *_LOCAL)
    from likewise.spark import command

    sources: list[RowSource] = []
    shared = {"checkpoint": options.scratch, "opened": sources.append}
    report: Report
    if parts is not None:
        report = command.run_parts(
            options.sources,
            options.output,
            parts,
            **arguments_for(command.run_parts, options, **shared),
        )
    else:
        clusters = options.examples if options.report else 0
        report = command.run(
            options.sources,
            options.output,
            settings,
            **arguments_for(command.run, options, clusters=clusters, **shared),
        )
    _write_report(report, options.report)
    unread = sum(_report_reading(source, options) for source in sources)
    _print_report(report, options)
    return 1 if unread and options.strict else 0


def _write_report(report: Report, path: str | None) -> None:
    from likewise.files import open_output

    if path is not None:
        with open_output(path) as stream:
            stream.write(report.to_json().encode())


@contextmanager
def _resumable(folder: Path, options: argparse.Namespace) -> Iterator[None]:
    """Prints how to resume a run that was interrupted."""
    try:
        yield
    except (LikewiseError, KeyboardInterrupt, OSError, MemoryError):
        if folder.exists():
            notify(
                options,
                f"progress is saved in {folder}: run the same command again to resume; "
                "remove the folder if you do not need it",
            )
        raise


def _report_reading(source: RowSource, options: argparse.Namespace) -> int:
    """Prints notes and what could not be read; the number of skipped files and bad rows."""
    from likewise.documents.notice import note_lines

    notify(options, *note_lines(source.notes))
    notify(options, *(f"skipped {item}" for item in [*source.skipped, *source.bad]))
    if source.bad_rows:
        warn(f"rows that could not be read, kept unchanged: {source.bad_rows:,}")
    if source.skipped:
        warn(f"files skipped: {len(source.skipped):,}")
    return len(source.skipped) + source.bad_rows


def _print_report(report: Report, options: argparse.Namespace) -> None:
    from likewise.run import Stats

    notify(options, *report.notes, *report.summary())
    print_stats(options, Stats(report.settings, report.counts, report.seconds))
    if options.stats:
        print(f"memory:\n  peak: {report.peak_memory}", file=sys.stderr)
