"""Affine functions over all orders of the rows: the average, and why it is no law."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from likewise import UsageError
from likewise.statistics.affine import Family, affine_mod, affine_mod_prime, agreement
from likewise.statistics.row_order import agreement_by_order, average_agreement, law, mixture
from tests.statistics.test_affine import functions, slow_agreement

FAMILIES = [affine_mod(5), affine_mod(6), affine_mod_prime(5, 7), affine_mod_prime(5, 3)]


def orders(n: int, only_a: int, only_b: int, both: int) -> list[tuple[list[int], list[int]]]:
    """The two sets of rows, for every permutation of the rows."""
    sets = []
    for rows in itertools.permutations(range(1, n + 1)):
        common = list(rows[:both])
        a = rows[both : both + only_a]
        b = rows[both + only_a : both + only_a + only_b]
        sets.append((common + list(a), common + list(b)))
    return sets


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("sizes", [(2, 1, 1), (1, 1, 2), (0, 2, 2), (1, 2, 0)])
def test_placements_stand_for_all_permutations(family: Family, sizes: tuple[int, int, int]) -> None:
    seen = Counter(slow_agreement(family, a, b) for a, b in orders(family.rows, *sizes))
    total = math.factorial(family.rows)
    by_order = agreement_by_order(family, *sizes)
    assert by_order == {pi: Fraction(count, total) for pi, count in seen.items()}
    mean = sum(pi * Fraction(count, total) for pi, count in seen.items())
    assert average_agreement(family, *sizes) == mean


@pytest.mark.parametrize("n", [5, 7, 11])
@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 2, 2), (2, 0, 3)])
def test_modulo_a_prime_the_average_is_j_but_for_the_one_x(
    n: int, sizes: tuple[int, int, int]
) -> None:
    j = Fraction(sizes[2], sum(sizes))
    assert average_agreement(affine_mod(n), *sizes) == j + (1 - j) / n


def test_modulo_a_composite_number_the_average_is_far_off() -> None:
    assert average_agreement(affine_mod(12), 2, 2, 2) > Fraction(1, 3) + Fraction(1, 10)


def counted(k: int, family: Family, a: list[int], b: list[int]) -> list[Fraction]:
    """P(0, 1, ... k functions agree), by every choice of k functions."""
    agree = [min(map(z, a)) == min(map(z, b)) for z in functions(family)]
    seen = Counter(sum(chosen) for chosen in itertools.product(agree, repeat=k))
    return [Fraction(seen[t], len(agree) ** k) for t in range(k + 1)]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_with_the_rows_fixed_the_count_is_binomial(k: int) -> None:
    family, a, b = affine_mod(4), [1, 2], [2, 4]
    pi = agreement(family, a, b)
    assert pi != Fraction(1, 3)
    expected = [float(p) for p in counted(k, family, a, b)]
    np.testing.assert_allclose(law(k, pi).pmf(), expected, atol=1e-12)


@pytest.mark.parametrize("k", [2, 3])
def test_with_a_random_order_it_is_a_mixture_and_not_3_7(k: int) -> None:
    family, sizes = affine_mod(4), (1, 1, 1)
    every = [counted(k, family, a, b) for a, b in orders(4, *sizes)]
    expected = [float(sum(column) / len(every)) for column in zip(*every, strict=True)]
    by_order = agreement_by_order(family, *sizes)
    assert len(by_order) > 1
    found = mixture(k, by_order)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    # (3.7) has the right mean, and too small a variance.
    published = law(k, average_agreement(family, *sizes))
    counts = np.arange(k + 1)
    assert found @ counts == pytest.approx(published.pmf() @ counts)
    assert np.abs(found - published.pmf()).max() > 1e-3
    assert found @ counts**2 > published.pmf() @ counts**2 + 1e-3


@pytest.mark.parametrize(
    ("family", "sizes", "told"),
    [
        (affine_mod(5), (3, 2, 1), "among 5 rows"),
        (affine_mod(5), (0, 2, 0), "sets of 0 and 2 rows"),
        (affine_mod(5), (-1, 2, 1), "only_a is -1"),
        (affine_mod(30), (10, 10, 10), "the limit is 1,000,000,000"),
    ],
)
def test_bad_input_is_reported(family: Family, sizes: tuple[int, int, int], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        average_agreement(family, *sizes)
