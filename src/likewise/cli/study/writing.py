"""How an experiment's result leaves: words and tables, or rows for programs, and a plot."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from likewise.cli.options import add_output, add_plot

if TYPE_CHECKING:
    from likewise.output.rows import Rows

Draw = Callable[[BinaryIO, str], None]


def add_result(parser: argparse.ArgumentParser) -> None:
    """--plot, --format, -o and --quiet."""
    add_plot(parser)
    add_output(parser)


def check_result(options: argparse.Namespace) -> None:
    """Raises, before any work, where the result could not be written."""
    from likewise.files import check_output

    check_output(options.output, binary=options.format == "parquet")
    if options.plot:
        from likewise.output.figure import check_plot

        check_plot(options.plot)
        check_output(options.plot, binary=False)


def write_result(
    options: argparse.Namespace, text: Callable[[], str], rows: Callable[[], Rows], draw: Draw
) -> None:
    """Writes what the options ask for; `text` is for people, `rows` for programs."""
    from likewise.files import open_output
    from likewise.output.rows import write_rows

    if options.plot:
        from likewise.output.figure import check_plot

        with open_output(options.plot) as stream:
            draw(stream, check_plot(options.plot))
    with open_output(options.output) as stream:
        if options.format == "table":
            stream.write(text().encode("utf-8", "replace"))
        else:
            write_rows(rows(), options.format, stream)
