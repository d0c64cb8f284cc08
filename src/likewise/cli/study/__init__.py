"""`likewise study`: experiments on any text; one module an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from likewise.errors import UsageError

EXPERIMENTS = {
    "pair": "two texts in seven steps: chance level, similarity, interval, conclusion",
    "chance": "how similar two texts would be by chance alone, under each null",
    "law": "how far an estimate may be off, and how many values are needed",
    "estimators": "every estimator on two texts: bias, deviation, coverage, time",
    "detection": "documents with a share of lines replaced: how many are found again",
    "timing": "time by stage, by shingle length and by number of values",
}

_HELP = """\
usage: likewise study EXPERIMENT [ARGUMENT ...]

Experiments on any text.

experiments:
{experiments}

options:
  -h, --help   this help; `likewise study EXPERIMENT --help` for an experiment's

example:
  likewise study pair a.txt b.txt
"""


def run(arguments: Sequence[str]) -> int:
    """Runs one experiment; the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help(), end="")
        return 0 if arguments else 2
    if arguments[0] not in EXPERIMENTS:
        raise UsageError(
            f"there is no experiment {arguments[0]!r}", hint=f"one of {', '.join(EXPERIMENTS)}"
        )
    return int(import_module(f"likewise.cli.study.{arguments[0]}").run(arguments[1:]))


def _help() -> str:
    width = max(map(len, EXPERIMENTS))
    lines = (f"  {name:<{width}}   {what}" for name, what in EXPERIMENTS.items())
    return _HELP.format(experiments="\n".join(lines))
