"""The seven steps of Gospels on two texts.

1. the chance level   2. the shingles   3. a sample of them   4. the similarity by the sample
5. beside chance      6. a conclusion   7. all of it again, many times
"""

from __future__ import annotations

from dataclasses import dataclass

from likewise.errors import UsageError
from likewise.run import Progress, silent
from likewise.statistics.estimate import Estimate, check_level
from likewise.statistics.null_models import DEFAULT_NULL, PAIR_NULLS
from likewise.study.estimators import find_estimator
from likewise.study.estimators.estimator import Estimator
from likewise.study.nulls import Null, nulls_of
from likewise.study.repeats import TIMES, Repeats, repeat
from likewise.study.shingled import Shingled, shingle_both
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.whole_numbers import check_whole


@dataclass(frozen=True, slots=True, eq=False)
class PairStudy:
    """The results of the seven steps.

    Attributes:
        nulls: the chance levels; the conclusion is based on the first.
        exact: the exact similarity.
        values: functions or draws of an estimate.
        estimate: the first of the estimates.
    """

    profile: Profile
    a: Shingled
    b: Shingled
    nulls: list[Null]
    exact: float
    estimator: Estimator
    values: int
    estimate: Estimate
    repeats: Repeats

    @property
    def above_chance(self) -> bool:
        """Whether the p-value is small and the whole interval is above the chance level."""
        chance = self.nulls[0].chance
        return chance.p_value <= 1 - self.estimate.level and self.estimate.low > chance.expected


def study_pair(
    a: str,
    b: str,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    null: str = DEFAULT_NULL,
    estimator: str = "sketch",
    values: int = 128,
    draws: int = 10_000,
    repeats: int = TIMES,
    level: float = 0.95,
    trials: int | None = None,
    urn: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> PairStudy:
    """The seven steps on two texts.

    Args:
        null: the null model for the conclusion, one of `PAIR_NULLS`; all are shown.
        estimator: a name of `ESTIMATORS`.
        values, draws: number of functions, or of draws if the estimator draws.
        repeats: number of estimates.
        level: of the interval; 1 - level is the largest p-value that counts as above chance.
    """
    if null not in PAIR_NULLS:
        raise UsageError(f"null is {null!r}; it must be one of {', '.join(PAIR_NULLS)}")
    check_whole("repeats", repeats, 2)
    check_whole("values", values, 1)
    check_whole("draws", draws, 1)
    check_level(level)
    chosen = find_estimator(estimator).with_draws(draws)
    profile = Profile.of(profile)
    first, second = shingle_both(a, b, profile)
    progress("chance level", 0, None)
    nulls = nulls_of(
        a, b, profile=profile, nulls=[null, *PAIR_NULLS], urn=urn, trials=trials, seed=seed
    )
    exact = nulls[0].chance.observed
    used = draws if chosen.counts == "draws" else values
    estimate = chosen.function(first, second, values=used, seed=seed, level=level)
    repeated = repeat(
        chosen, first, second, values=used, times=repeats, seed=seed, level=level, truth=exact,
        progress=lambda done: progress(f"estimates by {estimator}", done, repeats),
    )  # fmt: skip
    return PairStudy(profile, first, second, nulls, exact, chosen, used, estimate, repeated)
