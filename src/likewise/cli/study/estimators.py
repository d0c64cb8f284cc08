"""Runs every estimator of the similarity on two texts and compares it with the exact value: bias,
standard deviation, how often its interval contains the exact value, and time. Some published
estimators do not estimate the similarity at all; these are marked.

The estimators: exact, exact-by-file, sampling-published, sampling-corrected, sampling-coordinated,
ru, rum-published, rum-hashed, rum-matrix, permutations, affine-prime, affine-papers, minhash,
sketch.

A and B are files or - for stdin; with --literal they are the texts themselves.

example:
  likewise study estimators essay-1.txt essay-2.txt
  likewise study estimators luke.txt matthew.txt --profile gospels --plot estimators.svg
  likewise study estimators a.txt b.txt --estimator minhash,sketch --values 256 --repeats 200
"""

from __future__ import annotations

import argparse

from likewise.cli.options import OUTPUT, TWO_TEXTS, flag, shared, text
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import write_result
from likewise.cli.two_texts import read_two, shown_names
from likewise.errors import UsageError

OPTIONS = {
    "--encoding": shared("--encoding", help="encoding of both files"),
    "--estimator": text(
        "NAME",
        "use only this estimator; repeatable, or a comma-separated list",
        "all",
        action="append",
    ),
    "--repeats": shared("--repeats", help="number of estimates per estimator"),
    "--hashes": flag(
        "also show the errors of published hash functions on these texts and their lines"
    ),
}


def add_options(parser: Parser) -> None:
    parser.add(f"{TWO_TEXTS} --profile --estimator --values --draws --repeats --hashes")
    parser.add("--level --seed --plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    if options.hashes and options.format != "table":
        raise UsageError(
            "--hashes is available only as a table", hint="remove --format or --hashes"
        )
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
    experiment = arguments_for(try_estimators, options, estimators=chosen, times=options.repeats)
    with Progress(options.quiet) as progress:
        estimation = try_estimators(*texts, progress=progress, **experiment)
        hashes = _hashes(options, texts) if options.hashes else ""
    names = map(printable, shown_names(options))
    write_result(
        options,
        lambda: estimators_text(estimation, *names) + hashes,
        lambda: estimators_rows(estimation),
        lambda stream, format_: plot_estimators(estimation, stream, format_),
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
    candidates = [
        false_candidates(signatures, PAPERS_LAYOUT, "papers"),
        false_candidates(signatures, TWEETS_LAYOUT, "tweets"),
    ]
    collisions = [
        (name, shingle_collisions(text, options.profile))
        for name, text in zip("ab", texts, strict=True)
    ]
    return "\n" + hashes_text(len(signatures), candidates, collisions)
