"""What two sets share, from two independent draws: the exact interval.

Of n1 elements m1 are drawn, of n2 elements m2, and `found` elements are in both draws. If the sets
share s elements, the first draw holds K of them, hypergeometric (n1, s, m1); of those K, the
second draw holds X, hypergeometric (n2, K, m2). The more is shared, the larger X tends to be, so
the interval of Clopper and Pearson can be had by halving: it ends where X <= found, or
X >= found, has probability (1 - level) / 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from likewise.arrays import Floats

_SMALL = 16  # below, factorials from a table; from here on by Stirling's series, to 1e-14
_LOG_FACTORIALS = np.array([math.lgamma(n + 1) for n in range(_SMALL)])


def shared_interval(
    found: int, sizes: tuple[int, int], draws: tuple[int, int], level: float
) -> tuple[int, int]:
    """Between what numbers of shared elements the draws leave it, at this level."""
    most = min(sizes)
    tail = (1 - level) / 2
    at_most, at_least = _second_draw(found, sizes, draws)
    # Each probability changes one way only as more is shared.
    low = _first(
        lambda shared: _both_draws(at_least, shared, sizes[0], draws[0]) > tail, found, most
    )
    high = _first(
        lambda shared: _both_draws(at_most, shared, sizes[0], draws[0]) <= tail, low, most + 1
    )
    return low, max(low, high - 1)


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first number from low on for which it holds, as it does from some number on; or high."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _second_draw(
    found: int, sizes: tuple[int, int], draws: tuple[int, int]
) -> tuple[Floats, Floats]:
    """P(X <= found) and P(X >= found) for every K: arrays over K from 0 on."""
    longest = min(draws[0], sizes[1]) + 1
    at_most = 1 - _exceeds(found, sizes[1], draws[1], longest)
    at_least = _exceeds(found - 1, sizes[1], draws[1], longest) if found else np.ones(longest)
    return at_most, at_least


def _exceeds(x: int, size: int, draws: int, longest: int) -> Floats:
    """P(X > x) for X hypergeometric (size, K, draws), for every K below `longest`.

    One more marked element takes X past x if X was x before and that element is drawn, which has
    the probability (draws - x) / (size - K) then; so the sum over all smaller K.
    """
    marked = np.arange(longest - 1, dtype=np.float64)
    steps = np.exp(_log_hypergeometric(np.float64(x), size, marked, draws))
    steps *= (draws - x) / (size - marked)
    return np.concatenate(([0.0], np.cumsum(steps)))


def _both_draws(tails: Floats, shared: int, size: int, draws: int) -> float:
    """The mean of `tails` over K, hypergeometric (size, shared, draws)."""
    mean = draws * shared / size
    spread = math.sqrt(max(0.0, mean * (1 - shared / size)))
    # Beyond this lies less than 1e-20 of the law.
    reach = 12 * spread + 40
    begin = max(0, math.floor(mean - reach))
    end = min(len(tails), math.ceil(mean + reach) + 1)
    k = np.arange(begin, end, dtype=np.float64)
    weights = np.exp(_log_hypergeometric(k, size, np.float64(shared), draws))
    return float(weights @ tails[begin:end] / weights.sum())


def _log_hypergeometric(
    x: Floats | np.float64, size: int, marked: Floats | np.float64, draws: int
) -> Floats:
    """log P(x of the marked are among the drawn); -inf where that cannot be."""
    x, marked = np.broadcast_arrays(x, marked)
    possible = (x <= marked) & (x <= draws) & (draws - x <= size - marked)
    x, marked = x[possible], marked[possible]
    result = np.full(len(possible), -np.inf)
    result[possible] = (
        _log_choose(marked, x)
        + _log_choose(size - marked, draws - x)
        - _log_choose(np.array([float(size)]), np.array([float(draws)]))
    )
    return result


def _log_choose(n: Floats, k: Floats) -> Floats:
    result: Floats = _log_factorial(n) - _log_factorial(k) - _log_factorial(n - k)
    return result


def _log_factorial(n: Floats) -> Floats:
    large = np.maximum(n, _SMALL)
    inverse = 1 / (large * large)
    series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / large
    stirling = (large + 0.5) * np.log(large) - large + 0.5 * math.log(2 * math.pi) + series
    small = _LOG_FACTORIALS[np.minimum(n, _SMALL - 1).astype(np.intp)]
    return np.where(n < _SMALL, small, stirling)
