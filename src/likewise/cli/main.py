"""`likewise`: runs a command, and turns errors into messages and exit statuses.

0  done; documents that could not be read are listed, unless --strict
1  something failed, or a document was skipped under --strict
2  a bad argument or source, found before any work or while reading
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from likewise import __version__
from likewise.cli.commands import run_command
from likewise.errors import LikewiseError


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit status."""
    if sys.stderr is None:  # closed: messages must not end up in the data
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] in (["--version"], ["-V"]):
        print(f"likewise {__version__}")
        return 0
    if given[:1] == ["help"]:
        given = ["--help"]
    try:
        return run_command(given)
    except LikewiseError as error:
        return _fail(str(error), error.hint, error.exit_status)
    except BrokenPipeError:
        # The reader of our output is gone (`| head`), which is not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _fail("interrupted", None, 130)
    except MemoryError:
        return _fail("out of memory", "use --memory to keep less text in memory", 1)
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}", None, 1)


def _fail(message: str, hint: str | None, status: int) -> int:
    from likewise.output.table import printable

    print(f"likewise: error: {printable(message)}", file=sys.stderr)
    if hint:
        print(f"hint: {printable(hint)}", file=sys.stderr)
    return status
