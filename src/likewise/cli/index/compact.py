"""Frees the space of removed and replaced documents and merges the search structures. While it
runs it needs free disk space equal to the size of the index; other processes can read but not
write.

example:
  likewise index compact essays.db
"""

from __future__ import annotations

import argparse

from likewise.cli.messages import notify
from likewise.cli.parser import Parser


def add_options(parser: Parser) -> None:
    parser.add("DB --quiet")


def run(options: argparse.Namespace) -> int:
    from likewise.index.index import Index

    with Index(options.database) as index:
        before = index.info()["bytes"]
        index.compact()
        after = index.info()["bytes"]
    notify(options, f"{options.database}: {after:,} bytes, {before:,} before")
    return 0
