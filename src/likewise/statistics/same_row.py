"""How often affine functions map different rows to the same value, which random orders never do."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from likewise.statistics.affine import MAX_ENUMERATED, Family, check_enumerable
from likewise.whole_numbers import check_whole


def same_row(family: Family, difference: int) -> Fraction:
    """P(z(i) = z(i + difference)), over all functions.

    Modulo n it is gcd(difference, n) / n. Folded, x * difference runs through the multiples of the
    gcd with p, and a difference w of residues gives a common value for p - w places of the first
    where n divides w, and for w places where n divides p - w. For a prime p this is the same for
    all rows, near 1/n.
    """
    check_whole("difference", difference, 1, max(1, family.rows - 1))
    return _same_row(family, math.gcd(difference, family.circle))


def average_same_row(family: Family) -> Fraction:
    """The same, averaged over all pairs of rows."""
    n = family.rows
    check_whole("n", n, 2, MAX_ENUMERATED)
    differences = np.arange(1, n)
    divisors, kind = np.unique(np.gcd(differences, family.circle), return_inverse=True)
    pairs = np.zeros(len(divisors), dtype=np.int64)
    np.add.at(pairs, kind, n - differences)
    total = sum(
        (int(c) * _same_row(family, int(g)) for g, c in zip(divisors, pairs, strict=True)),
        Fraction(0),
    )
    return total / math.comb(n, 2)


def permutation_share(family: Family, values: int = 1) -> Fraction:
    """How often all rows keep values of their own under all of `values` functions.

    What (3.10) of the Law paper is after. Modulo n it is the share of the x without a divisor in
    common with n, phi(n) / n, to the power of the number of functions.
    """
    check_whole("values", values, 1)
    n = family.rows
    if n == 1:
        return Fraction(1)
    if not family.folds:
        prime_to = np.gcd(np.arange(1, family.circle + 1), family.circle) == 1
        kept = int(prime_to.sum()) * family.circle if family.circle >= n else 0
    else:
        check_enumerable(family, n)
        rows, y = np.arange(1, n + 1), np.arange(family.circle)[:, None]
        kept = 0
        for x in range(1, family.circle):
            z = np.sort(family(x, y, rows), axis=1)
            kept += int(np.all(z[:, 1:] != z[:, :-1], axis=1).sum())
    return Fraction(kept, family.functions) ** values


def _same_row(family: Family, divisor: int) -> Fraction:
    if family.modulus is None:
        return Fraction(divisor, family.rows)
    p = family.modulus
    step = math.lcm(family.rows, divisor)
    times = (p - 1) // step
    together = divisor * (p + 2 * (times * p - step * times * (times + 1) // 2)) - p  # x = 0 is out
    return Fraction(together, family.functions)
