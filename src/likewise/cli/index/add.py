"""`likewise index add`: documents into an index."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.adding import add_batches, tell_added
from likewise.cli.index.database import add_database
from likewise.cli.options import Parser, add_metadata, add_quiet, add_reading, add_threads
from likewise.cli.progress import Progress
from likewise.cli.reading import open_metadata, open_reader, tell_reading

DESCRIPTION = """\
Adds documents in batches. A document whose id is already stored is left unchanged if its content is
the same, and replaced otherwise. If the run is interrupted, the documents added so far remain. A
text file is one document; with --lines, each of its lines is one."""

EXAMPLE = """\
  likewise index add essays.db 2018/
  likewise index add pages.db pages.parquet --text body --id url"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index add", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the documents")
    add_threads(made)
    add_reading(made)
    add_metadata(made)
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads and adds; the exit status."""
    options = parser().parse(arguments)
    from likewise.index.index import Index

    metadata = open_metadata(options)
    with Index(options.database) as index, Progress(options.quiet) as progress:
        reader = open_reader(options.sources, options, progress, "read and add", metadata, "files")
        added = add_batches(index, reader, threads=options.threads, quiet=options.quiet)
        status = tell_reading([reader], options, metadata)
        tell_added(index, options.database, added, options.quiet)
    return status
