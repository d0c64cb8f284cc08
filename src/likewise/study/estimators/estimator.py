"""`Estimator`: one way to estimate the similarity of two texts, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol, cast

from likewise.errors import UsageError
from likewise.statistics.estimate import Estimate, check_level
from likewise.study.shingled import Shingled
from likewise.whole_numbers import check_whole

MAX_SEED = 2**64 - 1


class Function(Protocol):
    """What every estimator is: two texts, how much work to do, a seed; an estimate."""

    def __call__(
        self, a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
    ) -> Estimate: ...


@dataclass(frozen=True, slots=True)
class Estimator:
    """An estimator by name.

    Attributes:
        name: what it is called on the command line.
        function: the estimator itself.
        says: what it does, in one sentence.
        estimates: "jaccard", "dice" (turned into Jaccard at the end), or what else.
        sound: whether its estimates settle at the similarity, and its intervals hold it.
        counts: what `values` counts: values of a signature, shingles drawn, or nothing.
        drawn_first: whether the function takes `draws` as well, to be set by `with_draws`.
        has_interval: whether it claims one; without, low is 0 and high is 1.
    """

    name: str
    function: Function
    says: str
    estimates: str
    sound: bool
    counts: Literal["values", "draws", "nothing"] = "values"
    drawn_first: bool = False
    has_interval: bool = True

    def with_draws(self, draws: int) -> Estimator:
        """The same with so many shingles drawn beforehand, where it draws any beforehand."""
        if not self.drawn_first:
            return self
        return replace(self, function=partial(cast(Any, self.function), draws=draws))


def without_interval(value: float, level: float, why: str) -> Estimate:
    """An estimate of something else than the similarity: no interval is valid but all of it."""
    return Estimate(value, 0.0, 1.0, level, f"none: {why}")


def check_arguments(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> None:
    """Raises unless an estimator can work on this."""
    check_whole("values", values, 1)
    check_whole("seed", seed, 0, MAX_SEED)
    check_level(level)
    if a.bag != b.bag:
        raise UsageError(
            "one text is a set of shingles and the other a bag", hint="use one profile for both"
        )
    for name, side in (("first", a), ("second", b)):
        if len(side) == 0:
            raise UsageError(
                f"the {name} text has no shingles",
                hint="it is empty, or its profile leaves nothing of it",
            )
