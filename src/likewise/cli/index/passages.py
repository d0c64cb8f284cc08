"""Finds passages that the documents of SOURCE share with those of the index, however short: copied
verbatim, edited or reordered. Counts and percentages refer to matched words. Possibly reworded
passages are listed separately. Every run of --min-words identical words is found; copies without
such a run are searched for by rare words. Nothing is added without --add.

example:
  likewise index passages essays.db new.txt
  likewise index passages essays.db 2019/ --scores
  likewise index passages essays.db 2019/ --no-quotations --format jsonl -o passages.jsonl
"""

from __future__ import annotations

import argparse

from likewise.cli import passage_results
from likewise.cli.index.adding import add_batches, report_added
from likewise.cli.inputs import Inputs
from likewise.cli.options import EXCLUSIONS, OUTPUT, READING_PLACES, shared, sources
from likewise.cli.parser import Parser
from likewise.cli.passage_results import (
    RESULT_OPTIONS,
    columns_of,
    prepare_search,
    read_documents,
    report_passages,
    write_passages,
)
from likewise.cli.progress import Progress

OPTIONS = passage_results.OPTIONS | {
    "SOURCE": sources("the documents to check"),
    "--min-words": shared("--min-words", default=None, otherwise="as set in the index"),
}


def add_options(parser: Parser) -> None:
    parser.add("DB SOURCE")
    parser.add("--min-words --runs-only --language --top --add --threads", group="search")
    parser.add(EXCLUSIONS, group="exclusions")
    parser.add("--common-text")
    parser.add(READING_PLACES, group="reading")
    parser.add("--metadata --metadata-column")
    parser.add(OUTPUT, group="output")
    parser.add(RESULT_OPTIONS)


def run(options: argparse.Namespace) -> int:
    from likewise.index.index import Index

    with Index(options.database) as index, Progress(options.quiet) as progress:
        search = prepare_search(index.passages, options)
        inputs = Inputs(options, progress, shape="files")
        search([], ids=[], metadata=[])  # raises before any reading
        reader = inputs.open(options.sources)
        # With --add, sources are read a second time, which is impossible for stdin.
        batches = list(reader) if options.add and "-" in options.sources else reader
        documents = read_documents(batches)
        texts, metadata = columns_of(documents)
        passages = search(texts, ids=list(documents), metadata=metadata, progress=progress)
        stored = {d.id: d.to_document() for d in passages.documents.values()}
        write_passages(passages, documents, stored, options)
        added = add_batches(index, batches, options) if options.add else None
        passages.stats.counts["skipped"] = inputs.skipped()
        status = inputs.report()
        report_passages(passages, options)
        if added is not None:
            report_added(index, added, options)
    return status
