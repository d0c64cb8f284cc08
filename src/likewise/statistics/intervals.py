"""Intervals for a similarity from k values, and what they become for Dice and containment.

The Law paper prints the Gaussian interval with sqrt(est(1 - est)) / k, a misprint for
sqrt(est(1 - est) / k). Even so it is a single point where no value agrees or all do, so the exact
interval of Clopper and Pearson is the default.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist

from likewise.errors import UsageError
from likewise.statistics.estimate import Estimate, binomial_estimate, check_level
from likewise.whole_numbers import check_whole

METHODS = ("clopper-pearson", "wilson", "gaussian", "chebyshev")


def interval(
    agreeing: int, values: int, level: float = 0.95, method: str = "clopper-pearson"
) -> Estimate:
    """The estimate from `agreeing` of `values`, with an interval by one of METHODS.

    clopper-pearson: exact; contains the similarity at least as often as `level`.
    wilson: from the normal law with the variance of each similarity; near `level` on average.
    gaussian: estimate ± z sqrt(estimate (1 - estimate) / k); a single point at 0 and at 1.
    chebyshev: from the variance alone; far wider than needed.
    """
    if method not in METHODS:
        raise UsageError(f"method is {method!r}; it must be one of {', '.join(METHODS)}")
    check_whole("values", values, 1)
    check_whole("agreeing", agreeing, 0)
    exact = binomial_estimate(agreeing, values, level)
    if method == "clopper-pearson":
        return exact
    if method == "gaussian":
        reach = _normal(level) * math.sqrt(exact.value * (1 - exact.value) / values)
        low, high = exact.value - reach, exact.value + reach
    else:
        # Both are the similarities p with (estimate - p)^2 <= c p (1 - p) / k: of the normal law c
        # is z^2, of Chebyshev's inequality 1 / (1 - level).
        c = _normal(level) ** 2 if method == "wilson" else 1 / (1 - level)
        low, high = _within_deviations(exact.value, values, c)
        low, high = (0.0 if agreeing == 0 else low), (1.0 if agreeing == values else high)
    return replace(exact, low=max(0.0, low), high=min(1.0, high), law=f"binomial, {method}")


def _normal(level: float) -> float:
    """How many standard deviations a normal variable stays within, with probability `level`."""
    check_level(level)
    return NormalDist().inv_cdf((1 + level) / 2)


def _within_deviations(estimate: float, values: int, c: float) -> tuple[float, float]:
    """The roots p of (estimate - p)^2 = c p (1 - p) / values; 0 and 1 up to rounding."""
    share = c / values
    middle = (estimate + share / 2) / (1 + share)
    reach = math.sqrt(share * estimate * (1 - estimate) + share * share / 4) / (1 + share)
    return middle - reach, middle + reach


def dice_of(jaccard: float) -> float:
    """2J / (1 + J), which is 2 |A ∩ B| / (|A| + |B|)."""
    return 2 * jaccard / (1 + jaccard)


def jaccard_of_dice(dice: float) -> float:
    """s / (2 - s), the inverse."""
    return dice / (2 - dice)


def dice_estimate(jaccard: Estimate) -> Estimate:
    """An estimate of Jaccard as one of Dice."""
    return _carried(jaccard, dice_of, "Dice")


def jaccard_from_dice(dice: Estimate) -> Estimate:
    """An estimate of Dice as one of Jaccard."""
    return _carried(dice, jaccard_of_dice, "Jaccard")


def containment_estimate(jaccard: Estimate, size: int, other_size: int) -> Estimate:
    """The share of a set of `size` elements that is in one of `other_size`.

    |A ∩ B| = J (|A| + |B|) / (1 + J), but at most the smaller of the two sizes.
    """
    check_whole("size", size, 1)
    check_whole("other_size", other_size, 1)

    def contained(similarity: float) -> float:
        shared = similarity * (size + other_size) / (1 + similarity)
        return min(shared, size, other_size) / size

    return _carried(jaccard, contained, "containment")


def _carried(estimate: Estimate, convert: Callable[[float], float], to: str) -> Estimate:
    """The estimate as another measure; `convert` is monotone, so the interval's ends go along."""
    value, low, high = map(convert, (estimate.value, estimate.low, estimate.high))
    return Estimate(value, low, high, estimate.level, f"{estimate.law}, carried to {to}")
