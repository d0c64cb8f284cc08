"""Lists the documents of an index in the order in which they were added, each with its id, its
size (number of distinct shingles) and its metadata.

example:
  likewise index list essays.db
  likewise index list essays.db --format csv -o ids.csv
"""

from __future__ import annotations

import argparse

from likewise.cli.options import OUTPUT
from likewise.cli.parser import Parser
from likewise.cli.results import shown_rows, write_result


def add_options(parser: Parser) -> None:
    parser.add("DB")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.documents.document import FIELDS, describe
    from likewise.index.index import Index
    from likewise.output.rows import Rows

    with Index(options.database) as index:
        documents = (
            (document.id, document.size, *describe(document.metadata).values())
            for document in index.documents(text=False)
        )
        columns = {"id": str, "size": int} | dict.fromkeys(FIELDS, str)
        rows = Rows(
            tuple(columns), documents, len(index), shown_rows(options), "documents",
            tuple(columns.values()), optional=FIELDS,
        )  # fmt: skip
        write_result(options, None, lambda: rows)
    return 0
