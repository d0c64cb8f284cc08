"""How many values an accuracy takes: against every similarity and every number of values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from likewise import UsageError
from likewise.statistics.binomial import BinomialLaw
from likewise.statistics.planning import (
    accuracy_of,
    simple_accuracy,
    simple_values,
    values_for,
    worst_error,
)

NEAR = 1e-10  # how near a limit is approached


def slow_worst_error(values: int, epsilon: float) -> float:
    """The largest error over a fine grid and beside every similarity where the error jumps."""
    jumps = np.arange(values + 1) / values
    tried = np.concatenate(
        [
            np.linspace(0, 1, 2001),
            jumps + epsilon + NEAR,
            jumps + epsilon - NEAR,
            jumps - epsilon + NEAR,
            jumps - epsilon - NEAR,
        ]
    )
    tried = tried[(tried >= 0) & (tried <= 1)]
    # On the grid, an estimate that is just epsilon off must not be lost to rounding.
    below = np.ceil(values * (tried - epsilon) - 1e-11 * values) - 1
    above = np.floor(values * (tried + epsilon) + 1e-11 * values)
    errors = stats.binom.cdf(below, values, tried) + stats.binom.sf(above, values, tried)
    return float(errors.max())


@settings(max_examples=80)
@given(st.integers(1, 150), st.integers(1, 80))
def test_the_worst_error_is_the_largest_of_all(values: int, hundredths: int) -> None:
    epsilon = hundredths / 100
    error, where = worst_error(values, epsilon)
    assert error == pytest.approx(slow_worst_error(values, epsilon), abs=1e-7)
    # It is approached where it is said to be, from one side or the other.
    beside = [min(1.0, max(0.0, where + side)) for side in (-1e-8, 1e-8)]
    assert max(1 - BinomialLaw(values, j).within(epsilon) for j in beside) == pytest.approx(
        error, abs=1e-5
    )


@pytest.mark.parametrize(("values", "epsilon"), [(5, 0.15), (16, 0.15), (128, 0.05)])
def test_one_half_is_not_always_the_worst(values: int, epsilon: float) -> None:
    error, where = worst_error(values, epsilon)
    assert where != 0.5
    assert error > 1.1 * (1 - BinomialLaw(values, 0.5).within(epsilon))


def test_more_values_are_not_always_better() -> None:
    few, more = BinomialLaw(10, 0.5), BinomialLaw(14, 0.5)
    assert few.within(0.1) > more.within(0.1)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.05), (0.15, 0.2), (0.2, 0.01), (0.35, 0.4)])
def test_a_plan_holds_from_its_number_on_and_not_before(epsilon: float, delta: float) -> None:
    plan = values_for(epsilon, delta)
    certain = simple_values(epsilon, delta)["hoeffding"]
    held = [slow_worst_error(k, epsilon) <= delta + 1e-9 for k in range(1, certain + 1)]
    assert plan.values == 1 + max(k for k in range(certain + 1) if k == 0 or not held[k - 1])
    assert plan.error == pytest.approx(slow_worst_error(plan.values, epsilon), abs=1e-7)
    assert plan.error <= delta


@pytest.mark.parametrize(
    ("epsilon", "delta", "values"),
    [
        (0.1, 0.05, 100),
        (0.05, 0.05, 400),
        (0.02, 0.05, 2425),
        (0.05, 0.01, 680),
        (0.01, 0.05, 9700),
    ],
)
def test_plans(epsilon: float, delta: float, values: int) -> None:
    plan = values_for(epsilon, delta)
    assert plan.values == values
    assert (plan.epsilon, plan.delta, plan.similarity) == (epsilon, delta, None)
    assert slow_worst_error(values, epsilon) <= delta < slow_worst_error(values - 1, epsilon)
    # The Gaussian rule falls short of it, and the bounds go beyond.
    rules = simple_values(epsilon, delta)
    assert rules["gaussian"] < values < rules["hoeffding"] < rules["chebyshev"]


@pytest.mark.parametrize("similarity", [0.02, 0.3, 0.5, 0.9])
def test_a_plan_for_one_similarity(similarity: float) -> None:
    plan = values_for(0.05, 0.05, similarity=similarity)
    certain = simple_values(0.05, 0.05)["hoeffding"]
    failing = [k for k in range(1, certain) if 1 - BinomialLaw(k, similarity).within(0.05) > 0.05]
    assert plan.values == (max(failing) + 1 if failing else 1)
    assert plan.error == pytest.approx(1 - BinomialLaw(plan.values, similarity).within(0.05))
    assert plan.worst_similarity == plan.similarity == similarity


def test_a_similarity_of_0_or_1_takes_one_value() -> None:
    assert values_for(0.01, 0.01, similarity=0).values == 1
    assert values_for(0.01, 0.01, similarity=1).values == 1


@settings(max_examples=300)
@given(st.floats(0.002, 0.9), st.floats(0.001, 0.999), st.integers(1, 500), st.integers(1, 100))
def test_the_envelope_decreases(epsilon: float, j: float, k: int, more: int) -> None:
    # What the search rests on: I_{1-J}(k(1-J+e), k(J-e)+1) decreases in k, for J over e.
    if j <= epsilon:
        return

    def envelope(values: int) -> float:
        return float(special.betainc(values * (1 - j + epsilon), values * (j - epsilon) + 1, 1 - j))

    assert envelope(k + more) <= envelope(k) * (1 + 1e-9)


@pytest.mark.parametrize("values", [1, 10, 128, 1000])
@pytest.mark.parametrize("delta", [0.05, 0.3])
def test_accuracy_is_the_smallest(values: int, delta: float) -> None:
    plan = accuracy_of(values, delta)
    assert slow_worst_error(values, plan.epsilon) <= delta
    assert slow_worst_error(values, plan.epsilon - 2e-6) > delta
    assert plan.error == pytest.approx(slow_worst_error(values, plan.epsilon), abs=1e-7)


@settings(max_examples=60)
@given(st.integers(1, 200), st.floats(0, 1), st.floats(0.01, 0.5))
def test_accuracy_at_one_similarity(values: int, similarity: float, delta: float) -> None:
    plan = accuracy_of(values, delta, similarity=similarity)
    law = BinomialLaw(values, similarity)
    assert 1 - law.within(plan.epsilon) <= delta + 1e-8
    assert plan.epsilon == 0 or 1 - law.within(max(0, plan.epsilon - 2e-6)) > delta - 1e-8


def test_rules_of_thumb() -> None:
    assert simple_values(0.05, 0.05) == {"chebyshev": 2000, "gaussian": 385, "hoeffding": 738}
    assert simple_values(0.1, 0.05, 0.1) == {"chebyshev": 180, "gaussian": 35, "hoeffding": 185}
    rules = simple_accuracy(400, 0.05)
    assert rules["chebyshev"] == pytest.approx(0.025 / math.sqrt(0.05))
    assert rules["gaussian"] == pytest.approx(0.049, abs=1e-4)
    assert rules["hoeffding"] == pytest.approx(math.sqrt(math.log(40) / 800))


@pytest.mark.parametrize(
    ("epsilon", "delta", "told"),
    [
        (0, 0.05, "epsilon is 0"),
        (1.0, 0.05, "between 0 and 1"),
        (0.0019, 0.05, "below 0.002"),
        (0.1, 0, "delta is 0"),
        (0.1, 1, "delta is 1"),
        (0.1, float("nan"), "delta is nan"),
    ],
)
def test_bad_plans_are_reported(epsilon: float, delta: float, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        values_for(epsilon, delta)


def test_bad_numbers_are_reported() -> None:
    with pytest.raises(UsageError, match="values is 0"):
        accuracy_of(0, 0.05)
    with pytest.raises(UsageError, match="similarity is 2"):
        accuracy_of(10, 0.05, similarity=2)
    with pytest.raises(UsageError, match="similarity is -1"):
        values_for(0.1, 0.05, similarity=-1)
