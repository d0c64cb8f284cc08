"""Shows the distribution of a similarity estimated from a signature: the error of the estimate, the
number of values needed for an accuracy, the interval for a count of agreeing values, and the effect
of affine instead of random functions. It needs no text.

example:
  likewise study law --similarity 0.8 --values 256
  likewise study law --epsilon 0.02 --delta 0.05
  likewise study law --values 128 --agreeing 96 --sizes 1000 1100
  likewise study law --similarity 0.3333 --affine 210
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from likewise.cli.options import OUTPUT, real, whole
from likewise.cli.parser import Parser
from likewise.cli.results import write_result
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.study.reports.law import AffineResult, IntervalResult, LawResult

OPTIONS = {
    "--similarity": real("J", "the true similarity, from 0 to 1", 0.5),
    "--epsilon": real("E", "maximum error, such as 0.05"),
    "--delta": real("D", "share of estimates that may have a larger error", 0.05),
    "--agreeing": whole("N", "number of agreeing values: prints the intervals"),
    "--sizes": whole(
        ("M", "L"), "sizes of the two sets: prints the share of each in the other", nargs=2
    ),
    "--affine": whole("N", "use the exact distribution for functions x·i + y mod N of rows 1 to N"),
    "--prime": whole("P", "use ((x·i + y) mod P) mod N instead"),
}


def add_options(parser: Parser) -> None:
    parser.add("--similarity --values --level")
    parser.add("--epsilon --delta", group="number of values")
    parser.add("--agreeing --sizes", group="observed count")
    parser.add("--affine --prime", group="affine functions")
    parser.add("--seed --plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.study.reports.law import law_rows, law_text, plot_law

    _check(options)
    result = _result(options)
    write_result(
        options,
        lambda: law_text(result),
        lambda: law_rows(result),
        lambda stream, format_: plot_law(result, stream, format_),
    )
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raises if the options contradict each other."""
    from likewise.statistics.bands import check_values

    check_values(options.values)
    if options.prime is not None and options.affine is None:
        raise UsageError(
            "--prime requires --affine N", hint="add --affine N with the number of rows"
        )
    if options.sizes is not None and options.agreeing is None:
        raise UsageError(
            "--sizes requires --agreeing N",
            hint="add --agreeing N with the number of agreeing values",
        )


def _result(options: argparse.Namespace) -> LawResult:
    from likewise.statistics.binomial import BinomialLaw
    from likewise.statistics.estimate import check_level
    from likewise.statistics.planning import accuracy_of, values_for
    from likewise.study.reports.law import LawResult

    law = BinomialLaw(options.values, options.similarity)
    check_level(options.level)
    affine = _affine(options) if options.affine is not None else None
    observed = _intervals(options) if options.agreeing is not None else None
    plans = None
    if options.epsilon is not None:
        accuracy = options.epsilon, options.delta
        plans = values_for(*accuracy), values_for(*accuracy, similarity=options.similarity)
    return LawResult(
        law=law,
        level=options.level,
        accuracy=accuracy_of(options.values, options.delta),
        plans=plans,
        observed=observed,
        affine=affine,
    )


def _intervals(options: argparse.Namespace) -> list[IntervalResult]:
    from likewise.statistics.intervals import (
        METHODS,
        containment_estimate,
        dice_estimate,
        interval,
    )
    from likewise.study.reports.law import IntervalResult

    results = []
    for method in METHODS:
        jaccard = interval(options.agreeing, options.values, options.level, method)
        contained = []
        if options.sizes is not None:
            a, b = options.sizes
            contained = [containment_estimate(jaccard, *pair) for pair in ((a, b), (b, a))]
        results.append(IntervalResult(method, jaccard, dice_estimate(jaccard), contained))
    return results


def _affine(options: argparse.Namespace) -> AffineResult:
    from likewise.statistics import affine
    from likewise.statistics.same_row import average_same_row, permutation_share
    from likewise.study.reports.law import AffineResult, ArrangedRows

    if options.prime is None:
        family = affine.affine_mod(options.affine)
    else:
        family = affine.affine_mod_prime(options.affine, options.prime)
    affine.check_enumerable(family, family.rows)
    rows = []
    for name in affine.ARRANGEMENTS:
        a, b = affine.arranged(options.affine, options.similarity, name, options.seed)
        shared = len(set(a.tolist()) & set(b.tolist()))
        similarity = shared / (len(a) + len(b) - shared)
        minima, maxima = (float(affine.agreement(family, a, b, e)) for e in affine.EXTREMES)
        rows.append(ArrangedRows(name, similarity, minima, maxima))
    return AffineResult(
        family=family,
        rows=rows,
        same_row=float(average_same_row(family)),
        permutations=float(permutation_share(family)),
    )
