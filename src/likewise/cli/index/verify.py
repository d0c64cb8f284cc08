"""`likewise index verify`: is an index whole?"""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database
from likewise.cli.options import Parser, add_quiet, add_threads
from likewise.cli.progress import tell

DESCRIPTION = """\
Checks the file, then the content, signature and search entries of every document. Prints `sound`,
or one line per problem with exit status 1. It changes nothing."""

EXAMPLE = """\
  likewise index verify essays.db"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index verify", DESCRIPTION, EXAMPLE)
    add_database(made)
    add_threads(made)
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Checks and prints; the exit status."""
    options = parser().parse(arguments)
    from likewise.index.index import Index
    from likewise.output.table import printable
    from likewise.run import counted

    with Index(options.database) as index:
        problems = index.verify(threads=options.threads)
        if not problems:
            print("sound")
            tell(f"{counted(len(index), 'document')} checked", options.quiet)
            return 0
    for problem in problems:
        print(printable(problem))
    tell(f"{options.database} is damaged: restore a copy, or create it again", options.quiet)
    return 1
