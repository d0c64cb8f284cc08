"""The seven steps of Gospels on two texts: what chance gives, what there is, and what follows.

1. the chance level   2. the shingles   3. a sample of them   4. the similarity by the sample
5. beside chance      6. a conclusion   7. all of it again, many times
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from likewise.errors import UsageError
from likewise.statistics.estimate import Estimate, check_level
from likewise.statistics.null_models import PAIR_NULLS
from likewise.study.estimators import find_estimator
from likewise.study.estimators.estimator import Estimator
from likewise.study.nulls import Null, nulls_of, shingles_of
from likewise.study.repeats import TIMES, Repeats, repeat
from likewise.study.shingled import Shingled
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.whole_numbers import check_whole


@dataclass(frozen=True, slots=True, eq=False)
class PairStudy:
    """What the seven steps gave.

    Attributes:
        profile, a, b: the texts as shingles.
        nulls: the chance levels; the first is the one that the conclusion rests on.
        exact: the similarity itself.
        estimator, values: what the estimate is made by: functions or draws.
        estimate: the first estimate, with its interval.
        repeats: what as many estimates gave.
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
        """As much as this is rare under the null, and the whole interval is above its level."""
        chance = self.nulls[0].chance
        return chance.p_value <= 1 - self.estimate.level and self.estimate.low > chance.expected


def study_pair(
    a: str,
    b: str,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    null: str = "words",
    estimator: str = "sketch",
    values: int = 128,
    draws: int = 10_000,
    repeats: int = TIMES,
    level: float = 0.95,
    trials: int | None = None,
    urn: int | None = None,
    seed: int = 0,
    told: Callable[[str, int, int | None], None] | None = None,
) -> PairStudy:
    """The seven steps on two texts.

    Args:
        null: what the conclusion rests on: "words", "letters" or "urn"; all three are shown.
        estimator: a name of `ESTIMATORS`.
        values, draws: how many functions, or draws where the estimator draws.
        repeats: how often to estimate.
        level: of the interval; 1 - level is what p may be at most.
    """
    if null not in PAIR_NULLS:
        raise UsageError(f"null is {null!r}; it must be one of {', '.join(PAIR_NULLS)}")
    check_whole("repeats", repeats, 2)
    check_whole("values", values, 1)
    check_whole("draws", draws, 1)
    check_level(level)
    chosen = find_estimator(estimator).with_draws(draws)
    made = Profile.of(profile)
    progress = told or (lambda stage, done, total: None)
    first, second = shingles_of(a, b, made)
    progress("chance level", 0, None)
    nulls = nulls_of(
        a, b, profile=made, nulls=[null, *(n for n in PAIR_NULLS if n != null)], urn=urn,
        trials=trials, seed=seed,
    )  # fmt: skip
    exact = nulls[0].chance.observed
    used = draws if chosen.counts == "draws" else values
    estimate = chosen.function(first, second, values=used, seed=seed, level=level)
    repeated = repeat(
        chosen, first, second, values=used, times=repeats, seed=seed, level=level, truth=exact,
        told=lambda done: progress(f"estimates by {estimator}", done, repeats),
    )  # fmt: skip
    return PairStudy(made, first, second, nulls, exact, chosen, used, estimate, repeated)
