"""Where the result of a command goes: a table or rows, to stdout or a file, and a plot."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.output.rows import Rows

TABLE_ROWS = 1000  # of a table on stdout


def check_results(options: argparse.Namespace) -> None:
    """Raises, before any work, if the output or the plot could not be written."""
    from likewise.files import check_output

    check_target(options, options.output, binary=options.format == "parquet")
    if getattr(options, "plot", None):
        from likewise.output.figure import check_plot

        check_plot(options.plot)
        check_output(options.plot, binary=False)


def check_target(options: argparse.Namespace, path: str | None, *, binary: bool) -> None:
    """Raises if a file could not be written, or if it is the index that the command reads."""
    from likewise.files import check_output

    check_output(path, binary=binary)
    database = getattr(options, "database", None)
    if path is None or database is None:
        return
    if path in {f"{database}{suffix}" for suffix in ("-wal", "-shm", "-journal")}:
        raise UsageError(f"{path}: this file belongs to the index", hint="name another file")
    if os.path.exists(path) and os.path.exists(database) and os.path.samefile(path, database):
        raise UsageError(f"{path}: this file is the index itself", hint="name another file")


def write_result(
    options: argparse.Namespace,
    text: Callable[[], str] | None,
    rows: Callable[[], Rows],
    plot: Callable[[BinaryIO, str], None] | None = None,
) -> None:
    """Writes the result to --output in the --format, and the plot to --plot.

    Args:
        text: the result as a table for people; `rows` as a table, if None.
        rows: the result for programs.
        plot: draws to a stream, in a format such as "svg".
    """
    from likewise.files import open_output
    from likewise.output.rows import write_rows

    if plot is not None and options.plot:
        from likewise.output.figure import check_plot

        with open_output(options.plot) as stream:
            plot(stream, check_plot(options.plot))
    with open_output(options.output) as stream:
        if options.format == "table" and text is not None:
            stream.write(text().encode("utf-8", "replace"))
        else:
            write_rows(rows(), options.format, stream)


def shown_rows(options: argparse.Namespace) -> int | None:
    """The maximum number of rows of a table; None for all, in a file."""
    return None if options.output else TABLE_ROWS
