"""`likewise index list`: the ids and sizes of the documents of an index."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.index.database import add_database, check_target
from likewise.cli.options import Parser, add_output
from likewise.cli.pairs import TABLE_ROWS

DESCRIPTION = """\
Lists the documents of an index in the order in which they were added, each with its id, its size
(number of distinct shingles) and its metadata."""

EXAMPLE = """\
  likewise index list essays.db
  likewise index list essays.db --format csv -o ids.csv"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index list", DESCRIPTION, EXAMPLE)
    add_database(made)
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Prints them; the exit status."""
    options = parser().parse(arguments)
    from likewise.files import open_output
    from likewise.index.index import Index
    from likewise.index.matches import FIELDS, described
    from likewise.output.rows import Rows, write_rows

    check_target(options.database, options.output, binary=options.format == "parquet")
    with Index(options.database) as index, open_output(options.output) as stream:
        documents = (
            (document.id, document.size, *described(document.metadata))
            for document in index.documents(text=False)
        )
        shown = None if options.output else TABLE_ROWS
        columns = {"id": str, "size": int} | dict.fromkeys(FIELDS, str)
        rows = Rows(
            tuple(columns), documents, len(index), shown, "documents", tuple(columns.values()),
            optional=FIELDS,
        )  # fmt: skip
        write_rows(rows, options.format, stream)
    return 0
