"""`likewise index export`: the documents of an index into a Parquet file."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database, check_target
from likewise.cli.options import Parser, add_quiet
from likewise.cli.progress import tell
from likewise.errors import UsageError

DESCRIPTION = """\
Writes the documents of an index to a Parquet file, in the order in which they were added. Columns:
id, text, metadata (JSON) and page_starts. `likewise index import` adds them to another index, which
may have a different profile or threshold. If the index stores no texts, text is null."""

EXAMPLE = """\
  likewise index export essays.db essays.parquet"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index export", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("file", metavar="FILE", help="the Parquet file to write")
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Writes and tells; the exit status."""
    options = parser().parse(arguments)
    from likewise.cli.index.exchange import write_documents
    from likewise.files import open_output
    from likewise.index.index import Index
    from likewise.run import counted

    if options.file == "-":
        raise UsageError("an export cannot be written to stdout", hint="name a file")
    check_target(options.database, options.file, binary=True)
    with Index(options.database) as index:
        with open_output(options.file) as stream:
            written = write_documents(index.documents(), stream)
        keeps_text = index.settings.keep_text
    if not keeps_text:
        tell(f"{options.database} stores no texts: the export cannot be imported", options.quiet)
    tell(f"{options.file} has {counted(written, 'document')}", options.quiet)
    return 0
