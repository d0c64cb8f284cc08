"""`likewise index passages`: passages that documents share with those of an index."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.cli.excluding import add_common_text, add_exclusions, exclusions_of
from likewise.cli.index.adding import add_batches, tell_added
from likewise.cli.index.database import add_database, check_target
from likewise.cli.options import (
    Parser,
    add_metadata,
    add_min_words,
    add_output,
    add_reading,
    add_threads,
)
from likewise.cli.passage_output import (
    add_search,
    add_view,
    check_view,
    rates_of,
    read_documents,
    tell_passages,
    write_passages,
)
from likewise.cli.progress import Progress
from likewise.cli.reading import open_metadata, open_reader, tell_reading

if TYPE_CHECKING:
    from likewise.index.index import Index
    from likewise.index.passage_results import IndexPassages
    from likewise.output.passages import Documents
    from likewise.passages.matching_text import Exclusions
    from likewise.text.word_frequencies import Frequencies

DESCRIPTION = """\
Finds passages that the documents of SOURCE share with those of the index, however short: copied
verbatim, edited or reordered. Counts and percentages refer to matched words. Possibly reworded
passages are listed separately. Every run of --min-words identical words is found;
copies without such a run are searched for by rare words. Nothing is added without --add."""

EXAMPLE = """\
  likewise index passages essays.db new.txt
  likewise index passages essays.db 2019/ --scores
  likewise index passages essays.db 2019/ --no-quotations --format jsonl -o passages.jsonl"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index passages", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the documents to check")
    search = made.add_argument_group("search")
    add_min_words(search, "as set in the index")
    add_search(search)
    search.add_argument(
        "--add", action="store_true", help="add the documents after all have been checked"
    )
    add_threads(search)
    add_exclusions(made)
    add_common_text(made)
    add_reading(made)
    add_metadata(made)
    add_output(made)
    add_view(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, asks, prints and adds; the exit status."""
    options = parser().parse(arguments)
    check_view(options)
    from likewise.files import open_output
    from likewise.index.index import Index
    from likewise.survey.viewed_document import ViewedDocument

    check_target(options.database, options.output, binary=options.format == "parquet")
    rates = rates_of(options)
    exclude = exclusions_of(options)
    metadata = open_metadata(options)
    with Index(options.database) as index, Progress(options.quiet) as progress:
        # What cannot be asked is refused before any reading.
        _ask(index, {}, exclude, rates, options, progress)
        reader = open_reader(options.sources, options, progress, metadata=metadata, shape="files")
        # With --add sources are read a second time, which stdin cannot be.
        batches = list(reader) if options.add and "-" in options.sources else reader
        asked = read_documents(batches)
        passages = _ask(index, asked, exclude, rates, options, progress)
        with passages.stats.timed("write"), open_output(options.output) as stream:
            stored = {d.id: ViewedDocument.of_index(d) for d in passages.documents.values()}
            write_passages(passages, asked, stored, options, stream)
        added = None
        if options.add:
            added = add_batches(index, batches, threads=options.threads, quiet=options.quiet)
        passages.stats.counts["skipped"] = len(reader.skipped)
        status = tell_reading([reader], options, metadata)
        tell_passages(passages, options)
        if added is not None:
            tell_added(index, options.database, added, options.quiet)
    return status


def _ask(
    index: Index,
    asked: Documents,
    exclude: Exclusions,
    rates: Frequencies | None,
    options: argparse.Namespace,
    progress: Progress,
) -> IndexPassages:
    passages = index.passages(
        [document.text for document in asked.values()],
        ids=asked,
        min_words=options.min_words,
        edited=not options.runs_only,
        exclude=exclude,
        metadata=[document.known for document in asked.values()],
        rates=rates,
        threads=options.threads,
        progress=progress,
    )
    passages.stats.settings |= {"language": options.language, "top": options.top}
    return passages
