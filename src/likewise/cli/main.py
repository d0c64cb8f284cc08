"""`likewise`: finds the command, runs it, and turns errors into messages and exit statuses.

0  done; documents that could not be read are listed, unless --strict
1  something failed, or a document was skipped under --strict
2  a bad argument or source, found before any work or while reading
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from likewise import __version__
from likewise.errors import LikewiseError

COMMANDS = {
    "pairs": "similar pairs inside a collection, or between two",
    "passages": "copied passages in a collection, or between two",
    "dedup": "one of each group of similar documents, in the format of the source",
    "compare": "two texts by every measure",
    "report": "a collection as one HTML page, to be looked at",
    "tune": "bands and rows for a threshold, and what they find",
    "study": "experiments on any text: chance levels, laws, estimators, detection",
    "index": "a database of documents, asked about new ones",
    "serve": "a web app, and an API for other programs",
}

_HELP = """\
usage: likewise COMMAND [ARGUMENT ...]

Finds texts that share their words.

commands:
{commands}

options:
  -h, --help   this help; `likewise COMMAND --help` for a command's
  --version    the version

example:
  likewise pairs samples/essays --threshold 0.5
"""


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives the exit status."""
    if sys.stderr is None:  # closed: what is said must not end up in the data
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help", "help"):
        print(_help(), end="")
        return 0 if given else 2
    if given[0] in ("--version", "-V"):
        print(f"likewise {__version__}")
        return 0
    if given[0] not in COMMANDS:
        return _fail(f"there is no command {given[0]!r}", f"one of {', '.join(COMMANDS)}", 2)
    try:
        command = import_module(f"likewise.cli.{given[0]}")
        return int(command.run(given[1:]))
    except LikewiseError as error:
        return _fail(str(error), error.hint, error.exit_status)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): not an error, but nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _fail("interrupted", None, 130)
    except MemoryError:
        return _fail("out of memory", "use --memory to keep less text in memory", 1)
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}", None, 1)


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = (f"  {name:<{width}}   {what}" for name, what in COMMANDS.items())
    return _HELP.format(commands="\n".join(lines))


def _fail(message: str, hint: str | None, status: int) -> int:
    from likewise.report.table import printable

    print(f"likewise: error: {printable(message)}", file=sys.stderr)
    if hint:
        print(f"hint: {printable(hint)}", file=sys.stderr)
    return status
