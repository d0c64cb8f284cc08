"""Messages to the user, on stderr."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from likewise.output.table import printable

if TYPE_CHECKING:
    from likewise.run import Stats


_PARAMETER = re.compile(r"`([a-z_]+)(?:=([^`]+))?`")  # as errors and notes name it


def with_options(message: str) -> str:
    """A message with options of the command line in place of parameters of a function.

    "`exact=True`" becomes "--exact", "`max_documents`" becomes "--max-documents".
    """

    def option(found: re.Match[str]) -> str:
        name, value = found[1].replace("_", "-"), found[2]
        if value == "False":
            return f"--no-{name}"
        return f"--{name}" if value in (None, "True") else f"--{name} {value}"

    return _PARAMETER.sub(option, message)


def notify(options: argparse.Namespace, *messages: object) -> None:
    """Prints each message on a line, except with --quiet."""
    if not options.quiet:
        for message in messages:
            warn(str(message))


def warn(message: str) -> None:
    """Prints a message even with --quiet."""
    print(f"likewise: {printable(with_options(message))}", file=sys.stderr)


def print_stats(options: argparse.Namespace, stats: Stats) -> None:
    """Prints what --stats asks for."""
    from likewise.output.stats import stats_text

    if options.stats:
        print(stats_text(stats), end="", file=sys.stderr)
