"""`likewise study`: experiments on any text; one module an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from likewise.errors import UsageError

EXPERIMENTS = {
    "pair": "analyze two texts in seven steps: chance level, similarity, interval, conclusion",
    "chance": "show how similar two texts would be by chance alone, under each null model",
    "law": "show the error of estimates and the number of values needed",
    "estimators": "compare estimators on two texts: bias, deviation, coverage, time",
    "detection": "measure how many altered copies of documents are found",
    "timing": "measure time by stage, shingle length and number of values",
}

_HELP = """\
usage: likewise study EXPERIMENT [ARGUMENT ...]

Runs experiments on your own texts.

experiments:
{experiments}

options:
  -h, --help   show this help; `likewise study EXPERIMENT --help` describes an experiment

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
            f"unknown experiment {arguments[0]!r}", hint=f"use one of {', '.join(EXPERIMENTS)}"
        )
    return int(import_module(f"likewise.cli.study.{arguments[0]}").run(arguments[1:]))


def _help() -> str:
    width = max(map(len, EXPERIMENTS))
    lines = (f"  {name:<{width}}   {what}" for name, what in EXPERIMENTS.items())
    return _HELP.format(experiments="\n".join(lines))
