"""`Estimator`: one way to estimate the similarity of two texts, and what is known about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Literal, Protocol, cast

from likewise.errors import UsageError
from likewise.statistics.estimate import Estimate, binomial_estimate, check_level
from likewise.study.shingled import Shingled, check_shingles
from likewise.whole_numbers import check_whole

MAX_SEED = 2**64 - 1


class Function(Protocol):
    """Estimates the similarity of two texts from `values` functions or draws."""

    def __call__(
        self, a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
    ) -> Estimate: ...


@dataclass(frozen=True, slots=True)
class Estimator:
    """An entry of `ESTIMATORS`.

    Attributes:
        name: its name on the command line.
        says: what it does, in one sentence.
        estimates: "jaccard", "dice" (converted to Jaccard at the end), or what else.
        sound: whether its estimates converge to the similarity, and its intervals cover it.
        counts: what `values` counts: values of a signature, shingles drawn, or nothing.
        drawn_first: whether the function takes `draws` as well, to be set by `with_draws`.
        has_interval: without one, low is 0 and high is 1.
    """

    name: str
    function: Function
    says: str
    estimates: str
    sound: bool
    counts: Literal["values", "draws", "nothing"] = "values"
    drawn_first: bool = False
    has_interval: bool = True

    @property
    def instead(self) -> str:
        """What an unsound estimator gives instead of the similarity."""
        return self.estimates.removeprefix("nothing: ")

    def with_draws(self, draws: int) -> Estimator:
        """The same with the number of shingles to draw first, if it draws any."""
        if not self.drawn_first:
            return self
        return replace(self, function=partial(cast(Any, self.function), draws=draws))


def checked(estimate: Callable[..., Estimate]) -> Function:
    """Checks the arguments of a function of (a, b, values, seed, level)."""

    @wraps(estimate)
    def function(
        a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95, **more: int
    ) -> Estimate:
        check_arguments(a, b, values, seed, level)
        return estimate(a, b, values, seed, level, **more)

    return function


def by_agreement(
    law: str = "binomial, Clopper-Pearson",
) -> Callable[[Callable[[Shingled, Shingled, int, int], int]], Function]:
    """An estimator from a function of (a, b, values, seed) that counts the values that agree."""

    def decorate(count: Callable[[Shingled, Shingled, int, int], int]) -> Function:
        @wraps(count)
        def estimate(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> Estimate:
            return replace(binomial_estimate(count(a, b, values, seed), values, level), law=law)

        return checked(estimate)

    return decorate


def without_interval(value: float, level: float, why: str) -> Estimate:
    """An estimate of something other than the similarity, so the interval is all of [0, 1]."""
    return Estimate(value, 0.0, 1.0, level, f"none: {why}")


def check_arguments(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> None:
    """Raises unless an estimator can work on these."""
    check_whole("values", values, 1)
    check_whole("seed", seed, 0, MAX_SEED)
    check_level(level)
    if a.bag != b.bag:
        raise UsageError(
            "one text is a set of shingles and the other a bag", hint="use one profile for both"
        )
    check_shingles(a, b)
