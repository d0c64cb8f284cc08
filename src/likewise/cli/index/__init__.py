"""`likewise index`: documents in a database, and new ones checked against it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from types import ModuleType

from likewise.errors import UsageError

VERBS = {
    "create": "create an index, empty or with documents",
    "add": "add documents; a changed document replaces the stored one",
    "query": "list the stored documents that are similar to new ones",
    "passages": "find the passages that new documents share with stored ones",
    "remove": "remove documents by their ids",
    "list": "list the ids and sizes of all documents",
    "info": "show the settings and counts of the index",
    "verify": "check the index and its documents for damage",
    "compact": "make the index as small and fast as possible",
    "copy": "copy the index, even while it is in use",
    "export": "write all documents to a Parquet file",
    "import": "add the documents of an exported file",
}

_HELP = """\
usage: likewise index VERB DB [ARGUMENT ...]

Keeps documents in a database and checks new ones against it: `passages` finds copied parts, `query`
similar documents.

verbs:
{verbs}

options:
  -h, --help   show this help; `likewise index VERB --help` describes a verb

example:
  likewise index create essays.db samples/essays
  likewise index passages essays.db new.txt
"""


def run(arguments: Sequence[str]) -> int:
    """Runs one verb; the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help(), end="")
        return 0 if arguments else 2
    if arguments[0] not in VERBS:
        raise UsageError(
            f"unknown verb {arguments[0]!r}",
            hint=f"use one of {', '.join(VERBS)}; the verb comes before the index",
        )
    return int(module_of(arguments[0]).run(arguments[1:]))


def module_of(verb: str) -> ModuleType:
    """The module of a verb; it has the verb's name, unless that is a word of Python."""
    return import_module(f"likewise.cli.index.{verb}{'_' * iskeyword(verb)}")


def _help() -> str:
    width = max(map(len, VERBS))
    lines = (f"  {name:<{width}}   {what}" for name, what in VERBS.items())
    return _HELP.format(verbs="\n".join(lines))
