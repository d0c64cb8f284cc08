"""Intervals by four methods: against SciPy, by what they cover, and carried to other measures."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from likewise import UsageError
from likewise.statistics.binomial import BinomialLaw
from likewise.statistics.intervals import (
    METHODS,
    containment_estimate,
    dice_estimate,
    interval,
    jaccard_from_dice,
)

levels = st.floats(0.5, 0.999)
counts = st.integers(1, 400).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k)))


@given(counts, levels)
def test_exact_and_wilson_are_those_of_scipy(count: tuple[int, int], level: float) -> None:
    test = stats.binomtest(*count)
    for method, name in (("clopper-pearson", "exact"), ("wilson", "wilson")):
        expected = test.proportion_ci(level, name)
        found = interval(*count, level, method)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_the_gaussian_interval_has_k_under_the_root() -> None:
    found = interval(30, 100, method="gaussian")
    half = 1.959963984540054 * math.sqrt(0.3 * 0.7 / 100)
    assert (found.low, found.high) == pytest.approx((0.3 - half, 0.3 + half))
    # As printed in the Law paper, with k outside, it would be ten times too narrow here.
    assert found.high - 0.3 == pytest.approx(10 * 1.959963984540054 * math.sqrt(0.3 * 0.7) / 100)


@given(counts, levels)
def test_chebyshev_is_where_the_inequality_is_an_equality(
    count: tuple[int, int], level: float
) -> None:
    agreeing, values = count
    found = interval(*count, level, "chebyshev")
    for end in (found.low, found.high):
        bound = end * (1 - end) / (values * (1 - level))
        assert (found.value - end) ** 2 == pytest.approx(bound, abs=1e-12)
    assert (found.low == 0) == (agreeing == 0)
    assert (found.high == 1) == (agreeing == values)


@given(counts, levels, st.sampled_from(METHODS))
def test_an_interval_holds_its_estimate(count: tuple[int, int], level: float, method: str) -> None:
    found = interval(*count, level, method)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.value == count[0] / count[1]
    assert found.level == level
    assert method in found.law.lower()


def coverage(method: str, values: int, similarity: float, level: float) -> float:
    """How often the interval holds the true similarity, over all counts."""
    pmf = BinomialLaw(values, similarity).pmf()
    found = (interval(t, values, level, method) for t in range(values + 1))
    return sum(
        float(p) for p, one in zip(pmf, found, strict=True) if one.low <= similarity <= one.high
    )


@pytest.mark.parametrize("similarity", [0.0, 0.003, 0.03, 0.1, 0.37, 0.5, 0.8, 0.97, 0.999, 1.0])
def test_the_default_holds_the_similarity_as_often_as_it_says(similarity: float) -> None:
    assert coverage("clopper-pearson", 40, similarity, 0.95) >= 0.95
    assert coverage("chebyshev", 40, similarity, 0.95) >= 0.95


def test_the_gaussian_one_fails_near_0() -> None:
    assert coverage("gaussian", 40, 0.01, 0.95) < 0.4
    for agreeing in (0, 40):
        found = interval(agreeing, 40, method="gaussian")
        assert found.low == found.high == agreeing / 40


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_measures_of_sets_follow_from_their_jaccard(only_a: int, only_b: int, both: int) -> None:
    assume(only_a + both and only_b + both)
    size_a, size_b = only_a + both, only_b + both
    jaccard = interval(both, only_a + only_b + both)  # its value is the similarity of the sets
    dice = dice_estimate(jaccard)
    assert dice.value == pytest.approx(2 * both / (size_a + size_b))
    back = jaccard_from_dice(dice)
    for end in ("value", "low", "high"):
        assert getattr(back, end) == pytest.approx(getattr(jaccard, end))
    inside = containment_estimate(jaccard, size_a, size_b)
    assert inside.value == pytest.approx(both / size_a)
    assert inside.low <= inside.value <= inside.high <= min(1, size_b / size_a) + 1e-12


def test_a_set_shares_no_more_than_the_smaller_has() -> None:
    estimate = interval(90, 100)
    assert containment_estimate(estimate, 1000, 100).value == 0.1
    assert containment_estimate(estimate, 100, 1000).high == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((1, 0), "values is 0"),
        ((-1, 5), "agreeing is -1"),
        ((6, 5), "6 of 5 values cannot agree"),
        ((2.5, 5), "whole number"),
        ((1, 5, 0), "level is 0"),
        ((1, 5, 1.0), "level is 1.0"),
        ((1, 5, 0.9, "guess"), "clopper-pearson, wilson, gaussian, chebyshev"),
    ],
)
def test_bad_input_is_reported(arguments: tuple[int, int], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        interval(*arguments)


def test_bad_sizes_are_reported() -> None:
    with pytest.raises(UsageError, match="size is 0"):
        containment_estimate(interval(1, 2), 0, 5)
    with pytest.raises(UsageError, match="other_size is -1"):
        containment_estimate(interval(1, 2), 5, -1)
