"""`likewise index compact`: an index as small and as quick as it can be."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database
from likewise.cli.options import Parser, add_quiet
from likewise.cli.progress import tell

DESCRIPTION = """\
Frees the space of removed and replaced documents and merges the search structures. While it runs it
needs free disk space equal to the size of the index; other processes can read but not write."""

EXAMPLE = """\
  likewise index compact essays.db"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index compact", DESCRIPTION, EXAMPLE)
    add_database(made)
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Compacts and tells; the exit status."""
    options = parser().parse(arguments)
    from likewise.index.index import Index

    with Index(options.database) as index:
        before = index.info()["bytes"]
        index.compact()
        after = index.info()["bytes"]
    tell(f"{options.database}: {after:,} bytes, {before:,} before", options.quiet)
    return 0
