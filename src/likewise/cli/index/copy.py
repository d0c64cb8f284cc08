"""`likewise index copy`: a copy of an index, while others use it."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database, check_target
from likewise.cli.options import Parser, add_quiet
from likewise.cli.progress import tell

DESCRIPTION = """\
Copies an index to a new file, even while other processes read and write it. The copy is a snapshot
and appears only when it is complete. Do not copy an index in any other way: while in use, it may
consist of more than one file."""

EXAMPLE = """\
  likewise index copy essays.db backup.db"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index copy", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("file", metavar="FILE", help="the copy; must not exist yet")
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Copies and tells; the exit status."""
    options = parser().parse(arguments)
    from likewise.index.index import Index
    from likewise.run import counted

    check_target(options.database, options.file, binary=False)
    with Index(options.database) as index:
        index.copy_to(options.file)
    with Index(options.file) as copy:
        tell(f"{options.file} has {counted(len(copy), 'document')}", options.quiet)
    return 0
