"""Exact laws of affine functions, which are not random orders.

For two sets of rows and a function z(i) = x i + y of the row, pi is the share of all (x, y) for
which the minima of both sets agree. For random orders it is their similarity J; for affine
functions it depends on where the rows lie. With the rows fixed and k functions drawn independently,
the number of agreements is Binomial(k, pi).

Modulo a prime n, with random rows, pi is near J + (1 - J)/n: the one x that maps all rows together
makes all minima agree. Modulo a composite n many x map some rows together, and consecutive rows are
biased for every n. docs/experiments/affine.md has numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from likewise.arrays import Ints
from likewise.errors import UsageError
from likewise.statistics.binomial import check_similarity
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.whole_numbers import check_whole

MAX_ENUMERATED = 100_000_000  # values computed: rows times functions, or a circle for each x
MAX_ROWS = 10**9  # products of x and i stay exact
EXTREMES = ("min", "max")
_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Family:
    """Affine functions on rows 1 to `rows` (n), by `affine_mod` or `affine_mod_prime`.

    They are ((x i + y) mod p) mod n with `modulus` p, and modulo n without.
    """

    rows: int
    modulus: int | None = None

    @property
    def functions(self) -> int:
        """The number of functions, which are pairs of x and y."""
        return self.rows**2 if self.modulus is None else self.modulus * (self.modulus - 1)

    @property
    def circle(self) -> int:
        """The first modulus of x i + y."""
        return self.modulus or self.rows

    @property
    def folds(self) -> bool:
        """Whether values are folded a second time, so that y does more than turn a circle."""
        return self.modulus is not None and self.modulus > self.rows

    def __call__(self, x: Ints | int, y: Ints | int, rows: Ints) -> Ints:
        """The values of functions on rows."""
        if self.modulus is None:
            return (x * rows + y - 1) % self.rows + 1  # the remainder 0 is written n
        return (x * rows + y) % self.modulus % self.rows

    def __str__(self) -> str:
        if self.modulus is None:
            return f"x·i + y mod {self.rows:,}"
        return f"((x·i + y) mod {self.modulus:,}) mod {self.rows:,}"


def affine_mod(n: int) -> Family:
    """z(i) = x i + y mod n, the remainder 0 written n; x and y uniform on 1 to n."""
    check_whole("n", n, 1, MAX_ROWS)
    return Family(int(n))


def affine_mod_prime(n: int, p: int) -> Family:
    """z(i) = ((x i + y) mod p) mod n; x uniform on 1 to p - 1, y on 0 to p - 1.

    p is meant to be a prime, and need not be: the Papers source takes 10,000,013 = 421 * 23,753.
    """
    check_whole("n", n, 1, MAX_ROWS)
    check_whole("p", p, 2, MAX_ROWS)
    return Family(int(n), int(p))


def agreement(
    family: Family, a: Sequence[int] | Ints, b: Sequence[int] | Ints, extreme: str = "min"
) -> Fraction:
    """The exact probability, over all functions, that the minima of two sets of rows agree.

    For a given x the values lie on a circle, and y turns it: the minimum of a set is the first
    value after the cut. So the minima agree for as many y as there are places before the values of
    both sets, back to the previous value. Only functions that fold the circle (p larger than n) are
    tried one by one.
    """
    rows_a, rows_b = _check_rows(family, a), _check_rows(family, b)
    _check_extreme(extreme)
    rows = len(rows_a) + len(rows_b)
    check_enumerable(family, rows)
    if family.folds:
        agreeing = _count_folded(family, rows_a, rows_b, extreme)
    else:
        # Maxima too: they are minima on the circle as a mirror shows it, and -x is an x as well.
        agreeing = _count_on_circle(family, rows_a, rows_b)
    return Fraction(agreeing, family.functions)


def sampled_agreement(
    family: Family,
    a: Sequence[int] | Ints,
    b: Sequence[int] | Ints,
    extreme: str = "min",
    *,
    draws: int,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """An estimate of the same from functions drawn at random, if there are too many for all."""
    rows_a, rows_b = _check_rows(family, a), _check_rows(family, b)
    _check_extreme(extreme)
    check_whole("draws", draws, 1)
    random = np.random.Generator(np.random.PCG64(seed))
    first = 1 if family.modulus is None else 0
    agreeing = 0
    for part in _chunks(draws, len(rows_a) + len(rows_b)):
        x = random.integers(1, family.circle + first, size=(len(part), 1))
        y = random.integers(first, family.circle + first, size=(len(part), 1))
        agreeing += _count_agreeing(family, x, y, rows_a, rows_b, extreme)
    return replace(
        binomial_estimate(agreeing, draws, level), law="functions drawn, Clopper-Pearson"
    )


def _count_on_circle(family: Family, a: Ints, b: Ints) -> int:
    n = family.circle
    agreeing = 0
    # All x are 1 to n for the one family, 1 to p - 1 for the other.
    for part in _chunks(n if family.modulus is None else n - 1, len(a) + len(b)):
        x = np.array(part)[:, None] + 1
        # Values of a as even numbers, of b as odd ones.
        keys = np.concatenate([x * a % n * 2, x * b % n * 2 + 1], axis=1)
        keys.sort(axis=1)
        values = keys >> 1
        before = np.concatenate([values[:, -1:] - n, values[:, :-1]], axis=1)
        places = np.maximum.accumulate(
            np.where(values != before, np.arange(values.shape[1]), 0), axis=1
        )
        gaps = np.take_along_axis(values - before, places, axis=1)
        # A value of both sets shows once, where its even number meets the odd one.
        common = (keys[:, 1:] - keys[:, :-1] == 1) & (keys[:, 1:] % 2 == 1)
        agreeing += int(gaps[:, 1:][common].sum())
    return agreeing


def _count_folded(family: Family, a: Ints, b: Ints, extreme: str) -> int:
    y = np.arange(family.circle)[:, None]
    return sum(
        _count_agreeing(family, x, y[part.start : part.stop], a, b, extreme)
        for x in range(1, family.circle)
        for part in _chunks(family.circle, len(a) + len(b))
    )


def _count_agreeing(family: Family, x: Ints | int, y: Ints, a: Ints, b: Ints, extreme: str) -> int:
    z_a, z_b = family(x, y, a), family(x, y, b)
    if extreme == "max":
        return int(np.count_nonzero(z_a.max(axis=1) == z_b.max(axis=1)))
    return int(np.count_nonzero(z_a.min(axis=1) == z_b.min(axis=1)))


ARRANGEMENTS = {
    "scattered": "half of the rows, at random",
    "a, both, b": "a quarter, one after another: of a, of both, of b",
    "both, a, b": "a quarter, one after another: of both, of a, of b",
}


def arranged(n: int, similarity: float, arrangement: str, seed: int = 0) -> tuple[Ints, Ints]:
    """Two sets of rows of a similarity, up to rounding, in one of ARRANGEMENTS."""
    if arrangement not in ARRANGEMENTS:
        raise UsageError(
            f"there is no arrangement {arrangement!r}",
            hint=f"use one of {', '.join(map(repr, ARRANGEMENTS))}",
        )
    check_whole("n", n, 8, MAX_ENUMERATED)
    check_similarity(similarity)
    scattered = arrangement == "scattered"
    union = n // 2 if scattered else n // 4
    both = round(similarity * union)
    own = (union - both) // 2
    rows = np.arange(1, n + 1)
    if scattered:
        rows = np.random.Generator(np.random.PCG64(seed)).permutation(rows)
    rows = rows[:union]
    if arrangement == "both, a, b":
        common, only_a, only_b = np.split(rows, [both, both + own])
    else:
        only_a, common, only_b = np.split(rows, [own, own + both])
    return np.concatenate([only_a, common]), np.concatenate([common, only_b])


def smallest_factor(number: int) -> int:
    """The smallest factor above 1."""
    check_whole("number", number, 2, MAX_ROWS)
    return next((f for f in range(2, math.isqrt(number) + 1) if number % f == 0), number)


def _check_rows(family: Family, rows: Sequence[int] | Ints) -> Ints:
    distinct = np.unique(np.asarray(rows, dtype=np.int64))
    if not len(distinct):
        raise UsageError("a set of rows is empty", hint="both sets need at least one row")
    if distinct[0] < 1 or distinct[-1] > family.rows:
        raise UsageError(
            f"rows must be from 1 to {family.rows:,}; these are from {distinct[0]} to "
            f"{distinct[-1]}"
        )
    return distinct


def _check_extreme(extreme: str) -> None:
    if extreme not in EXTREMES:
        raise UsageError(f"extreme is {extreme!r}; it must be 'min' or 'max'")


def check_enumerable(family: Family, rows: int) -> None:
    """Raises if there are too many functions and rows to enumerate."""
    functions = family.functions if family.folds else family.circle
    check_work(f"{family} on {rows:,} rows", functions * rows)


def check_work(what: str, work: int, limit: int = MAX_ENUMERATED) -> None:
    """Raises if more values than the limit would be computed."""
    if work > limit:
        raise UsageError(
            f"{what}: {work:,} values to compute; the limit is {limit:,}",
            hint="use fewer rows, or a smaller modulus",
        )


def _chunks(total: int, each: int) -> Iterator[range]:
    size = max(1, _AT_ONCE // each)
    return (range(i, min(i + size, total)) for i in range(0, total, size))
