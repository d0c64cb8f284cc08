"""Adds exported documents and their metadata to an index, as `likewise index add` would. The index
must exist; it may have a different profile or threshold than the exported one. Rows without text
are skipped.

example:
  likewise index create finer.db --threshold 0.3
  likewise index import finer.db essays.parquet
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from likewise.cli.index.adding import add_documents, report_added
from likewise.cli.messages import warn
from likewise.cli.options import path
from likewise.cli.parser import Parser
from likewise.errors import SourceError

if TYPE_CHECKING:
    from likewise.cli.index.exchange import Part
    from likewise.index.adding import DocumentBatch

OPTIONS = {
    "FILE": path("input", "FILE", "a Parquet file written by `likewise index export`", dest="file")
}


def add_options(parser: Parser) -> None:
    parser.add("DB FILE --threads --quiet")


def run(options: argparse.Namespace) -> int:
    from likewise.cli.index.exchange import read_documents
    from likewise.index.adding import DocumentBatch
    from likewise.index.index import Index

    with_text = without_text = 0

    def document_batch(part: Part) -> DocumentBatch:
        nonlocal with_text, without_text
        with_text += len(part.ids)
        without_text += part.without_text
        return DocumentBatch(part.texts, part.ids, part.metadata, part.page_starts, part.references)

    with Index(options.database) as index:
        parts = read_documents(options.file)
        added = add_documents(index, map(document_batch, parts), options)
        if without_text and not with_text:
            raise SourceError(
                f"{options.file}: the export of an index without texts cannot be imported",
                hint="copy such an index with `likewise index copy`",
            )
        if without_text:
            warn(f"{without_text:,} rows without text skipped")
        report_added(index, added, options)
    return 0
