"""`likewise study estimators`: every estimator on two texts, against their exact similarity."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from likewise.cli.options import (
    Parser,
    add_draws,
    add_level,
    add_profile,
    add_repeats,
    add_seed,
    add_values,
)
from likewise.cli.study.writing import add_result, check_result, write_result
from likewise.cli.texts import add_two_texts, read_two, shown_name
from likewise.errors import UsageError

DESCRIPTION = """\
Runs every estimator of the similarity on two texts and compares it with the exact value: bias,
standard deviation, how often its interval contains the exact value, and time. Some published
estimators do not estimate the similarity at all; these are marked.

The estimators: exact, exact-by-file, sampling-published, sampling-corrected, sampling-coordinated,
ru, rum-published, rum-hashed, rum-matrix, permutations, affine-prime, affine-papers, minhash,
sketch.

A and B are files or - for stdin; with --literal they are the texts themselves."""

EXAMPLE = """\
  likewise study estimators essay-1.txt essay-2.txt
  likewise study estimators luke.txt matthew.txt --profile gospels --plot estimators.svg
  likewise study estimators a.txt b.txt --estimator minhash,sketch --values 256 --repeats 200"""


def parser() -> Parser:
    """The options of the experiment."""
    made = Parser("study estimators", DESCRIPTION, EXAMPLE)
    add_two_texts(made)
    add_profile(made)
    made.add_argument(
        "--estimator",
        action="append",
        metavar="NAME",
        help="use only this estimator; repeatable, or a comma-separated list (default: all)",
    )
    add_values(made)
    add_draws(made)
    add_repeats(made, 50, "number of estimates per estimator")
    made.add_argument(
        "--hashes",
        action="store_true",
        help="also show the errors of published hash functions on these texts and their lines",
    )
    add_level(made, "confidence level of the intervals")
    add_seed(made)
    add_result(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, tries and prints; the exit status."""
    options = parser().parse(arguments)
    if options.hashes and options.format != "table":
        raise UsageError(
            "--hashes is available only as a table", hint="remove --format or --hashes"
        )
    check_result(options)
    from likewise.cli.progress import Progress
    from likewise.output.table import printable
    from likewise.study.estimation import try_estimators
    from likewise.study.estimators import find_estimator
    from likewise.study.reports.estimators import estimators_rows, estimators_text, plot_estimators

    chosen = None
    if options.estimator:
        chosen = [name.strip() for names in options.estimator for name in names.split(",")]
        for name in chosen:
            find_estimator(name)
    texts = read_two(options)
    with Progress(options.quiet) as progress:
        made = try_estimators(
            *texts,
            profile=options.profile,
            estimators=chosen,
            values=options.values,
            draws=options.draws,
            times=options.repeats,
            seed=options.seed,
            level=options.level,
            progress=progress,
        )
        hashes = _hashes(options, texts) if options.hashes else ""
    names = [printable(shown_name(name, options.literal)) for name in (options.a, options.b)]
    write_result(
        options,
        lambda: estimators_text(made, *names) + hashes,
        lambda: estimators_rows(made),
        lambda stream, format_: plot_estimators(made, stream, format_),
    )
    return 0


def _hashes(options: argparse.Namespace, texts: tuple[str, str]) -> str:
    from likewise.study.published_hashes import (
        PAPERS_LAYOUT,
        TWEETS_LAYOUT,
        false_candidates,
        line_signatures,
        shingle_collisions,
    )
    from likewise.study.reports.estimators import hashes_text

    signatures = line_signatures(
        texts,
        options.profile,
        values=PAPERS_LAYOUT.bands * PAPERS_LAYOUT.rows,
        seed=options.seed,
    )
    found = [
        false_candidates(signatures, PAPERS_LAYOUT, "papers"),
        false_candidates(signatures, TWEETS_LAYOUT, "tweets"),
    ]
    collisions = [
        (name, shingle_collisions(text, options.profile))
        for name, text in zip("ab", texts, strict=True)
    ]
    return "\n" + hashes_text(len(signatures), found, collisions)
