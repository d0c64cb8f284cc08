"""`likewise`: runs a command, and turns errors into messages and exit statuses.

0    done; documents that could not be read are listed, unless --strict
1    something failed, or a document was skipped under --strict
2    a bad argument or source, found before any work or while reading
70   a bug in likewise
130  interrupted by Ctrl-C; 143 ended by SIGTERM, 129 by SIGHUP
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from likewise import __version__
from likewise.cli.commands import run_command
from likewise.cli.messages import with_options
from likewise.cli.signals import STOPPING, stop_signals
from likewise.errors import LikewiseError


def main() -> NoReturn:
    """Runs the command that the process was started for, and ends the process."""
    try:
        status = run()
    except KeyboardInterrupt:  # after the last statement of the command
        status = 128 + signal.SIGINT
    if status - 128 in STOPPING:
        gc.collect()  # what is part of a cycle, such as a connection that was being opened
    # All is written and cleaned up. Python would go on to take itself apart, wait for threads that
    # work on what nobody needs any more, and be killed there by a signal.
    atexit._run_exitfuncs()
    os._exit(status)


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit status."""
    if sys.stderr is None:  # closed: messages must not end up in the data
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    given = list(sys.argv[1:] if arguments is None else arguments)
    with stop_signals() as stop:
        try:
            status = _run(given)
            if sys.stdout is not None:
                sys.stdout.flush()
            return status
        except BaseException as error:
            stop.end()
            # Libraries may turn an interruption into an error of their own.
            if stop.number is not None or isinstance(error, KeyboardInterrupt):
                return _fail(stop.message, None, stop.status)
            if isinstance(error, SystemExit):
                raise
            return _explain(error, given)


def _run(given: list[str]) -> int:
    if given[:1] in (["--version"], ["-V"]):
        print(f"likewise {__version__}")
        return 0
    if given[:1] == ["help"]:
        given = ["--help"]
    return run_command(given)


def _explain(error: BaseException, given: Sequence[str]) -> int:
    """Prints what went wrong; the exit status."""
    if isinstance(error, LikewiseError):
        return _fail(str(error), error.hint, error.exit_status)
    if isinstance(error, OSError):
        _discard_output()
        if isinstance(error, BrokenPipeError):
            return 0  # the reader of our output is gone (`| head`), which is not an error
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}", None, 1)
    if isinstance(error, MemoryError):
        return _fail("out of memory", "use --memory to keep less text in memory", 1)
    from likewise.cli.bug import BUG_STATUS, describe, record

    return _fail(describe(error), record(error, given), BUG_STATUS)


def _discard_output() -> None:
    """What is left in stdout's buffer cannot be written: Python must not try it again."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, hint: str | None, status: int) -> int:
    from likewise.output.table import printable

    with suppress(OSError):  # nobody reads messages any more
        print(f"likewise: error: {printable(message)}", file=sys.stderr)
        if hint:
            print(f"hint: {printable(with_options(hint))}", file=sys.stderr)
        sys.stderr.flush()
    return status
