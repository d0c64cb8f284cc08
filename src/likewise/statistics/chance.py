"""`Chance`: the similarity that chance alone would give, and what the observed one is beside it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.arrays import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence


P_MEANING = "probability that unrelated documents of this collection are at least this similar"
"""What the p-value of the null "corpus" is about; the same words wherever it is shown."""

Q_MEANING = "among the pairs at least this similar, the expected share that is there by chance"
"""What a q-value is about; the same words wherever it is shown."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What chance alone gives, under a null.

    Attributes:
        null: a key of NULL_MODELS.
        observed: the similarity that is held against it.
        expected: the mean similarity under the null.
        spread: the standard deviation of the similarity under the null.
        p_value: probability under the null of a similarity as high as the observed one.
        trials: how many similarities were drawn; None where the law was computed.
        expected_error: standard error of `expected`, from the number of trials; 0 if computed.
        smallest_p: the smallest p-value that so many trials can give.
        highest: the highest similarity drawn; None where the law was computed.
    """

    null: str
    observed: float
    expected: float
    spread: float
    p_value: float
    trials: int | None = None
    expected_error: float = 0.0
    smallest_p: float = 0.0
    highest: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def simulated_chance(null: str, observed: float, drawn: Floats) -> Chance:
    """The chance level from similarities that were drawn under the null.

    The observed similarity counts as one more draw, so that P(p <= alpha) <= alpha holds exactly
    under the null, for every alpha and any number of draws.
    """
    trials = len(drawn)
    spread = float(drawn.std(ddof=1)) if trials > 1 else 0.0
    return Chance(
        null=null,
        observed=observed,
        expected=float(drawn.mean()),
        spread=spread,
        p_value=(1 + int(np.count_nonzero(drawn >= observed))) / (trials + 1),
        trials=trials,
        expected_error=spread / math.sqrt(trials),
        smallest_p=1 / (trials + 1),
        highest=float(drawn.max()),
    )


def randomised_p_value(observed: float, drawn: Floats, uniform: float) -> float:
    """A p-value that is uniform under the null, ties broken by `uniform` from [0, 1).

    For trials of a null, not for use: it gives two answers to one question.
    """
    above = int(np.count_nonzero(drawn > observed))
    ties = 1 + int(np.count_nonzero(drawn == observed))
    return (above + uniform * ties) / (len(drawn) + 1)


def benjamini_hochberg(p_values: Sequence[float] | Floats, tests: int | None = None) -> Floats:
    """q-values: the least rate of false discoveries at which each test would be reported.

    Args:
        p_values: of some tests, in any order.
        tests: how many tests there were; those beyond `p_values` had no smaller p than these.
    """
    p = np.asarray(p_values, dtype=np.float64)
    count = len(p) if tests is None else tests
    order = np.argsort(p, kind="stable")
    scaled = p[order] * count / np.arange(1, len(p) + 1)
    q = np.empty_like(p)
    q[order] = np.minimum.accumulate(scaled[::-1])[::-1] if len(p) else scaled
    return np.minimum(q, 1.0)
