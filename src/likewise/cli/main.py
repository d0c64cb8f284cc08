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
    "report": "write a report on a collection as a single HTML page",
    "passages": "find copied passages, even short ones, in a collection or between two",
    "pairs": "find near-duplicate documents in a collection or between two",
    "compare": "compare two texts by every measure",
    "dedup": "keep one of each group of similar documents",
    "index": "keep documents in a database and check new ones against it",
    "serve": "run the web app, and the API for other programs",
    "tune": "choose bands and rows for a threshold",
    "study": "run experiments on your own texts: chance levels, estimators, detection",
}

_HELP = """\
usage: likewise COMMAND [ARGUMENT ...]

Finds texts that have wording in common. For a folder of essays start with `report`, which shows
every copied passage and all similar documents; `passages` prints the same passages as text.

commands:
{commands}

options:
  -h, --help   show this help; `likewise COMMAND --help` describes a command
  --version    show the version

examples:
  likewise report samples/essays -o report.html
  likewise passages samples/essays
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
        return _fail(f"unknown command {given[0]!r}", f"use one of {', '.join(COMMANDS)}", 2)
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
    from likewise.output.table import printable

    print(f"likewise: error: {printable(message)}", file=sys.stderr)
    if hint:
        print(f"hint: {printable(hint)}", file=sys.stderr)
    return status
