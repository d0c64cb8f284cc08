"""Exact laws of affine functions, which are not random orders.

Two sets of rows of a matrix and a function z(i) = x i + y of the row: how often, over all x and y,
do the minima of both sets agree? For random orders it is their similarity J. For affine functions
it is some other number, written pi here, which depends on where the rows lie. With the rows fixed
and k functions drawn independently, the count of agreements is Binomial(k, pi).

Modulo a prime n, with rows at random, pi is near J + (1 - J)/n: the one x that maps all rows
together makes all minima agree. Modulo a composite n many x map some rows together, and rows that
follow one another are off whatever n is. At J = 1/3:

* half of the rows at random, prime n from 61 to 257: .344 to .336 on average over such rows;
* half of the rows at random, n = 64, 100, 210: .49, .55, .65;
* rows 1, 2, ... of 1,009, up to a third of them: .285 to .288 if the common rows lie between those
  of one set only, .357 to .359 if they lie at an end;
* ((x i + y) mod p) mod n with n = 1,000,003 and p near 10,000,000, rows at random: near .333, .34
  and .39 for 999, 30,000 and 300,000 rows, as more and more of them get values in common.
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
    """A family of affine functions on rows 1 to `rows`; made by affine_mod and affine_mod_prime.

    Attributes:
        rows: n, how many rows there are.
        modulus: p where the functions are ((x i + y) mod p) mod n; None where they are modulo n.
    """

    rows: int
    modulus: int | None = None

    @property
    def functions(self) -> int:
        """How many functions there are: pairs of x and y."""
        return self.rows**2 if self.modulus is None else self.modulus * (self.modulus - 1)

    @property
    def circle(self) -> int:
        """What x i + y is first taken modulo."""
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


# --- how often minima agree


def agreement(
    family: Family, a: Sequence[int] | Ints, b: Sequence[int] | Ints, extreme: str = "min"
) -> Fraction:
    """The exact probability, over all functions, that the minima of two sets of rows agree.

    For a given x the values lie on a circle, and y turns it: the minimum of a set is what comes
    first behind the cut. So the minima agree for as many y as there are places before those values
    that both sets have, back to the value before; there is no need to try each y. Only functions
    that fold the circle (p larger than n) are tried one by one.
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
    """The same from functions drawn at random, where there are too many for all: an estimate."""
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


# --- sets of rows to try


ARRANGEMENTS = {
    "scattered": "half of the rows, at random",
    "a, both, b": "a quarter, one after another: of a, of both, of b",
    "both, a, b": "a quarter, one after another: of both, of a, of b",
}


def arranged(n: int, similarity: float, arrangement: str, seed: int = 0) -> tuple[Ints, Ints]:
    """Two sets of rows of a similarity, as near as whole rows allow, in one of ARRANGEMENTS."""
    if arrangement not in ARRANGEMENTS:
        raise UsageError(
            f"there is no arrangement {arrangement!r}",
            hint=f"one of {', '.join(map(repr, ARRANGEMENTS))}",
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
    """The smallest factor over 1; the number itself if it is a prime."""
    check_whole("number", number, 2, MAX_ROWS)
    return next((f for f in range(2, math.isqrt(number) + 1) if number % f == 0), number)


# --- what is checked


def _check_rows(family: Family, rows: Sequence[int] | Ints) -> Ints:
    distinct = np.unique(np.asarray(rows, dtype=np.int64))
    if not len(distinct):
        raise UsageError("a set of rows is empty", hint="both sets need a row")
    if distinct[0] < 1 or distinct[-1] > family.rows:
        raise UsageError(
            f"rows go from 1 to {family.rows:,}, not from {distinct[0]} to {distinct[-1]}"
        )
    return distinct


def _check_extreme(extreme: str) -> None:
    if extreme not in EXTREMES:
        raise UsageError(f"extreme is {extreme!r}; it must be 'min' or 'max'")


def check_enumerable(family: Family, rows: int) -> None:
    """Raises where all functions on so many rows would be too much to go through."""
    functions = family.functions if family.folds else family.circle
    check_work(f"{family} on {rows:,} rows", functions * rows)


def check_work(what: str, work: int, limit: int = MAX_ENUMERATED) -> None:
    """Raises where more values than the limit would have to be computed."""
    if work > limit:
        raise UsageError(
            f"{what}: {work:,} values to go through; the limit is {limit:,}",
            hint="take fewer rows, or a smaller modulus",
        )


def _chunks(total: int, each: int) -> Iterator[range]:
    size = max(1, _AT_ONCE // each)
    return (range(i, min(i + size, total)) for i in range(0, total, size))
