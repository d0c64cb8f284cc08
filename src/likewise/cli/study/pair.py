"""Analyzes two texts in seven steps: chance level, shingles, a sample of them, similarity with its
interval, comparison with chance, conclusion, and repetition.

example:
  likewise study pair a.txt b.txt
  likewise study pair luke.txt mark.txt --profile gospels --estimator rum-published --values 20
"""

from __future__ import annotations

import argparse

from likewise.cli.options import OUTPUT, TWO_TEXTS, choice, shared
from likewise.cli.parser import Option, Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import write_result
from likewise.cli.two_texts import read_two, shown_names
from likewise.statistics.null_models import PAIR_NULLS

OPTIONS = {
    "--encoding": shared("--encoding", help="encoding of both files"),
    "--null": choice(PAIR_NULLS, "null model used for the conclusion; all are shown", "words"),
    "--estimator": Option(
        "estimator: exact, sketch, minhash, … as listed by `study estimators`",
        "NAME",
        default="sketch",
    ),
    "--level": shared("--level", help="confidence level of the interval; p must be at most 1 - L"),
}


def add_options(parser: Parser) -> None:
    parser.add(f"{TWO_TEXTS} --profile --null --estimator --values --draws --repeats --level")
    parser.add("--trials --urn --seed --plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.output.table import printable
    from likewise.study.pair import study_pair
    from likewise.study.reports.pair import pair_rows, pair_text, plot_pair

    texts = read_two(options)
    with Progress(options.quiet) as progress:
        study = study_pair(*texts, **arguments_for(study_pair, options, progress=progress))
    names = shown_names(options)
    write_result(
        options,
        lambda: pair_text(study, *map(printable, names)),
        lambda: pair_rows(study, *names),
        lambda stream, format_: plot_pair(study, stream, format_),
    )
    return 0
