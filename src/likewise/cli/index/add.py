"""Adds documents in batches. A document whose id is already stored is left unchanged if its content
is the same, and replaced otherwise. If the run is interrupted, the documents added so far remain. A
text file is one document; with --lines, each of its lines is one.

example:
  likewise index add essays.db 2018/
  likewise index add pages.db pages.parquet --text body --id url
"""

from __future__ import annotations

import argparse

from likewise.cli.index.adding import add_batches, report_added
from likewise.cli.inputs import Inputs
from likewise.cli.options import READING_PLACES, sources
from likewise.cli.parser import Parser
from likewise.cli.progress import Progress

OPTIONS = {"SOURCE": sources("the documents")}


def add_options(parser: Parser) -> None:
    parser.add("DB SOURCE --threads")
    parser.add(READING_PLACES, group="reading")
    parser.add("--metadata --metadata-column --quiet")


def run(options: argparse.Namespace) -> int:
    from likewise.index.index import Index

    with Index(options.database) as index, Progress(options.quiet) as progress:
        inputs = Inputs(options, progress, "read and add", "files")
        added = add_batches(index, inputs.open(options.sources), options)
        status = inputs.report()
        report_added(index, added, options)
    return status
