"""An exception that no command should raise: one line for the user, the traceback in a file."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from collections.abc import Sequence

DEBUG = "LIKEWISE_DEBUG"
"""The environment variable that prints tracebacks instead of writing them to a file."""

BUG_STATUS = 70  # EX_SOFTWARE of sysexits.h
FILE = "traceback.txt"


def describe(error: BaseException) -> str:
    """The exception in one line."""
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    return f"this is a bug in likewise: {' '.join(line.strip() for line in lines)}"


def record(error: BaseException, arguments: Sequence[str]) -> str:
    """Prints the traceback, or writes it to the user's folder for logs; a hint where it is."""
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        print(_report(error, arguments), end="", file=sys.stderr)
        return "please report it, with the traceback above"
    from likewise.files import open_output

    try:
        from platformdirs import user_log_dir

        path = os.path.join(user_log_dir("likewise", appauthor=False), FILE)
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open_output(path) as stream:
            stream.write(_report(error, arguments).encode("utf-8", "backslashreplace"))
    except Exception:  # the last resort must not fail
        return f"please report it; with {DEBUG}=1, the command prints the traceback"
    return f"please report it, with the traceback in {path}"


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    """The traceback, the versions and the command's name; no arguments, which may be private."""
    from likewise import __version__
    from likewise.cli.commands import COMMANDS

    names = [" ".join(arguments[:count]) for count in (2, 1)]
    command = next((name for name in names if name in COMMANDS), "")
    system = f"Python {platform.python_version()}, {platform.platform()}"
    trace = "".join(traceback.format_exception(error))
    return f"likewise {__version__} {command}\n{system}\n{trace}"
