"""The urn: against fractions at small sizes, SciPy at larger ones, and the papers' figures."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from likewise import UsageError
from likewise.statistics.urn import UrnLaw

# Letters of John, Luke, Mark and Matthew after editing, less two: their 3-shingles.
GOSPELS = (69_314, 94_764, 55_553, 108_720)

PAIRS = list(itertools.combinations(GOSPELS, 2))

small_urns = st.integers(1, 25).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))
)


def exact(size_a: int, size_b: int, urn: int) -> dict[int, Fraction]:
    """Numbers of shared elements and their probabilities, in fractions."""
    found = {
        j: Fraction(
            math.comb(size_a, j) * math.comb(urn - size_a, size_b - j), math.comb(urn, size_b)
        )
        for j in range(min(size_a, size_b) + 1)
    }
    return {j: p for j, p in found.items() if p}


def jaccard(size_a: int, size_b: int, shared: int) -> Fraction:
    return Fraction(shared, max(1, size_a + size_b - shared))


@given(small_urns)
def test_small_urns_are_as_counted(sizes: tuple[int, int, int]) -> None:
    size_a, size_b, _ = sizes
    law, slow = UrnLaw(*sizes), exact(*sizes)
    shared, probabilities = law.pmf()
    assert shared.tolist() == list(slow)
    np.testing.assert_allclose(probabilities, [float(p) for p in slow.values()], rtol=1e-11)
    mean = sum(j * p for j, p in slow.items())
    assert float(shared @ probabilities) == pytest.approx(float(mean))
    expected = sum(jaccard(size_a, size_b, j) * p for j, p in slow.items())
    variance = sum((jaccard(size_a, size_b, j) - expected) ** 2 * p for j, p in slow.items())
    assert law.expected == pytest.approx(float(expected))
    assert law.spread == pytest.approx(math.sqrt(variance), abs=1e-12)
    for observed in range(min(size_a, size_b) + 1):
        tail = float(sum(p for j, p in slow.items() if j >= observed))
        assert law.p_value(observed) == pytest.approx(tail, rel=1e-10, abs=1e-13)


@given(small_urns, st.sampled_from([0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]))
def test_quantiles(sizes: tuple[int, int, int], probability: float) -> None:
    slow = exact(*sizes)
    reached = np.cumsum([float(p) for p in slow.values()]) >= probability - 1e-12
    expected = max(slow) if probability == 1 else list(slow)[int(np.argmax(reached))]
    assert UrnLaw(*sizes).quantile(probability) == pytest.approx(
        float(jaccard(*sizes[:2], expected))
    )


@settings(max_examples=60)
@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 3000))
def test_medium_urns_are_those_of_scipy(size_a: int, size_b: int, more: int) -> None:
    urn = max(size_a, size_b, 2) + more
    law = UrnLaw(size_a, size_b, urn)
    shared, probabilities = law.pmf()
    slow = stats.hypergeom(urn, size_a, size_b)
    np.testing.assert_allclose(probabilities, slow.pmf(shared), rtol=1e-8, atol=1e-200)
    assert law.pmf()[1].sum() == pytest.approx(1, abs=1e-12)
    mean = size_a * size_b / urn
    for observed in (int(mean) + 1, int(1.1 * mean) + 2):
        if observed <= law.most:
            assert law.p_value(observed) == pytest.approx(slow.sf(observed - 1), rel=1e-7)


@pytest.mark.parametrize(("size_a", "size_b"), PAIRS)
def test_the_gospels_share_around_30_percent_by_this_chance(size_a: int, size_b: int) -> None:
    law = UrnLaw(size_a, size_b)
    assert law.urn == size_a + size_b
    assert 0.28 < law.expected < 0.34
    # It does not matter which is drawn first.
    assert UrnLaw(size_b, size_a).expected == pytest.approx(law.expected, rel=1e-12)
    assert law.pmf()[1].sum() == pytest.approx(1, abs=1e-9)


def test_the_gospels_own_range() -> None:
    levels = [UrnLaw(a, b).expected for a, b in PAIRS]
    assert (min(levels), max(levels)) == pytest.approx((0.288, 0.331), abs=5e-4)


@pytest.mark.parametrize("size", [50_000, 110_000])
@pytest.mark.parametrize("other", [50_000, 80_000, 110_000])
@pytest.mark.parametrize("urn", [None, 110_000, 10**6])
def test_probabilities_sum_to_one(size: int, other: int, urn: int | None) -> None:
    assert UrnLaw(size, other, urn).pmf()[1].sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("size", [50_000, 10**8])
def test_equal_sizes_share_a_third(size: int) -> None:
    assert UrnLaw(size, size).expected == pytest.approx(1 / 3, abs=1e-5)


@pytest.mark.parametrize(
    "sizes",
    [
        (10**8, 10**8, None),
        (10**8, 10**8, 10**9),
        (10**8, 3 * 10**7, 10**12),
        (10**8, 100, 10**9),
        (10**8, 10**8, 10**8 + 5),
    ],
)
def test_large_sizes(sizes: tuple[int, int, int | None]) -> None:
    law = UrnLaw(*sizes)
    shared, probabilities = law.pmf()
    assert law.pmf()[1].sum() == pytest.approx(1, abs=1e-9)
    m, other, n = law.size_a, law.size_b, law.urn
    mean = m * other / n
    assert float(shared @ probabilities) == pytest.approx(mean, rel=1e-9)
    deviation = math.sqrt(m * other / n * (n - m) / n * (n - other) / (n - 1))
    found = math.sqrt(float((shared - mean) ** 2 @ probabilities))
    assert found == pytest.approx(deviation, rel=1e-6)
    assert law.quantile(0.025) - 1e-12 <= law.expected <= law.quantile(0.975) + 1e-12


def test_p_values_do_not_underflow() -> None:
    law = UrnLaw(1000, 1000, 100_000)
    # All shared: one subset of all.
    smallest = -(math.lgamma(100_001) - math.lgamma(1001) - math.lgamma(99_001)) / math.log(10)
    assert law.p_value(1000) == 0
    assert law.log10_p_value(1000) == pytest.approx(smallest)
    # A sum of integers, where the tail has many terms.
    tail = sum(math.comb(1000, j) * math.comb(99_000, 1000 - j) for j in range(300, 1001))
    expected = Fraction(tail, math.comb(100_000, 1000))
    log10 = math.log10(expected.numerator) - math.log10(expected.denominator)
    assert log10 < -330
    assert law.log10_p_value(300) == pytest.approx(log10, rel=1e-12)
    assert UrnLaw(10**8, 10**8).log10_p_value(10**8) == pytest.approx(-6.0206e7, rel=1e-4)


def test_log10_agrees_with_the_p_value() -> None:
    law = UrnLaw(300, 200, 1000)
    values = [law.p_value(shared) for shared in range(201)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1
    for shared in (10, 60, 61, 90):
        assert 10 ** law.log10_p_value(shared) == pytest.approx(values[shared])
    assert law.log10_p_value(201) == -math.inf


def test_the_chance_level_of_two_sets() -> None:
    law = UrnLaw(300, 200, 1000)
    chance = law.chance(90)
    assert chance.null == "urn"
    assert chance.observed == 90 / 410
    assert (chance.expected, chance.spread) == (law.expected, law.spread)
    assert chance.p_value == law.p_value(90)
    assert chance.trials is None
    with pytest.raises(UsageError, match="cannot share 201"):
        law.chance(201)


@pytest.mark.parametrize("sizes", [(0, 0), (0, 7), (7, 0), (0, 7, 20)])
def test_empty_sets_share_nothing(sizes: tuple[int, ...]) -> None:
    law = UrnLaw(*sizes)
    assert [array.tolist() for array in law.pmf()] == [[0], [1.0]]
    assert law.expected == law.spread == law.quantile(0.9) == 0
    assert law.p_value(0) == 1


def test_a_full_urn_is_shared() -> None:
    law = UrnLaw(5, 5, 5)
    assert (law.least, law.most, law.expected, law.spread) == (5, 5, 1, 0)


@given(small_urns)
def test_formula_2_as_published_does_not_sum_to_one(sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    both = math.comb(n, k) * math.comb(n, m)
    published, right = Fraction(0), Fraction(0)
    for j in range(min(m, k) + 1):
        first, second = (
            math.comb(one, j) * math.comb(n - one, other - j) for one, other in ((m, k), (k, m))
        )
        published += Fraction(first + second, 2 * both)
        right += Fraction(1, 2) * (
            Fraction(first, math.comb(n, k)) + Fraction(second, math.comb(n, m))
        )
    assert right == 1
    assert published == (Fraction(1, math.comb(n, m)) + Fraction(1, math.comb(n, k))) / 2
    if 0 < m < n:
        assert published < 1


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ((-1, 5), "size_a is -1"),
        ((5, 2.5), "whole number"),
        ((5, 6, 5), "6 does not fit in an urn of 5"),
        ((10**11, 5), "size_a is"),
        ((1, 1, 2**60), "urn is"),
    ],
)
def test_bad_sizes_are_reported(sizes: tuple[int, ...], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        UrnLaw(*sizes)


def test_bad_questions_are_reported() -> None:
    with pytest.raises(UsageError, match="shared is -1"):
        UrnLaw(5, 5).p_value(-1)
    with pytest.raises(UsageError, match=r"probability is 1\.1"):
        UrnLaw(5, 5).quantile(1.1)
