"""`try_estimators`: every estimator on two texts, held against their exact similarity."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from likewise.errors import UsageError
from likewise.run import Progress
from likewise.statistics.bands import check_values
from likewise.study.estimators import ESTIMATORS, Estimator, find_estimator
from likewise.study.estimators.estimator import check_arguments
from likewise.study.estimators.exact import jaccard, shared_elements
from likewise.study.estimators.rum import DRAWS
from likewise.study.repeats import TIMES, Repeats, repeat
from likewise.study.shingled import Shingled
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.whole_numbers import check_whole


@dataclass(frozen=True, slots=True)
class Trial:
    """An estimator and what became of it.

    Attributes:
        estimator: which one.
        values: how many minima it compared, None if it compares none.
        draws: how many shingles it drew, None if it draws none.
        repeats: its estimates.
        bias: how far their mean is from the exact similarity.
    """

    estimator: Estimator
    values: int | None
    draws: int | None
    repeats: Repeats
    bias: float


@dataclass(frozen=True, slots=True)
class Estimation:
    """Estimators on two texts.

    Attributes:
        profile: how the texts became shingles.
        size_a, size_b, shared: elements of each text, and of both.
        exact: their similarity.
        values, times, level: as they were asked for.
        trials: one for each estimator.
    """

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
        estimators: names; all of ESTIMATORS if none are given.
        values: minima that an estimate compares.
        draws: shingles that an estimate draws from each text.
        times: how often each is repeated.
    """
    names = list(dict.fromkeys(estimators)) if estimators is not None else list(ESTIMATORS)
    if not names:
        raise UsageError("no estimator was named", hint=f"one of {', '.join(ESTIMATORS)}")
    chosen = [find_estimator(name) for name in names]
    check_values(values)
    check_whole("draws", draws, 1)
    check_whole("repeats", times, 2)
    made = Profile.of(profile)
    first, second = Shingled.of_text(a, made), Shingled.of_text(b, made)
    check_arguments(first, second, values, seed, level)
    shared = shared_elements(first, second)
    exact = jaccard(shared, len(first), len(second))
    trials = []
    for number, estimator in enumerate(chosen):

        def told(done: int, before: int = number * times) -> None:
            if progress is not None:
                progress("estimates", before + done, times * len(chosen))

        repeats = repeat(
            estimator.with_draws(draws),
            first,
            second,
            values=draws if estimator.counts == "draws" else values,
            times=times,
            seed=seed,
            level=level,
            truth=exact,
            told=told,
        )
        drawn = estimator.counts == "draws" or estimator.drawn_first
        trials.append(
            Trial(
                estimator,
                values if estimator.counts == "values" else None,
                draws if drawn else None,
                repeats,
                repeats.mean - exact,
            )
        )
    return Estimation(
        made, len(first), len(second), shared, exact, values, times, level, tuple(trials)
    )
