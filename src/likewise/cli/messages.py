"""Messages to the user, on stderr."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from likewise.output.table import printable

if TYPE_CHECKING:
    from likewise.run import Stats


def notify(options: argparse.Namespace, *messages: object) -> None:
    """Prints each message on a line, except with --quiet."""
    if not options.quiet:
        for message in messages:
            warn(str(message))


def warn(message: str) -> None:
    """Prints a message even with --quiet."""
    print(f"likewise: {printable(message)}", file=sys.stderr)


def print_stats(options: argparse.Namespace, stats: Stats) -> None:
    """Prints what --stats asks for."""
    from likewise.output.stats import stats_text

    if options.stats:
        print(stats_text(stats), end="", file=sys.stderr)
