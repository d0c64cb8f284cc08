"""Writes a report on a collection as a single HTML page: an overview, all pairs, each document
with its sources, two documents side by side, clusters, and the settings of the run. The page needs
no other file and no network, and opens in any browser.

A SOURCE is a file, a folder, a glob, a zip or - for stdin, as for `likewise pairs`. The report
lists pairs that share a passage and pairs that are similar as a whole. All texts are kept in
memory.

With --against or --index, the documents of SOURCE are under review: they are compared with each
other and with an archive, such as the essays of last year. Documents of the archive are not
compared with each other.

example:
  likewise report samples/essays -o report.html
  likewise report essays/ --metadata class.csv --template assignment.txt --title "Essays, autumn" \\
    -o report.html
  likewise report this-year/ --against last-year/ -o report.html
  likewise report this-year/ --index essays.db -o report.html
  likewise report essays/ --metadata class.csv --anonymous --key key.csv -o anonymous.html
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.cli.anonymous_report import (
    anonymous_survey,
    check_names,
    key_written,
    report_names,
)
from likewise.cli.exclusions import exclusions_of
from likewise.cli.inputs import Inputs
from likewise.cli.messages import notify, print_stats
from likewise.cli.options import EXCLUSIONS, READING_PLACES, flag, path, real, size, text, whole
from likewise.cli.page_time import EPOCH, page_time
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.storage.address import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.documents import Document, Reader
    from likewise.run import Stats
    from likewise.survey.archive import Archive
    from likewise.survey.settings import RunFacts, SurveySettings
    from likewise.survey.survey import Survey

OPTIONS = {
    "--against": path(
        "source",
        "OLD",
        "archive: compare SOURCE also with OLD; must follow SOURCE",
        nargs="+",
    ),
    "--index": path(
        "input", "DB", "archive: compare SOURCE also with the documents of an index that share text"
    ),
    "--threshold": real("T", "minimum similarity of pairs that share no passage", 0.2),
    "--null-pairs": whole(
        "N",
        "number of random pairs for the chance level",
        otherwise="2,000 to 1,000,000, depending on the number and length of the documents",
    ),
    "--output": path("output", "FILE", "write the report to FILE", short="-o", required=True),
    "--title": text("TEXT", "title of the page", "the names of the sources"),
    "--max-pairs": whole("N", "maximum number of pairs to list, the most similar first", 2000),
    "--max-size": size(
        "maximum size of the page; texts beyond it are omitted, those of the least similar pairs "
        "first",
        25_000_000,
    ),
    "--no-texts": flag("write measures only, without any text"),
    "--anonymous": flag(
        "write a report without names: documents and groups have numbers, and names of authors are "
        "replaced in the texts"
    ),
    "--key": path(
        "output",
        "FILE",
        "with --anonymous: write to FILE (CSV) what the numbers stand for, readable by you only",
    ),
    "--keep-dates": flag("with --anonymous: keep the dates of documents"),
    "--overwrite": flag("replace the FILE of --key if it already exists"),
}


def add_options(parser: Parser) -> None:
    parser.add("SOURCE --against --index --profile")
    parser.add("--threshold --min-words --null-pairs --threads", group="search")
    parser.add(EXCLUSIONS, group="exclusions")
    parser.add("--common-text")
    parser.add(READING_PLACES, group="reading")
    parser.add("--metadata --metadata-column")
    parser.add("--output --title --max-pairs --max-size --no-texts --quiet --stats", group="output")
    parser.add("--anonymous --key --keep-dates --overwrite", group="names")


def run(options: argparse.Namespace) -> int:
    from likewise.files import open_output
    from likewise.pages.page import write_page
    from likewise.run import Stats
    from likewise.survey.settings import SurveySettings
    from likewise.survey.survey import Survey

    check_names(options)
    exclude = exclusions_of(options)
    settings = SurveySettings(**arguments_for(SurveySettings, options, exclude=exclude))
    time = page_time()
    stats = Stats()
    with Progress(options.quiet) as progress:
        inputs = Inputs(options, progress, shape="files")
        readers = inputs.open_sides()
        with stats.timed("read"):
            documents, *archived = [_documents(reader) for reader in readers]
        archive = _archive(options, documents, archived, settings, stats, progress)
        facts = _facts(options, time, inputs, stats, archive)
        survey = Survey(documents, settings, facts, progress, archive)
        shown = anonymous_survey(survey, options, inputs) if options.anonymous else survey
        with stats.timed("write"), key_written(shown, options), open_output(options.output) as page:
            texts = write_page(
                shown, page, max_size=options.max_size, texts=not options.no_texts,
                progress=progress,
            )  # fmt: skip
    status = inputs.report()
    if archive is None:
        inputs.report_single()
    _report(survey, texts.left_out() if texts.wanted else [], stats, options)
    report_names(shown, options)
    return status


def _documents(reader: Reader) -> list[Document]:
    return [document for batch in reader for document in batch.documents()]


def _archive(
    options: argparse.Namespace,
    documents: Sequence[Document],
    archived: Sequence[Sequence[Document]],
    settings: SurveySettings,
    stats: Stats,
    progress: Progress,
) -> Archive | None:
    """Documents of --against and those found in --index; None if neither is given."""
    from likewise.survey.archive import NAME, Archive

    collections = dict(zip([NAME], archived, strict=False))
    if options.index is None:
        return Archive(collections) if collections else None
    from likewise.index.index import Index
    from likewise.survey.indexed_archive import archive_in_index, archive_name

    with Index(options.index) as index, stats.timed("index"):
        name = archive_name(index.name)
        found = archive_in_index(index, name, documents, settings, progress)
    return found.joined(Archive(collections))


def _facts(
    options: argparse.Namespace, time: str, inputs: Inputs, stats: Stats, archive: Archive | None
) -> RunFacts:
    from likewise.documents.texts import scrub
    from likewise.survey.settings import RunFacts

    names = [Path(source).name or source for source in map(shown, options.sources)]
    title = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    skipped = [item for reader in inputs.readers for item in reader.skipped]
    return RunFacts(
        title=scrub(title if options.title is None else options.title),
        command=scrub(options.command_line),
        made=time,
        notes=[*inputs.notes(), *(archive.notes if archive else ())],
        skipped=[(item.source, item.place, item.reason) for item in skipped],
        seconds=stats.seconds,
        timed=EPOCH not in os.environ,
    )


def _report(survey: Survey, omitted: list[str], stats: Stats, options: argparse.Namespace) -> None:
    """Prints notes, what the page omits, and the summary."""
    from likewise.files import output_size
    from likewise.run import Stats, counted

    overview = survey.to_dict((), omitted)
    search = survey.pairs.stats
    notes = [*search.notes, *survey.pairs.passage_stats.notes, *overview["common_text"]]
    among = counted(survey.under_review, "document")
    if survey.archive is not None:
        notes = [*survey.archive.notes, *notes]
        among += f" under review and {len(survey.archive):,} in the archive"
    notify(options, *notes, *overview["left_out"])
    size = f"{output_size(options.output) / 1e6:.1f} MB"
    notify(
        options,
        f"{counted(len(survey.pairs), 'pair')} among {among}: "
        f"{search.counts['similar_pairs']:,} with a similarity of {survey.settings.threshold:g} or "
        f"more, {search.counts['pairs_by_passages_only']:,} by passages alone; "
        f"{options.output}, {size}",
    )
    run = overview["run"]
    seconds = dict(run["seconds"]) | stats.seconds
    print_stats(options, Stats(dict(run["settings"]), dict(run["counts"]), seconds))
