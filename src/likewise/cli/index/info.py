"""`likewise index info`: settings and counts of an index."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database, check_target
from likewise.cli.options import Parser, add_output

DESCRIPTION = """\
Shows the settings and counts of an index, one per line."""

EXAMPLE = """\
  likewise index info essays.db
  likewise index info essays.db --format jsonl"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index info", DESCRIPTION, EXAMPLE)
    add_database(made)
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Prints it; the exit status."""
    options = parser().parse(arguments)
    from likewise.files import open_output
    from likewise.index.index import Index
    from likewise.output.rows import Rows, write_rows

    check_target(options.database, options.output, binary=options.format == "parquet")
    with Index(options.database) as index:
        info = index.info()
    if options.format == "table":
        lines = [(name, _for_people(value)) for name, value in info.items()]
        rows = Rows(("name", "value"), lines, len(lines))
    else:
        rows = Rows(tuple(info), [tuple(info.values())], 1)
    with open_output(options.output) as stream:
        write_rows(rows, options.format, stream)
    return 0


def _for_people(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
