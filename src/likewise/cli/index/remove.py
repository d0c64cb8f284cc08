"""Removes documents by their ids, all in one transaction. They no longer appear in results. Their
space is reused; `likewise index compact` returns it to the file system.

example:
  likewise index remove essays.db cars-02.txt cars-05.txt
  likewise index remove essays.db --from ids.txt
"""

from __future__ import annotations

import argparse
import sys

from likewise.cli.messages import notify, warn
from likewise.cli.options import flag, path
from likewise.cli.parser import Option, Parser
from likewise.errors import SourceError, UsageError

OPTIONS = {
    "ID": Option("a document's id", more={"dest": "ids", "nargs": "*"}),
    "--from": path("input", "FILE", "read ids from FILE, one per line; - for stdin", dest="file"),
    "--strict": flag("exit status 1 if an id was not found"),
}


def add_options(parser: Parser) -> None:
    parser.add("DB ID --from --strict --quiet")


def run(options: argparse.Namespace) -> int:
    if not options.ids and options.file is None:
        raise UsageError("no ids given", hint="name ids, or a file of them with --from FILE")
    from likewise.index.index import Index
    from likewise.run import counted

    with Index(options.database) as index:
        listed = [] if options.file is None else _ids_in(options.file)
        ids = list(dict.fromkeys(options.ids + listed))
        removed = set(index.remove(ids))
        missing = [id_ for id_ in ids if id_ not in removed]
        notify(options, *(f"not found: {id_}" for id_ in missing))
        if missing:  # an id may have been mistyped
            warn(f"{counted(len(missing), 'id')} not found")
        remaining = counted(len(index), "document")
        notify(options, f"{len(removed):,} removed; {options.database} has {remaining}")
    return 1 if missing and options.strict else 0


def _ids_in(path: str) -> list[str]:
    """One id per line; blank lines are skipped."""
    name = "stdin" if path == "-" else path
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
        lines = data.decode("utf-8-sig").split("\n")
    except OSError as error:
        raise SourceError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{name}: not UTF-8", hint="write one id per line, in UTF-8") from error
    return [id_ for line in lines if (id_ := line.removesuffix("\r"))]
