"""The number of values for an accuracy, and the accuracy of a number of values.

The worst case over all similarities J is computed, not assumed: it is not always J = 1/2, and the
error is not monotone in the number k of values. Let e be the accuracy and T the number of agreeing
values, Binomial(k, J).

*Over J, for one k.* The error P(T < k(J - e)) + P(T > k(J + e)) is smooth in J but where k(J - e)
or k(J + e) is whole. In a smooth piece it is P(T <= c) + P(T >= d) with c < d fixed, and its slope
k [P(T' = d - 1) - P(T' = c)], T' ~ Binomial(k - 1, J), is first negative and then positive, for
P(T' = d - 1) / P(T' = c) grows with J. So a piece has its largest error at an end, and the largest
of all is one of the limits J -> c/k + e from above, where the term T = c has just been lost, or a
mirror image of it (J to 1 - J, T to k - T). There are no more than k of these, and most ranges of c
are ruled out at once by bounds (see `_largest_between`).

*Over k.* Let L(k, J) be the incomplete beta function I_{1-J}(k(1 - J + e), k(J - e) + 1), which is
P(T <= k(J - e)) where k(J - e) is whole and no less than the lower tail elsewhere. It decreases in
k: with h(x) = x^(1-J+e) (1-x)^(J-e), which has its top at 1 - J + e, it is the share below 1 - J of
the measure h(x)^k dx/x, and there log h is on average lower than over the whole (the level sets of
h lie so that x_low * x_high <= (1 - J + e)^2). Hence L(k, J) + L(k, 1 - J) bounds the errors of k
and of all larger numbers. Where this envelope falls to delta all is well from there on, and below
it, down to the first k that fails, every k is tried.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from likewise.arrays import Floats, Ints
from likewise.errors import UsageError
from likewise.statistics.binomial import (
    EDGE,
    BinomialLaw,
    check_similarity,
    log_term,
    lower_tail,
)
from likewise.statistics.estimate import check_real
from likewise.whole_numbers import check_whole

MIN_EPSILON = 0.002  # a quarter of a million values and more
MIN_DELTA = 1e-9
MAX_PLANNED = 1_000_000
ROUNDING = 1 + 1e-9  # of a probability that is compared with delta


@dataclass(frozen=True, slots=True)
class Plan:
    """A number of values that keeps the error within epsilon, except for a share of at most delta.

    Attributes:
        values: the number; every larger one does as well.
        similarity: the one planned for; None for all from 0 to 1.
        worst_similarity: where the error is largest; it may be a limit, approached from one side.
        error: the share of estimates with a larger error there.
    """

    values: int
    epsilon: float
    delta: float
    similarity: float | None
    worst_similarity: float
    error: float


def values_for(epsilon: float, delta: float, *, similarity: float | None = None) -> Plan:
    """The fewest values with P(|estimate - J| > epsilon) <= delta, also for every larger number.

    For all J from 0 to 1, or for one similarity.
    """
    _check_accuracy(epsilon, delta, similarity)

    def envelope(k: int) -> bool:
        if similarity is None:
            return _envelope_holds(k, epsilon, delta)
        both = np.array([similarity, 1 - similarity])
        return float(lower_tail(k * (both - epsilon), k, both).sum()) <= delta

    # Hoeffding's bound holds from its number on, so it is where the search for less begins.
    known = simple_values(epsilon, delta)["hoeffding"]
    values = bisect_left(range(known), True, min(1, known), key=envelope)
    if similarity is None:
        while values > 1 and worst_error(values - 1, epsilon, over=delta)[0] <= delta:
            values -= 1
        error, worst = worst_error(values, epsilon)
    else:
        while values > 1:
            tried = np.arange(max(1, values - 1024), values)
            failing = np.flatnonzero(errors_at(tried, similarity, epsilon) > delta)
            values = int(tried[failing[-1]]) + 1 if len(failing) else int(tried[0])
            if len(failing):
                break
        error, worst = float(errors_at(np.array([values]), similarity, epsilon)[0]), similarity
    return Plan(values, epsilon, delta, similarity, worst, error)


def accuracy_of(values: int, delta: float, *, similarity: float | None = None) -> Plan:
    """The smallest epsilon with P(|estimate - J| > epsilon) <= delta, to six decimals, rounded up.

    For all J from 0 to 1, or for one similarity.
    """
    check_whole("values", values, 1, MAX_PLANNED)
    _check_delta(delta)
    if similarity is not None:
        check_similarity(similarity)
        law = BinomialLaw(values, similarity)
        off = np.abs(np.arange(values + 1) / values - similarity)
        farthest = np.argsort(-off)
        outside = np.searchsorted(np.cumsum(law.pmf()[farthest]), delta * ROUNDING, side="right")
        least = float(off[farthest[min(int(outside), values)]])
        epsilon, error = _rounded_up(least, delta, lambda e: 1 - law.within(e))
        return Plan(values, epsilon, delta, similarity, similarity, error)
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if worst_error(values, middle, over=delta)[0] <= delta:
            high = middle
        else:
            low = middle
    epsilon, error = _rounded_up(high, delta, lambda e: worst_error(values, e)[0])
    return Plan(values, epsilon, delta, None, worst_error(values, epsilon)[1], error)


def simple_values(epsilon: float, delta: float, similarity: float = 0.5) -> dict[str, int]:
    """The number of values by three rules of thumb; the first two depend on the similarity."""
    variance = similarity * (1 - similarity)
    needed = {
        "chebyshev": variance / (epsilon**2 * delta),
        "gaussian": variance * (NormalDist().inv_cdf(1 - delta / 2) / epsilon) ** 2,
        "hoeffding": math.log(2 / delta) / (2 * epsilon**2),
    }
    return {rule: max(1, math.ceil(k - EDGE)) for rule, k in needed.items()}


def simple_accuracy(values: int, delta: float, similarity: float = 0.5) -> dict[str, float]:
    """The accuracy of so many values by the same rules."""
    deviation = math.sqrt(similarity * (1 - similarity) / values)
    return {
        "chebyshev": deviation / math.sqrt(delta),
        "gaussian": deviation * NormalDist().inv_cdf(1 - delta / 2),
        "hoeffding": math.sqrt(math.log(2 / delta) / (2 * values)),
    }


def worst_error(values: int, epsilon: float, *, over: float | None = None) -> tuple[float, float]:
    """The largest P(|estimate - J| > epsilon) over all J, and where.

    With `over`, any error above it, or `over` itself if there is none.
    """
    k = values
    width = math.floor(2 * k * epsilon + EDGE)
    last = math.ceil(k * (1 - epsilon) - EDGE) - 1  # c/k + epsilon is below 1
    best, where = over or 0.0, epsilon
    low, high = np.array([0]), np.array([last])
    parts = 512  # many at first, few calls in all
    while len(low):
        edges = low + (high + 1 - low) * np.arange(parts + 1)[:, None] // parts
        low, high = edges[:-1].ravel(), edges[1:].ravel() - 1
        low, high = low[low <= high], high[low <= high]
        bound = _largest_between(k, epsilon, width, low, high)
        middle = (low[bound > best] + high[bound > best]) // 2
        at = middle / k + epsilon
        errors = _tails(k, middle, middle + width + 1, at, at)
        if len(errors) and errors.max() > best:
            best, where = float(errors.max()), float(at[errors.argmax()])
            if over is not None:
                break
        open_ = (bound > best) & (low < high)
        low, high, parts = low[open_], high[open_], 8
    return best, where


def _largest_between(k: int, epsilon: float, width: int, low: Floats, high: Floats) -> Floats:
    """Bounds on the errors at J -> c/k + epsilon for c from low to high.

    None exceeds P(T <= high) at the lowest J plus the upper tail beyond `low` at the highest. For
    long ranges there is a closer bound. From c to c + 1 the lower tail P(T <= c) grows by the term
    P(T = c + 1) and shrinks as J grows; the difference is at most P(T' = c) k e / (c + 1), with
    T' ~ Binomial(k - 1, J) at the J of c + 1, as long as J lies over c / (k - 1). So the tail at
    `low` is a bound but for that slow growth, and the upper tail, seen from the other side, is the
    lower tail of k - T for an e that is larger by less than 1/k.
    """
    crude = _tails(k, high, low + width + 1, low / k + epsilon, high / k + epsilon)
    steps = high - low
    slow = (steps > 0) & (steps <= k * epsilon - 2) & (high + width < k)
    if not slow.any():
        return crude
    low, steps = low[slow], steps[slow]
    mirrored = k - 1 - width - (low + steps)
    closer = _slow_growth(k, epsilon, low, steps)
    closer += _slow_growth(k, (width + 1) / k - epsilon, mirrored, steps)
    crude[slow] = np.minimum(crude[slow], closer)
    return crude


def _slow_growth(k: int, epsilon: float, low: Floats, steps: Floats) -> Floats:
    at = low / k + epsilon
    term = np.exp(log_term(low + steps, k - 1, at))
    return lower_tail(low, k, at) + steps * term * k * epsilon / (low + 1)


def _envelope_holds(k: int, epsilon: float, delta: float) -> bool:
    """Whether L(k, J) + L(k, 1 - J) <= delta for all J; False also where that is too close."""
    edges = np.linspace(0, 0.5, 513)  # it is symmetric
    low, high = edges[:-1], edges[1:]
    while True:
        bound = _tails(k, k * (high - epsilon), k * (low + epsilon), low, high)
        low, high = low[bound > delta], high[bound > delta]
        if not len(low):
            return True
        middle = (low + high) / 2
        here = _tails(k, k * (middle - epsilon), k * (middle + epsilon), middle, middle)
        if np.any(here > delta) or len(low) > 20_000 or high[0] - low[0] < 0.01 / k:
            return False
        edges = low + (high - low) * np.arange(9)[:, None] / 8
        low, high = edges[:-1].ravel(), edges[1:].ravel()


def _tails(k: int, c: Floats, d: Floats, j_low: Floats, j_high: Floats) -> Floats:
    """P(T <= c) at the lower similarity plus P(T >= d) at the higher one."""
    return lower_tail(c, k, j_low) + lower_tail(k - d, k, 1 - j_high)


def errors_at(values: Ints, similarity: float, epsilon: float) -> Floats:
    """P(|estimate - J| > epsilon) for one J and many numbers of values."""
    below = np.ceil(values * (similarity - epsilon) - EDGE) - 1
    above = np.floor(values * (similarity + epsilon) + EDGE) + 1
    return lower_tail(below, values, similarity) + lower_tail(
        values - above, values, 1 - similarity
    )


def _rounded_up(least: float, delta: float, error: Callable[[float], float]) -> tuple[float, float]:
    """The accuracy to six decimals, and its error. A little below a decimal is still that one."""
    decimals = math.ceil(least * 1e6 - 0.01)
    while error(decimals / 1e6) > delta * ROUNDING:
        decimals += 1
    return decimals / 1e6, error(decimals / 1e6)


def _check_accuracy(epsilon: float, delta: float, similarity: float | None) -> None:
    check_real("epsilon", epsilon, lambda x: 0 < x < 1, "lie between 0 and 1", "for example 0.05")
    if epsilon < MIN_EPSILON:
        raise UsageError(
            f"epsilon is {epsilon:g}; below {MIN_EPSILON:g} it would take more than a quarter of a "
            "million values",
            hint="compute the similarity exactly with `likewise compare`",
        )
    _check_delta(delta)
    if similarity is not None:
        check_similarity(similarity)


def _check_delta(delta: float) -> None:
    rule = f"be at least {MIN_DELTA:g} and less than 1"
    check_real("delta", delta, lambda x: MIN_DELTA <= x < 1, rule, "for example 0.05")
