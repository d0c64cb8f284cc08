"""Affine functions over all orders of the rows: the average that is no law.

For two sets of rows that stay where they are, the minima agree with a probability pi, and k
functions drawn independently agree Binomial(k, pi) times. The Law paper's (3.6) averages pi over
the order of the rows as well, and its (3.7) multiplies as if that order were drawn anew for each
function. It is common to all of them, so that the count is a mixture of binomials: the same mean,
a larger deviation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import Floats, Ints
from likewise.errors import UsageError
from likewise.statistics.affine import Family, check_work
from likewise.statistics.binomial import BinomialLaw
from likewise.whole_numbers import check_whole

MAX_PLACED = 1_000_000_000  # rows times functions times placements


def agreement_by_order(
    family: Family, only_a: int, only_b: int, both: int
) -> dict[Fraction, Fraction]:
    """The law of pi when the rows of the sets are placed at random: each pi, and how often.

    All placements are tried: sets with only_a rows of their own, only_b of their own and `both` in
    common, anywhere among the rows of the family.
    """
    n = family.rows
    for name, count in (("only_a", only_a), ("only_b", only_b), ("both", both)):
        check_whole(name, count, 0)
    if only_a + only_b + both > n or not (only_a + both and only_b + both):
        raise UsageError(
            f"sets of {only_a + both} and {only_b + both} rows with {both} in common are not "
            f"possible among {n} rows",
            hint="both sets need at least one row, and all rows must fit",
        )
    placements = math.comb(n, both) * math.comb(n - both, only_a)
    placements *= math.comb(n - both - only_a, only_b)
    work = placements * family.functions * n
    check_work(f"{placements:,} placements among {n} rows", work, MAX_PLACED)
    labels = _placements(n, ((3, both), (1, only_a), (2, only_b)))
    agreeing = np.zeros(placements, dtype=np.int64)
    for values, count in zip(*np.unique(_table(family), axis=0, return_counts=True), strict=True):
        # The first rows behind the cut that belong to a set: to a (1), to b (2), to both (3).
        first = np.zeros(placements, dtype=np.uint8)
        for value in np.unique(values):
            here = np.bitwise_or.reduce(labels[values == value], axis=0)
            first = np.where(first == 0, here, first)
        agreeing += count * (first == 3)
    found, times = np.unique(agreeing, return_counts=True)
    return {
        Fraction(int(agree), family.functions): Fraction(int(count), placements)
        for agree, count in zip(found, times, strict=True)
    }


def average_agreement(family: Family, only_a: int, only_b: int, both: int) -> Fraction:
    """(3.6) of the Law paper: pi, averaged over all orders of the rows."""
    by_order = agreement_by_order(family, only_a, only_b, both)
    return sum((pi * share for pi, share in by_order.items()), Fraction(0))


def law(values: int, pi: Fraction | float) -> BinomialLaw:
    """(3.7): the law of the estimate from so many functions, for rows that stay where they are."""
    return BinomialLaw(values, float(pi))


def mixture(values: int, by_order: Mapping[Fraction, Fraction]) -> Floats:
    """Probabilities that 0, 1, ... all functions agree, for one random order common to all."""
    parts = (float(share) * law(values, pi).pmf() for pi, share in by_order.items())
    return np.asarray(sum(parts, np.zeros(values + 1)))


def _table(family: Family) -> Ints:
    """The values of all functions on all rows."""
    first = 1 if family.modulus is None else 0
    x = np.arange(1, family.circle + first)[:, None, None]
    y = np.arange(first, family.circle + first)[:, None]
    return family(x, y, np.arange(1, family.rows + 1)).reshape(-1, family.rows)


def _placements(n: int, counts: Sequence[tuple[int, int]]) -> NDArray[np.uint8]:
    """Labels of rows [n, placements], for all ways to give each label to so many rows."""
    labels = np.zeros((1, n), dtype=np.uint8)
    free = n
    for label, count in counts:
        chosen = np.array(list(combinations(range(free), count)), dtype=np.int64)
        slots = np.nonzero(labels == 0)[1].reshape(len(labels), free)
        places = slots[:, chosen].reshape(len(labels) * len(chosen), count)
        labels = np.repeat(labels, len(chosen), axis=0)
        np.put_along_axis(labels, places, np.uint8(label), axis=1)
        free -= count
    return np.ascontiguousarray(labels.T)
