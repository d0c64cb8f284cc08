"""`repeat`: one estimator many times, which shows its bias, its deviation and its coverage."""

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
    """Repeated estimates.

    Attributes:
        values: every estimate, in order.
        covering: the number of intervals that contain the truth; None without a truth or intervals.
        seconds: mean time of one estimate.
    """

    values: Floats
    mean: float
    deviation: float
    covering: int | None
    seconds: float

    @property
    def coverage(self) -> float | None:
        """The share of the intervals that contain the truth."""
        return None if self.covering is None else self.covering / len(self.values)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
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
    progress: Callable[[int], None] = lambda done: None,
) -> Repeats:
    """Estimates `times` times with different seeds; `values` functions or draws each."""
    check_whole("times", times, 2)
    check_whole("seed", seed, 0, MAX_SEED)
    estimates, seconds = [], 0.0
    for one in hash_keys(seed, times).tolist():
        start = time.perf_counter()
        estimates.append(estimator.function(a, b, values=values, seed=one, level=level))
        seconds += time.perf_counter() - start
        progress(len(estimates))
    # `statistics` computes in fractions: an estimator that never varies has no deviation from
    # rounding.
    numbers = [estimate.value for estimate in estimates]
    covering = None
    if truth is not None and estimator.has_interval:
        covering = sum(estimate.low <= truth <= estimate.high for estimate in estimates)
    return Repeats(np.array(numbers), mean(numbers), stdev(numbers), covering, seconds / times)
