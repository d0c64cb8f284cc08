"""`BinomialLaw`: the law of a similarity that is estimated as a share of k agreeing values.

For k independent random orders of the shingles the number of agreeing minima (or maxima) is
Binomial(k, J), so everything about the estimate follows from J and k.

Probabilities are computed by Loader's saddle-point formula: factorials by the error of Stirling's
approximation, powers by a deviance that does not cancel. A table of log factorials loses ten digits
at 65,536 values, since log k! is then near 660,000; this formula keeps them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from likewise.arrays import Floats
from likewise.statistics.estimate import check_level, check_real
from likewise.whole_numbers import check_whole

# k(J - e) or k(J + e) this close to a whole number is rounded to it, as 3 * 0.1 != 0.3.
EDGE = 1e-9

MAX_LAW_VALUES = 10**7  # the whole law is in memory


@dataclass(frozen=True)
class BinomialLaw:
    """The law of the estimate from `values` values, for texts of a given similarity."""

    values: int
    similarity: float

    def __post_init__(self) -> None:
        check_whole("values", self.values, 1, MAX_LAW_VALUES)
        check_similarity(self.similarity)

    @cached_property
    def _pmf(self) -> Floats:
        p = float(self.similarity)
        pmf = np.exp(log_term(np.arange(self.values + 1), self.values, p))
        pmf.flags.writeable = False
        return pmf

    def pmf(self) -> Floats:
        """Probabilities that 0, 1, ... all of the values agree."""
        return self._pmf

    def cdf(self) -> Floats:
        """Probabilities that at most 0, 1, ... all of the values agree."""
        return np.minimum(np.cumsum(self._pmf), 1.0)

    @property
    def mean(self) -> float:
        return float(self.similarity)

    @property
    def variance(self) -> float:
        return self.similarity * (1 - self.similarity) / self.values

    @property
    def deviation(self) -> float:
        """The standard deviation of the estimate."""
        return math.sqrt(self.variance)

    def moment(self, order: int) -> float:
        """E[estimate^order], summed over all that the estimate can be."""
        check_whole("order", order, 0)
        estimates = np.arange(self.values + 1) / self.values
        return float(estimates**order @ self._pmf)

    def chebyshev(self, distance: float) -> float:
        """Chebyshev's bound on P(|estimate - J| > distance)."""
        check_real("distance", distance, lambda x: x > 0, "be greater than 0", "for example 0.1")
        # The share first: a tiny distance has no square.
        return min(1.0, (self.deviation / distance) ** 2) if self.variance else 0.0

    def within(self, epsilon: float) -> float:
        """P(|estimate - J| <= epsilon), by the finite sum of Corollary 1."""
        check_epsilon(epsilon)
        low = math.ceil(self.values * (self.similarity - epsilon) - EDGE)
        high = math.floor(self.values * (self.similarity + epsilon) + EDGE)
        return min(1.0, float(self._pmf[max(low, 0) : high + 1].sum()))

    def central(self, level: float) -> tuple[float, float]:
        """The limits that contain at least a share `level` of all estimates, with equal tails."""
        check_level(level)
        tail = (1 - level) / 2
        low = int(np.argmax(np.cumsum(self._pmf) > tail))
        high = self.values - int(np.argmax(np.cumsum(self._pmf[::-1]) > tail))
        return low / self.values, high / self.values

    def gaussian_within(self, epsilon: float) -> float:
        """The same by the Gaussian approximation."""
        check_epsilon(epsilon)
        if not self.variance:
            return 1.0
        return math.erf(epsilon / (self.deviation * math.sqrt(2)))


def log_term(
    counts: ArrayLike, values: ArrayLike, p: ArrayLike, q: ArrayLike | None = None
) -> Floats:
    """log P(T = count) for T ~ Binomial(values, p), by Loader's formula.

    Counts need not be whole: the formula then goes smoothly between the whole ones. `q` is 1 - p,
    given where it is known better than by subtraction.
    """
    q = 1 - np.asarray(p, dtype=np.float64) if q is None else q
    t, k, p, q = np.broadcast_arrays(
        *(np.asarray(v, dtype=np.float64) for v in (counts, values, p, q))
    )
    rest = k - t
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inner = (
            stirling_error(k)
            - stirling_error(t)
            - stirling_error(rest)
            - _deviance(t, k * p)
            - _deviance(rest, k * q)
            - 0.5 * np.log(2 * math.pi * t * (rest / k))
        )
        # log 0 is -inf, but 0 log 0 is 0: no value of no probability is certain not to come.
        none = np.where(k > 0, k * np.where(p < 0.5, np.log1p(-p), np.log(q)), 0.0)
        all_ = np.where(k > 0, k * np.where(q < 0.5, np.log1p(-q), np.log(p)), 0.0)
    inner = np.where((p <= 0) | (q <= 0), -math.inf, inner)
    return np.asarray(np.where(t == 0, none, np.where(rest == 0, all_, inner)))


def lower_tail(counts: ArrayLike, values: ArrayLike, p: ArrayLike) -> Floats:
    """P(T <= count) for T ~ Binomial(values, p), by the continued fraction of the beta function.

    A count that is not whole gets the incomplete beta function I_{1-p}(values - count, count + 1),
    which goes from one whole count to the next, increasing in the count and decreasing in p.
    """
    t, k, p = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (counts, values, p)))
    if t.size > _AT_ONCE:  # a loop over large arrays would wait for memory
        parts = (slice(i, i + _AT_ONCE) for i in range(0, t.size, _AT_ONCE))
        return np.concatenate([lower_tail(t[s], k[s], p[s]) for s in parts])
    tail = np.where(t >= k, 1.0, 0.0)
    tail[(t >= 0) & (p <= 0)] = 1.0
    inside = (t >= 0) & (t < k) & (p > 0) & (p < 1)
    t, k, p = t[inside], k[inside], p[inside]
    # The fraction converges fast on one side of the mean; on the other, the complement is taken.
    below = 1 - p < (k - t + 1) / (k + 3)
    a, b = np.where(below, k - t, t + 1), np.where(below, t + 1, k - t)
    x = np.where(below, 1 - p, p)
    front = np.where(below, p, p * (k - t) / (t + 1)) * np.exp(log_term(t, k, p))
    part = front * _beta_fraction(a, b, x)
    tail[inside] = np.where(below, part, 1 - part)
    return np.clip(tail, 0.0, 1.0)


def stirling_error(x: ArrayLike) -> Floats:
    """log x! less Stirling's approximation x log x - x + log(2 pi x) / 2; x is over 0."""
    x = np.asarray(x, dtype=np.float64)
    large = x >= _SERIES_FROM
    n = np.where(large, x, x + _SERIES_FROM)
    square = 1 / (n * n)
    series = 1 / 1260 - (1 / 1680 - square / 1188) * square
    error = np.asarray((1 / 12 - (1 / 360 - series * square) * square) / n)
    if large.all():
        return error
    small = x[~large]
    # x! = (x + 16)! / ((x + 1) ... (x + 16))
    product = np.ones_like(small)
    for i in range(1, _SERIES_FROM + 1):
        product *= small + i
    with np.errstate(divide="ignore", invalid="ignore"):
        error[~large] += _stirling(small + _SERIES_FROM) - np.log(product) - _stirling(small)
    return error


_AT_ONCE = 4096
_SERIES_FROM = 16  # from here on five terms of the series have all digits


def _stirling(x: Floats) -> Floats:
    return x * np.log(x) - x + 0.5 * np.log(2 * math.pi * x)


def _deviance(x: Floats, mean: Floats) -> Floats:
    """x log(x / mean) + mean - x, without cancellation where x is near the mean."""
    v = (x - mean) / (x + mean)
    square = v * v
    series = np.zeros_like(v)
    for j in range(10, 0, -1):
        series = (series + 2 * x * v / (2 * j + 1)) * square
    near = (x - mean) * v + series
    return np.where(np.abs(v) < 0.1, near, x * np.log(x / mean) + mean - x)


def _beta_fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    result = np.empty_like(x)
    where = np.arange(len(x))
    c = np.ones_like(x)
    d = 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = d.copy()
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _not_zero(1 + even * d)
        c = _not_zero(1 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _not_zero(1 + odd * d)
        c = _not_zero(1 + odd / c)
        step = d * c
        value *= step
        if m % 16 == 0:  # near the mean it takes many steps; the others need not wait
            going = np.abs(step - 1) > 1e-14
            result[where[~going]] = value[~going]
            if not going.any():
                break
            where, value, c, d = where[going], value[going], c[going], d[going]
            a, b, x = a[going], b[going], x[going]
    return result


def _not_zero(x: Floats) -> Floats:
    return np.where(np.abs(x) < 1e-300, 1e-300, x)


def check_similarity(similarity: float) -> None:
    check_real("similarity", similarity, lambda x: 0 <= x <= 1, "be from 0 to 1", "for example 0.5")


def check_epsilon(epsilon: float) -> None:
    check_real("epsilon", epsilon, lambda x: 0 <= x < math.inf, "be 0 or more", "for example 0.05")
