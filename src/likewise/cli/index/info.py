"""Shows the settings and counts of an index, one per line.

example:
  likewise index info essays.db
  likewise index info essays.db --format jsonl
"""

from __future__ import annotations

import argparse

from likewise.cli.options import OUTPUT
from likewise.cli.parser import Parser
from likewise.cli.results import write_result


def add_options(parser: Parser) -> None:
    parser.add("DB")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.index.index import Index
    from likewise.output.rows import Rows

    with Index(options.database) as index:
        info = index.info()
    if options.format == "table":
        lines = [(name, _readable(value)) for name, value in info.items()]
        rows = Rows(("name", "value"), lines, len(lines))
    else:
        rows = Rows(tuple(info), [tuple(info.values())], 1)
    write_result(options, None, lambda: rows)
    return 0


def _readable(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
