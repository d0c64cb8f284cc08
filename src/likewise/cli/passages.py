"""`likewise passages`: copied passages in a collection, or between two."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.cli.excluding import add_common_text, add_exclusions, exclusions_of
from likewise.cli.options import (
    Parser,
    add_metadata,
    add_min_words,
    add_output,
    add_reading,
    add_threads,
    whole_number,
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
from likewise.cli.reading import open_metadata, open_reader, tell_alone, tell_reading
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.output.passages import Documents
    from likewise.passages.matching_text import Exclusions
    from likewise.passages.results import Passages
    from likewise.text.word_frequencies import Frequencies

DESCRIPTION = """\
Finds passages that documents share, however short: copied verbatim, edited or reordered. Counts and
percentages refer to matched words. Possibly reworded passages are listed separately.

A SOURCE is a file, a folder, a glob, a zip or - for stdin, as for `likewise pairs`. Every run of
--min-words identical words is found. Small collections are compared pair by pair; in larger ones,
copies without such a run are searched for by rare words that both documents contain. All texts are
kept in memory."""

EXAMPLE = """\
  likewise passages samples/essays
  likewise passages new/ --against archive/ --format jsonl -o passages.jsonl
  likewise passages samples/essays --scores
  likewise passages one.txt two.txt --differences"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("passages", DESCRIPTION, EXAMPLE)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the collection")
    made.add_argument(
        "--against",
        nargs="+",
        metavar="OTHER",
        help="find only passages of SOURCE that are also in OTHER; must follow SOURCE",
    )
    search = made.add_argument_group("search")
    add_min_words(search)
    search.add_argument(
        "--max-documents",
        type=whole_number,
        default=200,
        metavar="N",
        help="in a large collection, do not search for runs of words that more than N documents "
        "contain (default: 200)",
    )
    add_search(search)
    add_threads(search)
    add_exclusions(made)
    add_common_text(made)
    add_reading(made)
    add_metadata(made)
    add_output(made)
    add_view(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, searches and prints; the exit status."""
    options = parser().parse(arguments)
    _check(options)
    from likewise.files import check_output, open_output
    from likewise.run import Stats

    check_output(options.output, binary=options.format == "parquet")
    rates = rates_of(options)
    exclude = exclusions_of(options)
    metadata = open_metadata(options)
    reading = Stats()
    with Progress(options.quiet) as progress:
        readers = [
            open_reader(sources, options, progress, metadata=metadata, shape="files")
            for sources in (options.sources, options.against)
            if sources
        ]
        with reading.timed("read"):
            sides = [read_documents(reader) for reader in readers]
        passages = _search(sides, rates, exclude, options, progress)
        with passages.stats.timed("write"), open_output(options.output) as stream:
            write_passages(passages, sides[0], sides[-1], options, stream)
    stats = passages.stats
    stats.seconds = reading.seconds | stats.seconds
    stats.counts["skipped"] = sum(len(reader.skipped) for reader in readers)
    status = tell_reading(readers, options, metadata)
    if len(readers) == 1:
        tell_alone(readers[0], options)
    tell_passages(passages, options)
    return status


def _check(options: argparse.Namespace) -> None:
    """Raises, before anything is read, for options that are wrong."""
    from likewise.passages.fingerprints import Winnowing
    from likewise.whole_numbers import check_whole

    if "-" in options.sources and "-" in (options.against or []):
        raise UsageError("only one of SOURCE and OTHER can be stdin")
    Winnowing(options.min_words)
    check_whole("max_documents", options.max_documents, 2)
    check_view(options)


def _search(
    sides: Sequence[Documents],
    rates: Frequencies | None,
    exclude: Exclusions,
    options: argparse.Namespace,
    progress: Progress,
) -> Passages:
    from likewise.passages.find import find_passages

    texts = [[document.text for document in side.values()] for side in sides]
    known = [[document.known for document in side.values()] for side in sides]
    two = len(sides) == 2
    passages = find_passages(
        texts[0],
        ids=sides[0],
        against=texts[1] if two else None,
        against_ids=sides[1] if two else None,
        min_words=options.min_words,
        max_documents=options.max_documents,
        edited=not options.runs_only,
        exclude=exclude,
        metadata=known[0],
        against_metadata=known[1] if two else None,
        rates=rates,
        threads=options.threads,
        progress=progress,
    )
    passages.stats.settings |= {"language": options.language, "top": options.top}
    return passages
