"""`try_estimators`: every estimator on two texts, compared with their exact similarity."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from likewise.errors import UsageError
from likewise.run import Progress, silent
from likewise.statistics.bands import check_values
from likewise.study.estimators import ESTIMATORS, Estimator, find_estimator
from likewise.study.estimators.estimator import check_arguments
from likewise.study.estimators.exact import jaccard, shared_elements
from likewise.study.estimators.rum import DRAWS
from likewise.study.repeats import TIMES, Repeats, repeat
from likewise.study.shingled import shingle_both
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.whole_numbers import check_whole


@dataclass(frozen=True, slots=True)
class Trial:
    """An estimator and its estimates.

    Attributes:
        values, draws: numbers of minima compared and of shingles drawn; None if there are none.
        bias: mean of the estimates less the exact similarity.
    """

    estimator: Estimator
    values: int | None
    draws: int | None
    repeats: Repeats
    bias: float


@dataclass(frozen=True, slots=True)
class Estimation:
    """Estimators on two texts; sizes are in elements."""

    profile: Profile
    size_a: int
    size_b: int
    shared: int
    exact: float
    values: int
    times: int
    level: float
    trials: tuple[Trial, ...]

    @property
    def binomial_deviation(self) -> float:
        """The standard deviation of `values` minima in random orders."""
        return math.sqrt(self.exact * (1 - self.exact) / self.values)


def try_estimators(
    a: str,
    b: str,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    estimators: Iterable[str] | None = None,
    values: int = 128,
    draws: int = DRAWS,
    times: int = TIMES,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Estimation:
    """Tries estimators on two texts.

    Args:
        estimators: names; by default all of ESTIMATORS.
        values: minima compared per estimate.
        draws: shingles drawn per estimate from each text.
        times: estimates per estimator.
    """
    names = list(ESTIMATORS if estimators is None else dict.fromkeys(estimators))
    if not names:
        raise UsageError("no estimator was named", hint=f"use one of {', '.join(ESTIMATORS)}")
    chosen = [find_estimator(name) for name in names]
    check_values(values)
    check_whole("draws", draws, 1)
    check_whole("repeats", times, 2)
    profile, report = Profile.of(profile), progress or silent
    first, second = shingle_both(a, b, profile)
    check_arguments(first, second, values, seed, level)
    shared = shared_elements(first, second)
    exact = jaccard(shared, len(first), len(second))

    def report_estimates(before: int, done: int) -> None:
        report("estimates", before + done, times * len(chosen))

    trials = []
    for number, estimator in enumerate(chosen):
        by_draws = estimator.counts == "draws"
        repeats = repeat(
            estimator.with_draws(draws), first, second, values=draws if by_draws else values,
            times=times, seed=seed, level=level, truth=exact,
            progress=partial(report_estimates, number * times),
        )  # fmt: skip
        trials.append(
            Trial(
                estimator,
                values if estimator.counts == "values" else None,
                draws if by_draws or estimator.drawn_first else None,
                repeats,
                repeats.mean - exact,
            )
        )
    return Estimation(
        profile, len(first), len(second), shared, exact, values, times, level, tuple(trials)
    )
