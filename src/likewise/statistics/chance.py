"""`Chance`: the similarity that chance alone would give, and the p-value of the observed one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from likewise.arrays import Floats

P_MEANING = "probability that unrelated documents of this collection are at least this similar"
"""The meaning of the p-value of the null model "corpus"."""

Q_MEANING = "among the pairs at least this similar, the expected share that is there by chance"
"""The meaning of a q-value."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance level under a null model.

    Attributes:
        null: a key of NULL_MODELS.
        observed: the similarity that is compared with it.
        expected, spread: mean and standard deviation of the similarity under the null model.
        p_value: the probability of at least the observed similarity under the null model.
        trials: number of similarities drawn; None if the law was computed, like `highest`.
        expected_error: standard error of `expected`; 0 if the law was computed.
        smallest_p: the smallest p-value that so many trials can give.
        highest: the highest similarity drawn.
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
    """The chance level from similarities drawn under the null model.

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


def benjamini_hochberg(p_values: Sequence[float] | Floats, tests: int | None = None) -> Floats:
    """q-values: the smallest false discovery rate at which each test would be reported.

    `tests` is the number of all tests; those not in `p_values` had no smaller p than these.
    """
    p = np.asarray(p_values, dtype=np.float64)
    count = len(p) if tests is None else tests
    order = np.argsort(p, kind="stable")
    scaled = p[order] * count / np.arange(1, len(p) + 1)
    q = np.empty_like(p)
    q[order] = np.minimum.accumulate(scaled[::-1])[::-1] if len(p) else scaled
    return np.minimum(q, 1.0)
