"""The commands. A new one needs a line in `COMMANDS` and a module of the same name.

The module of a command has a docstring, which is its help with examples; `add_options(parser)`;
`run(options)`, which gives the exit status; and `OPTIONS`, if it has options of its own.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from likewise.cli.paths import check_paths
from likewise.cli.result_format import settle_format
from likewise.errors import UsageError
from likewise.storage.address import shown

if TYPE_CHECKING:
    from likewise.cli.parser import Parser

COMMANDS = {
    "app": "open the web app in a browser",
    "report": "write a report on a collection as a single HTML page",
    "passages": "find copied passages, even short ones, in a collection or between two",
    "pairs": "find near-duplicate documents in a collection or between two",
    "compare": "compare two texts by every measure",
    "synopsis": "show two to five texts in parallel columns, as a single HTML page",
    "dedup": "keep one of each group of similar documents",
    "decontaminate": "remove text of benchmarks from training data",
    "index": "keep documents in a database and check new ones against it",
    "index create": "create an index, empty or with documents",
    "index add": "add documents; a changed document replaces the stored one",
    "index query": "list the stored documents that are similar to new ones",
    "index passages": "find the passages that new documents share with stored ones",
    "index remove": "remove documents by their ids",
    "index list": "list the ids and sizes of all documents",
    "index info": "show the settings and counts of the index",
    "index verify": "check the index and its documents for damage",
    "index compact": "make the index as small and fast as possible",
    "index copy": "copy the index, even while it is in use",
    "index export": "write all documents to a Parquet file",
    "index import": "add the documents of an exported file",
    "serve": "serve the web app to others, and the API to programs",
    "tune": "choose bands and rows for a threshold",
    "study": "run experiments on your own texts: chance levels, estimators, detection",
    "study pair": "analyze two texts in seven steps, from the chance level to a conclusion",
    "study chance": "show how similar two texts would be by chance alone, under each null model",
    "study witnesses": "show what two to five texts share, and what they would by chance",
    "study law": "show the error of estimates and the number of values needed",
    "study estimators": "compare estimators on two texts: bias, deviation, coverage, time",
    "study detection": "measure how many altered copies of documents are found",
    "study timing": "measure time by stage, shingle length and number of values",
}


class Group(NamedTuple):
    """A command that consists of others: what its help says besides their list.

    Attributes:
        noun: what they are called.
        about, example: description and examples.
        usage: arguments that all of them take.
        options: further options.
        hint: further advice where one is unknown.
    """

    noun: str
    about: str
    example: str
    usage: str = ""
    options: str = ""
    hint: str = ""


GROUPS = {
    "": Group(
        "command",
        "Finds texts that have wording in common. For a folder of essays start with `report`, which"
        " shows\nevery copied passage and all similar documents; `passages` prints the same "
        "passages as text.",
        "  likewise report samples/essays -o report.html\n  likewise passages samples/essays",
        options="\n  --version    show the version",
    ),
    "index": Group(
        "verb",
        "Keeps documents in a database and checks new ones against it: `passages` finds copied "
        "parts, `query`\nsimilar documents.",
        "  likewise index create essays.db samples/essays\n"
        "  likewise index passages essays.db new.txt",
        usage="DB ",
        hint="; the verb comes before the index",
    ),
    "study": Group(
        "experiment",
        "Runs experiments on your own texts.",
        "  likewise study pair a.txt b.txt",
    ),
}

_HELP = """\
usage: {command} {argument} {group.usage}[ARGUMENT ...]

{group.about}

{group.noun}s:
{members}

options:
  -h, --help   show this help; `{command} {argument} --help` describes {one}{group.options}

example:
{group.example}
"""


def members(group: str) -> dict[str, str]:
    """The commands of a group by their last word, with their descriptions."""
    words = len(group.split()) + 1
    return {
        name.split()[-1]: about
        for name, about in COMMANDS.items()
        if len(name.split()) == words and name.startswith(group)
    }


def run_command(arguments: Sequence[str], group: str = "") -> int:
    """Runs a command of a group; the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help(group), end="")
        return 0 if arguments else 2
    word, *rest = arguments
    known = members(group)
    if word not in known:
        about = GROUPS[group]
        raise UsageError(
            f"unknown {about.noun} {word!r}", hint=f"use one of {', '.join(known)}{about.hint}"
        )
    name = f"{group} {word}".lstrip()
    if name in GROUPS:
        return run_command(rest, name)
    parser = parser_of(name)
    options = parser.parse(rest)
    options.command_line = shlex.join(["likewise", *name.split(), *map(shown, rest)])
    check_paths(parser.paths, options)
    settle_format(parser, rest, options)
    return int(module_of(name).run(options))


def module_of(name: str) -> ModuleType:
    """The module of a command; it has the same name, unless that is a Python keyword."""
    words = [f"{word}_" if iskeyword(word) else word for word in name.split()]
    return import_module(".".join(["likewise.cli", *words]))


def parser_of(name: str) -> Parser:
    """The parser of a command."""
    from likewise.cli.options import OPTIONS
    from likewise.cli.parser import Parser

    module = module_of(name)
    parser = Parser(name, module.__doc__ or "", OPTIONS | getattr(module, "OPTIONS", {}))
    module.add_options(parser)
    return parser


def _help(name: str) -> str:
    group, commands = GROUPS[name], members(name)
    width = max(map(len, commands))
    return _HELP.format(
        command=f"likewise {name}".rstrip(),
        argument=group.noun.upper(),
        group=group,
        one=f"{'an' if group.noun[0] in 'aeiou' else 'a'} {group.noun}",
        members="\n".join(f"  {word:<{width}}   {about}" for word, about in commands.items()),
    )
