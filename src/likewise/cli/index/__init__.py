"""`likewise index`: a database of documents, asked about new ones; one module a verb."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from types import ModuleType

from likewise.errors import UsageError

VERBS = {
    "create": "a new index, empty or with documents",
    "add": "documents into it; what has changed replaces what is there",
    "query": "which of its documents are similar to others",
    "passages": "which passages others share with its documents",
    "remove": "documents out of it, by their ids",
    "list": "the ids and sizes of its documents",
    "info": "its settings and counts",
    "verify": "is the file whole, and does it agree with its documents",
    "compact": "as small and as quick as it can be",
    "copy": "a copy of it, while others use it",
    "export": "its documents into a Parquet file",
    "import": "documents out of such a file",
}

_HELP = """\
usage: likewise index VERB DB [ARGUMENT ...]

A database of documents in one file, asked which of them a new document is similar to, and which
passages they share.

verbs:
{verbs}

options:
  -h, --help   this help; `likewise index VERB --help` for a verb's

example:
  likewise index create essays.db samples/essays
  likewise index query essays.db new.txt --whole
"""


def run(arguments: Sequence[str]) -> int:
    """Runs one verb; the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help(), end="")
        return 0 if arguments else 2
    if arguments[0] not in VERBS:
        raise UsageError(
            f"there is no verb {arguments[0]!r}",
            hint=f"one of {', '.join(VERBS)}; the verb stands before the index",
        )
    return int(module_of(arguments[0]).run(arguments[1:]))


def module_of(verb: str) -> ModuleType:
    """The module of a verb; it has the verb's name, unless that is a word of Python."""
    return import_module(f"likewise.cli.index.{verb}{'_' * iskeyword(verb)}")


def _help() -> str:
    width = max(map(len, VERBS))
    lines = (f"  {name:<{width}}   {what}" for name, what in VERBS.items())
    return _HELP.format(verbs="\n".join(lines))
