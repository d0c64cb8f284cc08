"""Writes the documents of an index to a Parquet file, in the order in which they were added.
Columns: id, text, metadata (JSON), page_starts and references (JSON). `likewise index import` adds
them to another index, which may have a different profile or threshold. If the index stores no
texts, text is null. Review marks are not exported; `likewise index copy` keeps them.

example:
  likewise index export essays.db essays.parquet
"""

from __future__ import annotations

import argparse

from likewise.cli.messages import notify
from likewise.cli.options import flag, path
from likewise.cli.parser import Parser

OPTIONS = {
    "FILE": path("output", "FILE", "the Parquet file to write", dest="file"),
    "--overwrite": flag("replace FILE if it already exists"),
}


def add_options(parser: Parser) -> None:
    parser.add("DB FILE --overwrite --quiet")


def run(options: argparse.Namespace) -> int:
    from likewise.cli.index.exchange import write_documents
    from likewise.files import check_new, open_output
    from likewise.index.index import Index
    from likewise.run import counted

    if not options.overwrite:
        check_new(options.file)
    with Index(options.database) as index:
        with open_output(options.file) as stream:
            written = write_documents(index.documents(), stream)
        if not index.settings.keep_text:
            notify(options, f"{options.database} stores no texts: the export cannot be imported")
        if marks := len(index.review_marks()):
            notify(
                options,
                f"{counted(marks, 'review mark')} of {options.database} not exported; "
                "`likewise index copy` keeps them",
            )
    notify(options, f"{options.file} has {counted(written, 'document')}")
    return 0
