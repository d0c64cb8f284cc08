"""`likewise index verify`: is an index whole?"""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database
from likewise.cli.options import Parser, add_quiet, add_threads
from likewise.cli.progress import tell

DESCRIPTION = """\
Checks the file, and then every document against its content, its signature and its place in the
search. Prints `sound`, or what is wrong, a line each, with exit status 1. It changes nothing."""

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
    from likewise.report.table import printable
    from likewise.search.stats import counted

    with Index(options.database) as index:
        problems = index.verify(threads=options.threads)
        if not problems:
            print("sound")
            tell(f"{counted(len(index), 'document')} checked", options.quiet)
            return 0
    for problem in problems:
        print(printable(problem))
    tell(f"{options.database} is not sound: restore a copy, or make it again", options.quiet)
    return 1
