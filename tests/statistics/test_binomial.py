"""The law of an estimate: against SciPy, and against sums of fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from likewise import UsageError
from likewise.statistics.binomial import BinomialLaw, lower_tail

similarities = st.floats(0, 1)


@given(st.integers(1, 3000), st.floats(1e-12, 1))
def test_probabilities_are_those_of_scipy(values: int, similarity: float) -> None:
    law = BinomialLaw(values, similarity)
    expected = stats.binom.pmf(np.arange(values + 1), values, similarity)
    np.testing.assert_allclose(law.pmf(), expected, rtol=1e-9, atol=1e-290)
    np.testing.assert_allclose(law.cdf(), np.minimum(np.cumsum(expected), 1), atol=1e-12)


@pytest.mark.parametrize("values", [1, 2, 15, 16, 128, 10_000, 65_536])
@pytest.mark.parametrize("similarity", [0.0, 1e-9, 0.001, 0.1, 1 / 3, 0.5, 0.9, 0.99999, 1.0])
def test_probabilities_sum_to_one(values: int, similarity: float) -> None:
    assert math.fsum(BinomialLaw(values, similarity).pmf()) == pytest.approx(1, abs=1e-12)


def test_at_0_and_1_the_estimate_is_certain() -> None:
    assert BinomialLaw(5, 0).pmf().tolist() == [1, 0, 0, 0, 0, 0]
    assert BinomialLaw(5, 1).pmf().tolist() == [0, 0, 0, 0, 0, 1]
    for similarity in (0, 1):
        law = BinomialLaw(5, similarity)
        assert law.within(0) == law.gaussian_within(0) == 1
        assert law.chebyshev(0.01) == 0
        assert law.central(0.95) == (similarity, similarity)


@given(st.integers(1, 500), similarities)
def test_moments(values: int, similarity: float) -> None:
    law = BinomialLaw(values, similarity)
    variance = similarity * (1 - similarity) / values
    assert law.moment(0) == pytest.approx(1)
    assert law.moment(1) == pytest.approx(law.mean) == pytest.approx(similarity)
    assert law.variance == pytest.approx(variance)
    assert law.deviation == pytest.approx(math.sqrt(variance))
    assert law.moment(2) - law.moment(1) ** 2 == pytest.approx(variance, abs=1e-11)


def test_the_third_moment_is_the_finite_sum() -> None:
    terms = (Fraction(t, 7) ** 3 * math.comb(7, t) * 2 ** (7 - t) for t in range(8))
    assert BinomialLaw(7, 1 / 3).moment(3) == pytest.approx(float(sum(terms) / 3**7))


@given(st.integers(1, 60), st.integers(0, 20), st.integers(0, 20))
def test_within_is_the_sum_of_corollary_1_edges_included(k: int, twentieths: int, off: int) -> None:
    # In fractions an edge is on the edge; as floats 0.3 - 0.1 is below 0.2.
    p, epsilon = Fraction(twentieths, 20), Fraction(off, 20)
    exact = sum(
        math.comb(k, t) * p**t * (1 - p) ** (k - t)
        for t in range(k + 1)
        if abs(Fraction(t, k) - p) <= epsilon
    )
    law = BinomialLaw(k, twentieths / 20)
    assert law.within(off / 20) == pytest.approx(float(exact), abs=1e-12)


@given(st.integers(1, 2000), similarities, st.floats(0.001, 1))
def test_chebyshev_bounds_what_is_outside(values: int, similarity: float, off: float) -> None:
    law = BinomialLaw(values, similarity)
    bound = law.chebyshev(off)
    assert bound == pytest.approx(min(1, similarity * (1 - similarity) / (values * off**2)))
    assert 1 - law.within(off) <= bound + 1e-12


def test_the_gaussian_is_near_for_many_values_only() -> None:
    many, few = BinomialLaw(10_000, 0.3), BinomialLaw(5, 0.05)
    spread = stats.norm.cdf(0.01 / many.deviation) - stats.norm.cdf(-0.01 / many.deviation)
    assert many.gaussian_within(0.01) == pytest.approx(spread)
    assert many.gaussian_within(0.01) == pytest.approx(many.within(0.01), abs=0.005)
    assert abs(few.gaussian_within(0.1) - few.within(0.1)) > 0.05


@given(st.integers(1, 300), similarities, st.floats(0.01, 0.99))
def test_the_central_estimates_hold_the_level(values: int, similarity: float, level: float) -> None:
    law = BinomialLaw(values, similarity)
    low, high = law.central(level)
    estimates = np.arange(values + 1) / values
    assert law.pmf()[(estimates >= low) & (estimates <= high)].sum() >= level - 1e-12
    for outside in (estimates < low, estimates > high):
        assert law.pmf()[outside].sum() <= (1 - level) / 2 + 1e-12


@given(st.integers(1, 100_000), st.floats(0, 1), st.floats(0.0001, 0.9999), st.booleans())
def test_tails_are_those_of_scipy(k: int, share: float, p: float, whole: bool) -> None:
    count = float(int(share * k)) if whole else share * k
    expected = special.betainc(k - count, count + 1, 1 - p) if count < k else 1.0
    assert lower_tail([count], k, p)[0] == pytest.approx(expected, rel=1e-7, abs=1e-250)


def test_tails_outside_the_counts() -> None:
    assert lower_tail([-1, -0.5, 7, 8], 7, 0.5).tolist() == [0, 0, 1, 1]
    assert lower_tail([0, 3], 7, [0, 1]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("values", "similarity", "told"),
    [
        (0, 0.5, "values is 0"),
        (2.5, 0.5, "whole number"),
        (10**9, 0.5, "values is"),
        (10, 1.01, "similarity is 1.01"),
        (10, float("nan"), "from 0 to 1"),
    ],
)
def test_bad_laws_are_reported(values: int, similarity: float, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        BinomialLaw(values, similarity)


def test_bad_distances_are_reported() -> None:
    law = BinomialLaw(10, 0.5)
    for call in (law.within, law.gaussian_within):
        with pytest.raises(UsageError, match=r"epsilon is -0\.1"):
            call(-0.1)
    with pytest.raises(UsageError, match="distance is 0"):
        law.chebyshev(0)
    with pytest.raises(UsageError, match="level is 1"):
        law.central(1)
