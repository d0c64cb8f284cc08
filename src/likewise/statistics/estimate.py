"""`Estimate`: a number that is not exact, with its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

from likewise.errors import UsageError


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated similarity with its interval.

    Attributes:
        level: how often, at least, such an interval contains the true value.
        law: the basis of the interval.
    """

    value: float
    low: float
    high: float
    level: float
    law: str

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}] at {100 * self.level:g}%"


def check_real(
    name: str, value: float, is_valid: Callable[[float], bool], rule: str, hint: str
) -> None:
    """Raises unless the value is a valid real number."""
    if not isinstance(value, Real) or not is_valid(value):
        raise UsageError(f"{name} is {value!r}; it must {rule}", hint=hint)


def check_level(level: float) -> None:
    check_real("level", level, lambda x: 0 < x < 1, "lie between 0 and 1", "for example 0.95")


def binomial_estimate(agreeing: int, values: int, level: float = 0.95) -> Estimate:
    """The estimate from `agreeing` of `values`, with the exact interval of Clopper and Pearson.

    A fast similarity sketch varies less than the binomial law, so the interval is on the safe side.
    """
    check_level(level)
    if not 0 <= agreeing <= values or values < 1:
        raise UsageError(f"{agreeing} of {values} values cannot agree")
    from likewise._core import clopper_pearson

    low, high = clopper_pearson(agreeing, values, level)
    return Estimate(agreeing / values, low, high, level, "binomial, Clopper-Pearson")
