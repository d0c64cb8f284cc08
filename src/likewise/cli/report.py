"""`likewise report`: a collection as one HTML page."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.cli.excluding import add_common_text, add_exclusions, exclusions_of
from likewise.cli.options import (
    Parser,
    add_metadata,
    add_min_words,
    add_profile,
    add_quiet,
    add_reading,
    add_threads,
    number,
    size_in_bytes,
    whole_number,
)
from likewise.cli.passage_output import read_documents
from likewise.cli.progress import Progress, tell
from likewise.cli.reading import open_metadata, open_reader, tell_alone, tell_reading
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.documents import Reader
    from likewise.documents.metadata import MetadataTable
    from likewise.run import Stats
    from likewise.survey.settings import RunFacts, SurveySettings
    from likewise.survey.survey import Survey

DESCRIPTION = """\
Writes a report on a collection as a single HTML page: an overview, all pairs, each document with
its sources, two documents side by side, clusters, and the settings of the run. The page needs no
other file and no network, and opens in any browser.

A SOURCE is a file, a folder, a glob, a zip or - for stdin, as for `likewise pairs`. The report
lists pairs that share a passage and pairs that are similar as a whole. All texts are kept in
memory."""

EXAMPLE = """\
  likewise report samples/essays -o report.html
  likewise report essays/ --metadata class.csv --template assignment.txt --title "Essays, autumn" \\
    -o report.html"""

EPOCH = "SOURCE_DATE_EPOCH"
"""The environment variable that says when a page was made; with it there are no timings either."""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("report", DESCRIPTION, EXAMPLE)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the collection")
    search = made.add_argument_group("search")
    add_profile(made)
    search.add_argument(
        "--threshold",
        type=number,
        default=0.2,
        metavar="T",
        help="minimum similarity of pairs that share no passage (default: 0.2)",
    )
    add_min_words(search)
    search.add_argument(
        "--null-pairs",
        type=whole_number,
        metavar="N",
        help="number of random pairs for the chance level (default: 2,000 to 1,000,000, depending "
        "on the number and length of the documents)",
    )
    add_threads(search)
    add_exclusions(made)
    add_common_text(made)
    add_reading(made)
    add_metadata(made)
    output = made.add_argument_group("output")
    output.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="write the report to FILE"
    )
    output.add_argument(
        "--title", metavar="TEXT", help="title of the page (default: the names of the sources)"
    )
    output.add_argument(
        "--max-pairs",
        type=whole_number,
        default=2000,
        metavar="N",
        help="maximum number of pairs to list, the most similar first (default: 2,000)",
    )
    output.add_argument(
        "--max-size",
        type=size_in_bytes,
        default=25_000_000,
        metavar="SIZE",
        help="maximum size of the page; texts beyond it are omitted, those of the least similar "
        "pairs first (default: 25MB)",
    )
    output.add_argument(
        "--no-texts", action="store_true", help="write measures only, without any text"
    )
    add_quiet(output)
    output.add_argument(
        "--stats", action="store_true", help="print settings, counts and times to stderr"
    )
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, searches and writes the page; the exit status."""
    options = parser().parse(arguments)
    from likewise.files import check_output, open_output
    from likewise.pages.page import write_page
    from likewise.run import Stats
    from likewise.survey.survey import Survey

    check_output(options.output, binary=True)
    settings = _settings(options)
    made = _made()
    metadata = open_metadata(options)
    stats = Stats()
    with Progress(options.quiet) as progress:
        reader = open_reader(options.sources, options, progress, metadata=metadata, shape="files")
        with stats.timed("read"):
            documents = list(read_documents(reader).values())
        facts = _facts(options, arguments, made, reader, metadata, stats)
        survey = Survey(documents, settings, facts, progress)
        with stats.timed("write"), open_output(options.output) as stream:
            texts = write_page(
                survey, stream, max_size=options.max_size, texts=not options.no_texts,
                progress=progress,
            )  # fmt: skip
    status = tell_reading([reader], options, metadata)
    tell_alone(reader, options)
    _tell(survey, texts.left_out() if texts.wanted else [], stats, options)
    return status


def _settings(options: argparse.Namespace) -> SurveySettings:
    """What is looked for; raises, before anything is read, for options that are wrong."""
    from likewise.survey.settings import SurveySettings

    return SurveySettings(
        threshold=options.threshold,
        profile=options.profile,
        min_words=options.min_words,
        exclude=exclusions_of(options),
        null_pairs=options.null_pairs,
        max_pairs=options.max_pairs,
        threads=options.threads,
    )


def _facts(
    options: argparse.Namespace,
    arguments: Sequence[str],
    made: str,
    reader: Reader,
    metadata: MetadataTable | None,
    stats: Stats,
) -> RunFacts:
    from likewise.documents.notice import note_lines
    from likewise.documents.texts import scrub
    from likewise.survey.settings import RunFacts

    names = [Path(source).name or source for source in options.sources]
    told = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    notes = [*reader.notes, *([] if metadata is None else metadata.notes)]
    return RunFacts(
        title=scrub(told if options.title is None else options.title),
        command=scrub(shlex.join(["likewise", "report", *arguments])),
        made=made,
        notes=note_lines(notes),
        skipped=[(one.source, one.place, one.reason) for one in reader.skipped],
        seconds=stats.seconds,
        timed=EPOCH not in os.environ,
    )


def _made() -> str:
    """Now, or what SOURCE_DATE_EPOCH says, so that a page can be made again byte by byte."""
    from datetime import UTC, datetime

    given = os.environ.get(EPOCH)
    try:
        when = datetime.now(UTC) if given is None else datetime.fromtimestamp(int(given), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(f"{EPOCH} is {given!r}; it must be a Unix time in seconds") from error
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def _tell(
    survey: Survey, left_out: Sequence[str], stats: Stats, options: argparse.Namespace
) -> None:
    """Notes, what is not in the page, and the summary, on stderr."""
    from likewise.output.stats import stats_text
    from likewise.run import counted

    told = survey.to_dict((), left_out)
    searched = survey.pairs.stats
    notes = [*searched.notes, *survey.pairs.passage_stats.notes, *told["common_text"]]
    for message in [*notes, *told["left_out"]]:
        tell(message, options.quiet)
    size = f"{os.stat(options.output).st_size / 1e6:.1f} MB"
    tell(
        f"{counted(len(survey.pairs), 'pair')} among {counted(len(survey.texts), 'document')}: "
        f"{searched.counts['similar_pairs']:,} of a similarity of {survey.settings.threshold:g} or "
        f"more, {searched.counts['pairs_by_passages_only']:,} by passages alone; "
        f"{options.output}, {size}",
        options.quiet,
    )
    if options.stats:
        from likewise.run import Stats

        run = told["run"]
        everything = Stats(dict(run["settings"]), dict(run["counts"]), dict(run["seconds"]))
        everything.seconds |= stats.seconds
        print(stats_text(everything), end="", file=sys.stderr)
