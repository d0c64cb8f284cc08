"""`repeat`: one estimator many times over, which shows its bias, its spread and its intervals."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, stdev

import numpy as np

from likewise.arrays import Floats
from likewise.study.estimators.estimator import MAX_SEED, Estimator
from likewise.study.estimators.randomness import hash_keys
from likewise.study.shingled import Shingled
from likewise.whole_numbers import check_whole

TIMES = 50  # of Gospels


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """What repeated estimates gave.

    Attributes:
        values: every estimate, in order.
        mean: of the estimates.
        deviation: their standard deviation.
        held: how many intervals held the truth; None without a truth or without intervals.
        seconds: time of one call, on average.
    """

    values: Floats
    mean: float
    deviation: float
    held: int | None
    seconds: float

    @property
    def coverage(self) -> float | None:
        """The share of the intervals that held the truth."""
        return None if self.held is None else self.held / len(self.values)

    @property
    def error(self) -> float:
        """The standard error of the mean, for so many repeats."""
        return self.deviation / math.sqrt(len(self.values))


def repeat(
    estimator: Estimator,
    a: Shingled,
    b: Shingled,
    *,
    values: int,
    times: int = TIMES,
    seed: int = 0,
    level: float = 0.95,
    truth: float | None = None,
    told: Callable[[int], None] | None = None,
) -> Repeats:
    """Estimates `times` times, each under a seed of its own.

    Args:
        values: functions or draws of each estimate.
        truth: what the intervals are to hold.
        told: called after each estimate with the number of those made.
    """
    check_whole("times", times, 2)
    check_whole("seed", seed, 0, MAX_SEED)
    made, seconds = [], 0.0
    for one in hash_keys(seed, times).tolist():
        start = time.perf_counter()
        made.append(estimator.function(a, b, values=values, seed=one, level=level))
        seconds += time.perf_counter() - start
        if told is not None:
            told(len(made))
    # In fractions, so that an estimator that never varies has no deviation from rounding.
    estimates = [estimate.value for estimate in made]
    held = None
    if truth is not None and estimator.has_interval:
        held = sum(estimate.low <= truth <= estimate.high for estimate in made)
    return Repeats(np.array(estimates), mean(estimates), stdev(estimates), held, seconds / times)
