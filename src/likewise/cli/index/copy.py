"""Copies an index to a new file, even while other processes read and write it. The copy is a
snapshot and appears only when it is complete. Do not copy an index in any other way: while in use,
it may consist of more than one file.

example:
  likewise index copy essays.db backup.db
"""

from __future__ import annotations

import argparse

from likewise.cli.messages import notify
from likewise.cli.options import path
from likewise.cli.parser import Parser

OPTIONS = {"FILE": path("output", "FILE", "the copy; must not exist yet", dest="file")}


def add_options(parser: Parser) -> None:
    parser.add("DB FILE --quiet")


def run(options: argparse.Namespace) -> int:
    from likewise.index.index import Index
    from likewise.run import counted

    with Index(options.database) as index:
        index.copy_to(options.file)
    with Index(options.file) as copy:
        notify(options, f"{options.file} has {counted(len(copy), 'document')}")
    return 0
