"""`likewise index copy`: a copy of an index, while others use it."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database, check_target
from likewise.cli.options import Parser, add_quiet
from likewise.cli.progress import tell

DESCRIPTION = """\
Writes a copy of an index to a new file, while others read it and write to it. The copy is an index
as it was at one moment, and appears complete or not at all. Copy an index in this way only: it may
be more than one file while it is in use."""

EXAMPLE = """\
  likewise index copy essays.db backup.db"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index copy", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("file", metavar="FILE", help="the copy; must not be there yet")
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Copies and tells; the exit status."""
    options = parser().parse(arguments)
    from likewise.index.index import Index
    from likewise.search.stats import counted

    check_target(options.database, options.file, binary=False)
    with Index(options.database) as index:
        index.copy_to(options.file)
    with Index(options.file) as copy:
        tell(f"{options.file} has {counted(len(copy), 'document')}", options.quiet)
    return 0
