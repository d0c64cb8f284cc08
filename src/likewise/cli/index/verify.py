"""Checks the file, then the content, signature and search entries of every document. Prints
`sound`, or one line per problem with exit status 1. It changes nothing.

example:
  likewise index verify essays.db
"""

from __future__ import annotations

import argparse

from likewise.cli.messages import notify
from likewise.cli.parser import Parser


def add_options(parser: Parser) -> None:
    parser.add("DB --threads --quiet")


def run(options: argparse.Namespace) -> int:
    from likewise.index.index import Index
    from likewise.output.table import printable
    from likewise.run import counted

    with Index(options.database) as index:
        problems = index.verify(threads=options.threads)
        if not problems:
            print("sound")
            notify(options, f"{counted(len(index), 'document')} checked")
            return 0
    for problem in problems:
        print(printable(problem))
    notify(options, f"{options.database} is damaged: restore a copy, or create it again")
    return 1
