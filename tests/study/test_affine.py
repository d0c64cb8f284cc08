"""Affine minhashes: the worked example, and how far their chance to agree is from J."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.study.estimators import ESTIMATORS
from likewise.study.estimators.affine import (
    MERSENNE,
    PAPERS_MODULUS,
    _mersenne_minimum,
    affine_minimum,
    papers_minimum,
)
from likewise.study.repeats import repeat
from tests.study.pairs_of_sets import pair_of_sets


def test_the_worked_example() -> None:
    """{1,3,5,7} and {3,4,5,8} under 2x+1, 3x+2, 5x+1 mod 10: 2/3, where J is 1/3."""
    functions = [(2, 1), (3, 2), (5, 1)]
    a, b = (np.array(rows, dtype=np.uint64) for rows in ([1, 3, 5, 7], [3, 4, 5, 8]))
    assert [affine_minimum(a, x, y, 10) for x, y in functions] == [1, 1, 6]
    assert [affine_minimum(b, x, y, 10) for x, y in functions] == [1, 1, 1]


@given(
    st.lists(st.integers(1, 1000), min_size=1, max_size=20),
    st.integers(1, 1000),
    st.integers(0, 1000),
    st.integers(1, 1000),
)
def test_a_remainder_of_zero_is_written_as_n(rows: list[int], x: int, y: int, n: int) -> None:
    expected = min((x * i + y) % n or n for i in rows)
    assert affine_minimum(np.array(rows, dtype=np.uint64), x, y, n) == expected


def chance_to_agree(n: int, a: np.ndarray, b: np.ndarray) -> float:
    """Over all x and y."""
    x, y = np.arange(1, n + 1)[:, None, None], np.arange(n)[None, :, None]
    least = [((x * rows + y - 1) % n).min(axis=2) for rows in (a, b)]
    return float((least[0] == least[1]).mean())


@pytest.mark.parametrize(
    ("n", "published"), [(61, 0.34), (101, 0.34), (257, 0.34), (64, 0.49), (100, 0.55), (210, 0.65)]
)
def test_the_chance_to_agree_is_not_the_similarity_for_composite_n(
    n: int, published: float
) -> None:
    """J = 1/3, scattered rows, half of the n rows in use."""
    third, chances = n // 6, []
    for seed in range(4):
        rows = np.random.Generator(np.random.PCG64(seed)).permutation(n) + 1
        chances.append(chance_to_agree(n, rows[: 2 * third], rows[third : 3 * third]))
    assert np.mean(chances) == pytest.approx(published, abs=0.025)


@pytest.mark.parametrize("n", [101, 251])
def test_rows_in_runs_are_biased_whatever_n_is(n: int) -> None:
    """J = 1/3 and n prime: below it where the shared third is in the middle, above at an end."""
    first, second, third = np.split(np.arange(1, n // 6 * 3 + 1), 3)
    left, right = np.concatenate((first, second)), np.concatenate((second, third))
    assert chance_to_agree(n, left, right) < 0.31
    assert chance_to_agree(n, left, np.concatenate((first, third))) > 0.35


@pytest.mark.parametrize(("n", "prime"), [(1200, False), (1193, True)])
def test_ru_is_right_for_a_prime_number_of_rows_only(n: int, prime: bool) -> None:
    """All rows are in use, so modulo a prime any y puts any row first: J but for x = n."""
    a, b = pair_of_sets(400, 300, n - 700)
    done = repeat(ESTIMATORS["ru"], a, b, values=400, times=20, truth=300 / n)
    if prime:
        assert abs(done.mean - 300 / n) < 4.5 * done.error
        assert done.covering is not None
        assert done.covering >= 16
    else:
        assert done.mean > 0.6
        assert done.covering == 0


# --- Papers


def test_the_modulus_of_papers_is_no_prime() -> None:
    assert PAPERS_MODULUS == 421 * 23_753


def test_papers_function_is_the_printed_one() -> None:
    rows = np.array([3, 999_999, 500_000], dtype=np.uint64)
    x, y = 9_876_543, 1_234_567
    expected = min(((x * i + y) % 10_000_013) % 1_000_003 for i in rows.tolist())
    assert papers_minimum(rows, x, y) == expected


def test_papers_functions_agree_too_often_on_long_texts() -> None:
    """J = 1/3 and a union of 300,000 rows: about .405, as two rows are often least together.

    If t rows are least, and each is in one text, the other or both with 1/3, the texts agree
    unless all t are in the same one only.
    """
    random = np.random.Generator(np.random.PCG64(0))
    rows = random.permutation(1_000_003)[:300_000].astype(np.uint64)
    chances = []
    for x, y in random.integers(1, PAPERS_MODULUS, size=(200, 2)).tolist():
        values = (rows.astype(np.int64) * x + y) % PAPERS_MODULUS % 1_000_003
        assert papers_minimum(rows, x, y) == values.min()
        chances.append(1 - 2 / 3 ** int(np.count_nonzero(values == values.min())))
    assert np.mean(chances) == pytest.approx(0.405, abs=0.04)


# --- a prime


@given(
    st.lists(st.integers(0, MERSENNE), min_size=1, max_size=20),
    st.integers(1, MERSENNE - 1),
    st.integers(0, MERSENNE - 1),
)
def test_the_arithmetic_modulo_the_prime_is_exact(elements: list[int], x: int, y: int) -> None:
    array = np.array(elements, dtype=np.uint64)
    halves = array >> np.uint64(32), array & np.uint64(2**32 - 1)
    assert _mersenne_minimum(*halves, x, y) == min((x * h + y) % MERSENNE for h in elements)


@pytest.mark.parametrize("size", [3, 300])
def test_functions_modulo_the_prime_follow_the_binomial_law(size: int) -> None:
    a, b = pair_of_sets(size, size, size)
    done = repeat(ESTIMATORS["affine-prime"], a, b, values=100, times=100, truth=1 / 3)
    assert abs(done.mean - 1 / 3) < 4.5 * (2 / 9 / 10_000) ** 0.5
    assert done.deviation == pytest.approx((2 / 9 / 100) ** 0.5, rel=0.32)
    assert done.covering is not None
    assert done.covering > 85
