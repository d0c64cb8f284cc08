"""`UrnLaw`: how similar two random subsets of one urn are.

Two subsets of m and l elements are drawn from an urn of n, each with all of its elements at once.
The number j that they share is hypergeometric, P(j) = C(m, j) C(n-m, l-j) / C(n, l), and their
similarity is J = j / (m + l - j). The formula is the same with m and l exchanged. The Gospels paper
prints both forms, (2) and (3), over C(n, l) C(n, m); right is C(n, l) under the first and C(n, m)
under the second. Its urn has m + l elements, which makes the expected similarity of equal sizes
one third, whatever the texts are.

A hypergeometric term is the quotient of three binomial ones, and these are computed without loss of
digits for sizes of any order. Only the terms around the mode are kept, those over 1e-320.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from likewise.arrays import Floats, Ints
from likewise.errors import UsageError
from likewise.statistics.binomial import log_term
from likewise.statistics.chance import Chance
from likewise.statistics.estimate import check_real
from likewise.whole_numbers import check_whole

MAX_SIZE = 10**10  # the terms to keep are some forty times the square root of it
MAX_URN = 2**52  # larger numbers of elements are no longer exact as floats

_NEGLIGIBLE = 745.0  # e^-745 is the last number before 0
_TAIL = 60.0  # terms so many powers of e below the first add nothing to a tail


@dataclass(frozen=True)
class UrnLaw:
    """The law of the similarity of two random subsets of `size_a` (m) and `size_b` (l) elements.

    `urn` is the number of elements that they are drawn from; by default size_a + size_b.
    """

    size_a: int
    size_b: int
    urn: int

    def __init__(self, size_a: int, size_b: int, urn: int | None = None) -> None:
        check_whole("size_a", size_a, 0, MAX_SIZE)
        check_whole("size_b", size_b, 0, MAX_SIZE)
        urn = size_a + size_b if urn is None else urn
        check_whole("urn", urn, 0, MAX_URN)
        largest = max(size_a, size_b)
        if largest > urn:
            raise UsageError(
                f"a subset of {largest:,} does not fit in an urn of {urn:,}",
                hint="the urn must be at least as large as the larger set",
            )
        for name, value in (("size_a", size_a), ("size_b", size_b), ("urn", urn)):
            object.__setattr__(self, name, int(value))

    @property
    def least(self) -> int:
        """The fewest elements that the subsets can share."""
        return max(0, self.size_a + self.size_b - self.urn)

    @property
    def most(self) -> int:
        """The most elements that the subsets can share."""
        return min(self.size_a, self.size_b)

    @cached_property
    def _window(self) -> tuple[Ints, Floats]:
        mode = self._mode
        kept = self._log_term(mode) - _NEGLIGIBLE

        def matters(shared: int) -> bool:
            return self._log_term(shared) >= kept

        low = mode - _last(lambda off: matters(mode - off), mode - self.least)
        high = mode + _last(lambda off: matters(mode + off), self.most - mode)
        shared = np.arange(low, high + 1)
        probabilities = np.exp(self._log_terms(shared))
        for array in (shared, probabilities):
            array.flags.writeable = False
        return shared, probabilities

    def pmf(self) -> tuple[Ints, Floats]:
        """Numbers of shared elements and their probabilities, but for those below 1e-320."""
        return self._window

    @cached_property
    def _similarities(self) -> Floats:
        shared = self._window[0]
        return shared / np.maximum(self.size_a + self.size_b - shared, 1)

    @property
    def expected(self) -> float:
        """The expected similarity, E[j / (m + l - j)]."""
        return float(self._similarities @ self._window[1])

    @property
    def spread(self) -> float:
        """The standard deviation of the similarity."""
        off = self._similarities - self.expected
        return math.sqrt(float(off**2 @ self._window[1]))

    def p_value(self, shared: int) -> float:
        """P(|X ∩ Y| >= shared); 0 if it is too small for a float."""
        return float(10.0 ** self.log10_p_value(shared))

    def log10_p_value(self, shared: int) -> float:
        """log10 of the p-value, also if the p-value is too small for a float."""
        check_whole("shared", shared, 0)
        if shared <= self.least:
            return 0.0
        if shared > self.most:
            return -math.inf
        if shared <= self._mode:
            # The long tail is what the short one leaves.
            counts, probabilities = self._window
            below = float(probabilities[: max(0, shared - int(counts[0]))].sum())
            return math.log1p(-below) / math.log(10)
        first = self._log_term(shared)
        reach = _last(lambda off: self._log_term(shared + off) >= first - _TAIL, self.most - shared)
        ratios = np.exp(self._log_terms(np.arange(shared, shared + reach + 1)) - first)
        return (first + math.log(float(ratios.sum()))) / math.log(10)

    def quantile(self, probability: float) -> float:
        """The smallest similarity that is not exceeded with this probability."""
        q = probability
        check_real("probability", q, lambda x: 0 <= x <= 1, "be from 0 to 1", "for example 0.95")
        counts, probabilities = self._window
        if q in (0, 1):
            shared = self.least if q == 0 else self.most
        else:
            # From the side where the sums are small, and so exact; 1e-12 for rounding.
            above = np.cumsum(probabilities[::-1])[::-1] - probabilities
            below = np.cumsum(probabilities)
            slack = 1e-12 * min(q, 1 - q)
            reached = below >= q - slack if q <= 0.5 else above <= 1 - q + slack
            shared = int(counts[np.argmax(reached)])
        return shared / max(1, self.size_a + self.size_b - shared)

    def chance(self, shared: int) -> Chance:
        """The chance level of two sets of these sizes that share so many elements."""
        p_value = self.p_value(shared)
        if shared > self.most:
            raise UsageError(
                f"sets of {self.size_a:,} and {self.size_b:,} elements cannot share {shared:,}"
            )
        observed = shared / max(1, self.size_a + self.size_b - shared)
        return Chance("urn", observed, self.expected, self.spread, p_value)

    @property
    def _mode(self) -> int:
        mode = (self.size_a + 1) * (self.size_b + 1) // (self.urn + 2)
        return min(max(mode, self.least), self.most)

    def _log_term(self, shared: int) -> float:
        return float(self._log_terms(shared))

    def _log_terms(self, shared: ArrayLike) -> Floats:
        return log_hypergeometric(shared, self.size_a, self.size_b, self.urn)


def log_hypergeometric(shared: ArrayLike, marked: ArrayLike, drawn: int, size: int) -> Floats:
    """log P(`shared` of the `marked` are among `drawn` of `size` elements); -inf if impossible."""
    j, m = np.broadcast_arrays(np.asarray(shared), np.asarray(marked))
    if size == 0:
        return np.zeros(j.shape)
    p, q = drawn / size, (size - drawn) / size
    # A marked element is drawn with probability p.
    inside, outside = log_term(j, m, p, q), log_term(drawn - j, size - m, p, q)
    possible = (j >= 0) & (j <= m) & (j <= drawn) & (drawn - j <= size - m)
    return np.where(possible, inside + outside - log_term(drawn, size, p, q), -np.inf)


def _last(holds: Callable[[int], bool], limit: int) -> int:
    """The last number up to the limit for which it holds; it holds for 0, and stops once."""
    return bisect_left(range(limit + 1), True, 1, key=lambda number: not holds(number)) - 1
