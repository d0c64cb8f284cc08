"""Finds passages that documents share, however short: copied verbatim, edited or reordered.
Counts and percentages refer to matched words. Possibly reworded passages are listed separately.

A SOURCE is a file, a folder, a glob, a zip or - for stdin, as for `likewise pairs`. Every run of
--min-words identical words is found. Small collections are compared pair by pair; in larger ones,
copies without such a run are searched for by rare words that both documents contain. All texts are
kept in memory.

example:
  likewise passages samples/essays
  likewise passages new/ --against archive/ --format jsonl -o passages.jsonl
  likewise passages samples/essays --scores
  likewise passages one.txt two.txt --differences
"""

from __future__ import annotations

import argparse
from typing import Any

from likewise.cli import passage_results
from likewise.cli.inputs import Inputs
from likewise.cli.options import EXCLUSIONS, OUTPUT, READING_PLACES, path, whole
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.passage_results import (
    RESULT_OPTIONS,
    columns_of,
    prepare_search,
    read_documents,
    report_passages,
    write_passages,
)
from likewise.cli.progress import Progress
from likewise.passages.settings import PassageSettings

OPTIONS = passage_results.OPTIONS | {
    "--against": path(
        "source",
        "OTHER",
        "find only passages of SOURCE that are also in OTHER; must follow SOURCE",
        nargs="+",
    ),
    "--max-documents": whole(
        "N",
        "in a large collection, do not search for runs of words that more than N documents contain",
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("SOURCE --against")
    parser.add(
        "--min-words --spelling --max-documents --runs-only --language --top --threads",
        PassageSettings,
        "search",
    )
    parser.add("--within --across")
    parser.add(EXCLUSIONS, group="exclusions")
    parser.add("--common-text")
    parser.add(READING_PLACES, group="reading")
    parser.add("--metadata --metadata-column")
    parser.add(OUTPUT, group="output")
    parser.add(RESULT_OPTIONS)


def run(options: argparse.Namespace) -> int:
    from likewise.passages.find import find_passages
    from likewise.run import Stats

    PassageSettings(**arguments_for(PassageSettings, options))  # raises before any reading
    search = prepare_search(find_passages, options)
    reading = Stats()
    with Progress(options.quiet) as progress:
        inputs = Inputs(options, progress, shape="files")
        readers = inputs.open_sides()
        with reading.timed("read"):
            sides = [read_documents(inputs.batches(reader)) for reader in readers]
        texts, metadata = columns_of(sides[0])
        against: dict[str, Any] = {"against": None} | inputs.grouping.arguments()
        if len(sides) == 2:
            others, others_metadata = columns_of(sides[1])
            against |= {"against": others, "against_metadata": others_metadata}
            against["against_ids"] = list(sides[1])
        passages = search(
            texts, ids=list(sides[0]), metadata=metadata, progress=progress, **against
        )
        write_passages(passages, sides[0], sides[-1], options)
    passages.stats.seconds = reading.seconds | passages.stats.seconds
    passages.stats.counts["skipped"] = inputs.skipped()
    status = inputs.report()
    inputs.report_single()
    report_passages(passages, options)
    return status
