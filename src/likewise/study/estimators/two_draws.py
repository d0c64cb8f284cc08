"""The exact interval for the elements that two sets share, from two independent draws.

Of n1 elements m1 are drawn, of n2 elements m2, and `found` elements are in both draws. If the sets
share s elements, the first draw has K of them, hypergeometric (n1, s, m1), and the second draw X of
those K, hypergeometric (n2, K, m2). X grows with s, so the Clopper-Pearson interval is found by
bisection: it ends where X <= found, or X >= found, has probability (1 - level) / 2.
"""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np

from likewise.arrays import Floats
from likewise.statistics.urn import log_hypergeometric


def shared_interval(
    found: int, sizes: tuple[int, int], draws: tuple[int, int], level: float
) -> tuple[int, int]:
    """The least and the largest number of shared elements that the draws allow at this level."""
    tail = (1 - level) / 2
    longest = min(draws[0], sizes[1]) + 1
    at_most = 1 - _exceeds(found, sizes[1], draws[1], longest)
    at_least = _exceeds(found - 1, sizes[1], draws[1], longest) if found else np.ones(longest)

    def probability(tails: Floats, shared: int) -> float:
        return _both_draws(tails, shared, sizes[0], draws[0])

    # Each probability changes one way only as more is shared.
    most = min(sizes)
    low = bisect_left(range(most), True, found, key=lambda s: probability(at_least, s) > tail)
    high = bisect_left(range(most + 1), True, low, key=lambda s: probability(at_most, s) <= tail)
    return low, max(low, high - 1)


def _exceeds(x: int, size: int, draws: int, longest: int) -> Floats:
    """P(X > x) for X hypergeometric (size, K, draws), for every K below `longest`.

    One more marked element takes X past x if X was x before and that element is drawn, which has
    the probability (draws - x) / (size - K) then; so the sum over all smaller K.
    """
    marked = np.arange(longest - 1)
    steps = np.exp(log_hypergeometric(x, marked, draws, size))
    steps *= (draws - x) / (size - marked)
    return np.concatenate(([0.0], np.cumsum(steps)))


def _both_draws(tails: Floats, shared: int, size: int, draws: int) -> float:
    """The mean of `tails` over K, hypergeometric (size, shared, draws)."""
    mean = draws * shared / size
    spread = math.sqrt(max(0.0, mean * (1 - shared / size)))
    reach = 12 * spread + 40  # beyond lies less than 1e-20 of the law
    begin = max(0, math.floor(mean - reach))
    end = min(len(tails), math.ceil(mean + reach) + 1)
    weights = np.exp(log_hypergeometric(np.arange(begin, end), shared, draws, size))
    return float(weights @ tails[begin:end] / weights.sum())
