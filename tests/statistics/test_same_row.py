"""Rows that affine functions map to the same value: against trying every function."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import UsageError
from likewise.statistics.affine import Family, affine_mod, affine_mod_prime
from likewise.statistics.same_row import average_same_row, permutation_share, same_row
from tests.statistics.test_affine import functions

families = st.one_of(
    st.integers(2, 14).map(affine_mod),
    st.builds(affine_mod_prime, st.integers(2, 12), st.integers(2, 19)),
)


@given(families)
def test_rows_that_fall_together_are_as_counted(family: Family) -> None:
    n = family.rows
    tables = [[z(i) for i in range(1, n + 1)] for z in functions(family)]
    together: dict[int, list[Fraction]] = {d: [] for d in range(1, n)}
    for i, j in combinations(range(n), 2):
        count = sum(table[i] == table[j] for table in tables)
        together[j - i].append(Fraction(count, len(tables)))
    for difference, shares in together.items():
        # It depends on the difference alone.
        assert set(shares) == {same_row(family, difference)}
    everything = [share for shares in together.values() for share in shares]
    assert average_same_row(family) == sum(everything) / len(everything)
    kept = Fraction(sum(len(set(table)) == n for table in tables), len(tables))
    assert permutation_share(family) == kept
    assert permutation_share(family, 3) == kept**3


@pytest.mark.parametrize("n", [12, 61, 64, 210, 1009, 10_000])
def test_modulo_n_it_is_a_matter_of_divisors(n: int) -> None:
    family = affine_mod(n)
    for difference in {1, 2, 3, n // 2, n - 1}:
        assert same_row(family, difference) == Fraction(math.gcd(difference, n), n)
    prime_to = sum(math.gcd(x, n) == 1 for x in range(n))
    assert permutation_share(family) == Fraction(prime_to, n)
    by_pairs = Fraction(sum(math.gcd(d, n) for d in range(1, n)), n * (n - 1))
    assert average_same_row(family) == by_pairs


def test_a_prime_is_best_but_for_the_one_x_that_maps_all_together() -> None:
    assert average_same_row(affine_mod(1009)) == Fraction(1, 1009)
    assert permutation_share(affine_mod(1009)) == Fraction(1008, 1009)
    assert float(permutation_share(affine_mod(210))) == pytest.approx(48 / 210)


def test_the_papers_functions() -> None:
    prime = affine_mod_prime(1_000_003, 10_000_019)
    # For a prime the same for all rows, and just under one in n.
    assert same_row(prime, 1) == same_row(prime, 421) == average_same_row(prime)
    assert float(average_same_row(prime)) == pytest.approx(1 / 1_000_003, rel=0.12)
    composite = affine_mod_prime(1_000_003, 10_000_013)
    # Rows that are a multiple of 23,753 apart fall together for all x that 421 divides, and more.
    assert same_row(composite, 23_753) > 1000 * same_row(composite, 1)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: same_row(affine_mod(5), 0), "difference is 0"),
        (lambda: same_row(affine_mod(5), 5), "difference is 5"),
        (lambda: permutation_share(affine_mod(5), 0), "values is 0"),
        (lambda: permutation_share(affine_mod_prime(10**4, 10_007)), "the limit is"),
    ],
)
def test_bad_input_is_reported(call, told: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=told):
        call()
