"""Where the result of a command goes: a table or rows, to stdout or a file, and a plot."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from likewise.output.rows import Rows

TABLE_ROWS = 1000  # of a table on stdout


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
            write_rows(rows(), options.format, stream, to_file=options.output is not None)


def shown_rows(options: argparse.Namespace) -> int | None:
    """The maximum number of rows of a table; None for all, in a file."""
    return None if options.output else TABLE_ROWS
