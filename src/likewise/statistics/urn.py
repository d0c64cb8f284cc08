"""The urn: how many elements two random subsets share, which is the chance level of the papers.

Two subsets of sizes m and l, drawn at random from an urn of n, share j elements with the
hypergeometric probability C(m, j) C(n - m, l - j) / C(n, l). (Gospels prints C(n, k) C(n, m) below
both of its terms, and Law turns its indices around; with the right denominators the two terms are
equal.) The similarity is then j / (m + l - j).

Sizes may be in the hundreds of millions. Binomial coefficients are taken in logarithms; factorials
by Stirling's series with its error term kept apart, since lgamma(10^8) leaves an absolute error of
10^-7 that a difference of logarithms would inherit. Only the values within 40 standard deviations
of the mode are looked at: beyond them lies less than 10^-300.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from likewise.errors import UsageError
from likewise.statistics.chance import Chance
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MAX_SIZE = 10**12  # so that counts are exact as floats, with room for products
_REACH = 40.0  # standard deviations


@dataclass(frozen=True, slots=True)
class UrnLaw:
    """The law of what two random subsets of an urn share.

    Attributes:
        size_a, size_b: of the subsets.
        urn: how many elements it holds; size_a + size_b, if not given, as Gospels takes it.
    """

    size_a: int
    size_b: int
    urn: int = 0

    def __init__(self, size_a: int, size_b: int, urn: int | None = None) -> None:
        check_whole("size_a", size_a, 0, MAX_SIZE)
        check_whole("size_b", size_b, 0, MAX_SIZE)
        held = size_a + size_b if urn is None else urn
        check_whole("urn", held, 0, 2 * MAX_SIZE)
        if max(size_a, size_b) > held:
            raise UsageError(
                f"a subset of {max(size_a, size_b):,} does not fit in an urn of {held:,}",
                hint="the urn must be at least as large as the larger set",
            )
        object.__setattr__(self, "size_a", int(size_a))
        object.__setattr__(self, "size_b", int(size_b))
        object.__setattr__(self, "urn", int(held))

    @property
    def least(self) -> int:
        """The fewest elements that can be shared."""
        return max(0, self.size_a + self.size_b - self.urn)

    @property
    def most(self) -> int:
        """The most elements that can be shared."""
        return min(self.size_a, self.size_b)

    @property
    def mean_shared(self) -> float:
        return self.size_a * self.size_b / self.urn if self.urn else 0.0

    def pmf(self) -> tuple[NDArray[np.int64], Floats]:
        """Numbers of shared elements, and their probabilities; all but those below 10^-300."""
        return _window(self)

    def total(self) -> float:
        """The sum of the probabilities, which tells how well they were computed."""
        return math.fsum(self.pmf()[1])

    @property
    def expected(self) -> float:
        """The mean similarity."""
        shared, share = self.pmf()
        return float(self._similarity(shared) @ share)

    @property
    def spread(self) -> float:
        """The standard deviation of the similarity."""
        shared, share = self.pmf()
        off = self._similarity(shared) - self.expected
        return math.sqrt(float(off * off @ share))

    def quantile(self, probability: float) -> float:
        """The smallest similarity that is not exceeded with this probability."""
        if not 0 < probability < 1:
            raise UsageError(f"probability is {probability!r}; it must lie between 0 and 1")
        shared, share = self.pmf()
        place = int(np.searchsorted(np.cumsum(share), probability))
        return float(self._similarity(shared)[min(place, len(shared) - 1)])

    def p_value(self, shared: int) -> float:
        """P(as many shared or more)."""
        return min(1.0, 10 ** self.log10_p_value(shared))

    def log10_p_value(self, shared: int) -> float:
        """Its logarithm, which does not end where floating-point numbers do."""
        if shared <= self.least:
            return 0.0
        if shared > self.most:
            return -math.inf
        window, share = self.pmf()
        if window[0] <= shared <= window[-1]:
            place = shared - int(window[0])
            # The smaller tail is summed, so that nothing small is a difference of large numbers.
            if shared > self.mean_shared:
                tail = math.fsum(share[place:])
                return math.log10(tail) if tail > 0 else self._log10_far_tail(shared)
            return math.log1p(-math.fsum(share[:place])) / math.log(10)
        if shared < window[0]:
            return 0.0
        return self._log10_far_tail(shared)

    def _log10_far_tail(self, shared: int) -> float:
        """The tail from `shared` on, above the mode: its terms fall at least geometrically."""
        first = _log_pmf(self, shared)
        ratio = _ratio(self, shared)
        terms = min(self.most - shared + 1, max(1, math.ceil(-40 / math.log(max(ratio, 1e-300)))))
        steps = np.arange(shared, shared + min(terms, 10**6), dtype=np.float64)
        logs = np.concatenate([[0.0], np.cumsum(_log_ratios(self, steps[:-1]))])
        return (first + math.log(math.fsum(np.exp(logs)))) / math.log(10)

    def chance(self, shared: int) -> Chance:
        """The chance level of two sets of these sizes that share so many elements."""
        check_whole("shared", shared, 0)
        return Chance(
            null="urn",
            observed=float(self._similarity(np.array([shared]))[0]),
            expected=self.expected,
            spread=self.spread,
            p_value=self.p_value(shared),
        )

    def _similarity(self, shared: NDArray[np.int64]) -> Floats:
        union = np.maximum(self.size_a + self.size_b - shared, 1)
        return shared / union


@lru_cache(maxsize=8)
def _window(law: UrnLaw) -> tuple[NDArray[np.int64], Floats]:
    mode = min(law.most, max(law.least, (law.size_a + 1) * (law.size_b + 1) // (law.urn + 2)))
    share = law.mean_shared / law.size_a if law.size_a else 0.0
    rest = (law.urn - law.size_a) / (law.urn - 1) if law.urn > 1 else 0.0
    reach = math.ceil(_REACH * math.sqrt(law.size_a * share * (1 - share) * rest)) + 400
    first, last = max(law.least, mode - reach), min(law.most, mode + reach)
    shared = np.arange(first, last + 1, dtype=np.int64)
    if len(shared) == 1:
        return shared, np.ones(1)
    steps = _log_ratios(law, shared[:-1].astype(np.float64))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    return shared, np.exp(logs - logs[mode - first] + _log_pmf(law, mode))


def _ratio(law: UrnLaw, shared: int) -> float:
    """P(shared + 1) / P(shared)."""
    return math.exp(float(_log_ratios(law, np.array([float(shared)]))[0]))


def _log_ratios(law: UrnLaw, shared: Floats) -> Floats:
    """log P(j + 1) - log P(j)."""
    a, b, n = float(law.size_a), float(law.size_b), float(law.urn)
    with np.errstate(divide="ignore"):  # behind the last possible number comes none
        return np.log((a - shared) * (b - shared)) - np.log((shared + 1) * (n - a - b + shared + 1))


def _log_pmf(law: UrnLaw, shared: int) -> float:
    """One probability, by three binomial ones (Loader 2000): what is large in them cancels."""
    a, b, n = law.size_a, law.size_b, law.urn
    if n == 0 or b in (0, n) or a in (0, n):
        return 0.0 if law.least <= shared <= law.most else -math.inf
    share = b / n
    return (
        _log_binomial(shared, a, share)
        + _log_binomial(b - shared, n - a, share)
        - _log_binomial(b, n, share)
    )


def _log_binomial(k: int, n: int, p: float) -> float:
    """log P(k) of Binomial(n, p), 0 < p < 1."""
    if k in (0, n):
        return n * math.log1p(-p) if k == 0 else n * math.log(p)
    error = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    off = _deviance(k, n * p) + _deviance(n - k, n * (1 - p))
    return error - off + 0.5 * math.log(n / (2 * math.pi * k * (n - k)))


def _stirling_error(n: int) -> float:
    """log n! less Stirling's approximation of it."""
    if n < 16:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi)
    square = 1.0 / (n * n)
    return (1 / 12 - (1 / 360 - (1 / 1260 - square / 1680) * square) * square) / n


def _deviance(x: float, mean: float) -> float:
    """x log(x / mean) + mean - x, also where x is close to the mean."""
    difference = x - mean
    if abs(difference) < 0.1 * (x + mean):
        # The series of log((1 + v) / (1 - v)), v = difference / sum.
        v = difference / (x + mean)
        total, term = difference * v, 2 * x * v
        for odd in range(3, 200, 2):
            term *= v * v
            now = total + term / odd
            if now == total:
                break
            total = now
        return total
    return x * math.log(x / mean) - difference
