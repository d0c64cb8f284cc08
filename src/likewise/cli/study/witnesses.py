"""Counts what two to five texts share, all of them together, exactly two of them, and one alone,
and shows beside it what chance gives: the same texts with their words, sentences or lines in random
order, and stretches of unrelated texts of the same lengths. Measures: words that are aligned one to
one in passages, shingles, the longest run that all have, and the order of the parallels. A p-value
is shown only where the null can say something; otherwise the reason.

Each TEXT is a file, or - for stdin. A SOURCE of --unrelated is a file, a folder or a glob.

example:
  likewise study witnesses matthew.txt mark.txt luke.txt
  likewise study witnesses matthew.txt mark.txt luke.txt --unrelated books/ --trials 199
  likewise study witnesses a.txt b.txt c.txt --nulls lines --format csv -o levels.csv
"""

from __future__ import annotations

import argparse
import os
from typing import cast

from likewise.cli.inputs import Inputs
from likewise.cli.options import OUTPUT, READING, path, shared, text
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import write_result
from likewise.cli.two_texts import read_one
from likewise.errors import SourceError, UsageError

OPTIONS = {
    "TEXT": path("input", "TEXT", "two to five texts", dest="texts", nargs="+"),
    "--unrelated": path(
        "source",
        "SOURCE",
        "texts that have nothing to do with these, for the null unrelated",
        nargs="+",
    ),
    "--nulls": text(
        "NULL",
        "null models to use: words, sentences, lines, unrelated",
        "all available",
        nargs="+",
        choices=("words", "sentences", "lines", "unrelated"),
    ),
    "--trials": shared(
        "--trials", help="number of random texts per null", otherwise="19 to 99, by length"
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("TEXT --unrelated --nulls --profile --min-words --trials --seed")
    parser.add(READING, group="reading")
    parser.add("--plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.output.table import printable
    from likewise.study.reports.witnesses import plot_witnesses, witnesses_rows, witnesses_text
    from likewise.study.witnesses import check_witnesses, study_witnesses

    check_witnesses(
        len(options.texts), options.nulls, bool(options.unrelated), options.min_words,
        options.trials, options.seed,
    )  # fmt: skip
    if options.texts.count("-") > 1:
        raise UsageError("only one of the texts can be stdin")
    texts = [read_one(name, options) for name in options.texts]
    with Progress(options.quiet) as progress:
        unrelated = _unrelated(options, progress) if options.unrelated else None
        settings = arguments_for(study_witnesses, options, unrelated=unrelated, progress=progress)
        study = study_witnesses(texts, **settings)
    names = [os.path.normpath(name) if name != "-" else "stdin" for name in options.texts]
    write_result(
        options,
        lambda: witnesses_text(study, [printable(name) for name in names]),
        lambda: witnesses_rows(study),
        lambda stream, format_: plot_witnesses(study, stream, format_),
    )
    return 0


def _unrelated(options: argparse.Namespace, progress: Progress) -> list[str]:
    inputs = Inputs(options, progress)
    batches = inputs.open(options.unrelated)
    texts = [text for batch in batches for text in cast("list[str]", batch.texts.to_pylist())]
    if inputs.report():
        raise SourceError("unrelated texts were skipped, and --strict forbids it")
    return texts
