"""`likewise index remove`: documents out of an index, by their ids."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from likewise.cli.index.database import add_database
from likewise.cli.options import Parser, add_quiet
from likewise.cli.progress import tell
from likewise.errors import SourceError, UsageError

DESCRIPTION = """\
Removes documents by their ids, all in one transaction. They no longer appear in results. Their
space is reused; `likewise index compact` returns it to the file system."""

EXAMPLE = """\
  likewise index remove essays.db cars-02.txt cars-05.txt
  likewise index remove essays.db --from ids.txt"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index remove", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("ids", nargs="*", metavar="ID", help="a document's id")
    made.add_argument(
        "--from", dest="file", metavar="FILE", help="read ids from FILE, one per line; - for stdin"
    )
    made.add_argument("--strict", action="store_true", help="exit status 1 if an id was not found")
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Removes and tells; the exit status."""
    options = parser().parse(arguments)
    if not options.ids and options.file is None:
        raise UsageError("no ids given", hint="name ids, or a file of them with --from FILE")
    from likewise.index.index import Index
    from likewise.run import counted

    with Index(options.database) as index:
        named = options.ids + ([] if options.file is None else _ids_in(options.file))
        ids = list(dict.fromkeys(named))
        removed = set(index.remove(ids))
        missing = [id_ for id_ in ids if id_ not in removed]
        for id_ in missing:
            tell(f"not found: {id_}", options.quiet)
        if missing:  # said even where little is to be said: an id may have been mistyped
            tell(f"{counted(len(missing), 'id')} not found")
        kept = counted(len(index), "document")
        tell(f"{len(removed):,} removed; {options.database} has {kept}", options.quiet)
    return 1 if missing and options.strict else 0


def _ids_in(path: str) -> list[str]:
    """One id a line; blank lines are passed over."""
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
