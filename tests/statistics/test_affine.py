"""Affine functions: how often minima agree, against trying every function, and known figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import UsageError
from likewise.statistics.affine import (
    ARRANGEMENTS,
    Family,
    affine_mod,
    affine_mod_prime,
    agreement,
    arranged,
    sampled_agreement,
    smallest_factor,
)

families = st.one_of(
    st.integers(1, 12).map(affine_mod),
    st.builds(affine_mod_prime, st.integers(1, 12), st.integers(2, 17)),
)


def functions(family: Family) -> Iterator[Callable[[int], int]]:
    """Every function of a family, as the papers write it."""
    n, p = family.rows, family.modulus
    if p is None:
        pairs = ((x, y) for x in range(1, n + 1) for y in range(1, n + 1))
        return (lambda i, x=x, y=y: (x * i + y) % n or n for x, y in pairs)
    pairs = ((x, y) for x in range(1, p) for y in range(p))
    return (lambda i, x=x, y=y: (x * i + y) % p % n for x, y in pairs)


def slow_agreement(
    family: Family, a: Iterable[int], b: Iterable[int], extreme: Callable[..., int] = min
) -> Fraction:
    found = [extreme(map(z, a)) == extreme(map(z, b)) for z in functions(family)]
    return Fraction(sum(found), len(found))


def two_sets(family: Family) -> st.SearchStrategy[tuple[set[int], set[int]]]:
    rows = st.sets(st.integers(1, family.rows), min_size=1)
    return st.tuples(rows, rows)


@given(families.flatmap(lambda f: st.tuples(st.just(f), two_sets(f))))
def test_agreement_is_what_all_functions_give(
    drawn: tuple[Family, tuple[set[int], set[int]]],
) -> None:
    family, (a, b) = drawn
    assert agreement(family, sorted(a), sorted(b)) == slow_agreement(family, a, b)
    assert agreement(family, sorted(a), sorted(b), "max") == slow_agreement(family, a, b, max)


def test_functions_are_counted_as_they_are_drawn() -> None:
    for family in (affine_mod(6), affine_mod_prime(6, 7)):
        assert family.functions == sum(1 for _ in functions(family))
    assert str(affine_mod(1009)) == "x·i + y mod 1,009"
    assert str(affine_mod_prime(10, 13)) == "((x·i + y) mod 13) mod 10"


# --- known figures, at a similarity of one third


def mean_scattered(n: int, tries: int = 20) -> float:
    """The mean of pi over sets of rows drawn at random: half of all rows, a third in common."""
    return float(
        np.mean(
            [
                float(agreement(affine_mod(n), *arranged(n, 1 / 3, "scattered", s)))
                for s in range(tries)
            ]
        )
    )


@pytest.mark.parametrize("n", [61, 101, 127, 191, 257])
def test_scattered_rows_modulo_a_prime_are_a_little_off(n: int) -> None:
    # All rows, so that nothing is left to chance but their order, which then hardly matters: J, and
    # (1 - J) / n for the x that maps all rows to one value.
    union = n // 3 * 3
    rows = np.random.Generator(np.random.PCG64(1)).permutation(n)[:union] + 1
    third = union // 3
    pi = float(agreement(affine_mod(n), rows[: 2 * third], rows[third:]))
    assert 0.3355 <= pi <= 0.3445
    assert pi == pytest.approx(1 / 3 + 2 / 3 / n, abs=1e-3)


@pytest.mark.parametrize(("n", "known"), [(64, 0.49), (100, 0.55), (210, 0.65)])
def test_scattered_rows_modulo_a_composite_number_are_far_off(n: int, known: float) -> None:
    assert mean_scattered(n) == pytest.approx(known, abs=0.02)


@pytest.mark.parametrize("union", [30, 99, 300])
def test_rows_that_follow_one_another_are_off_modulo_a_large_prime(union: int) -> None:
    family, third = affine_mod(1009), union // 3
    first, second, last = (list(range(1 + i * third, 1 + (i + 1) * third)) for i in range(3))
    assert 0.284 <= agreement(family, first + second, second + last) <= 0.2885
    assert 0.356 <= agreement(family, first + second, first + last) <= 0.359


def test_that_bias_does_not_shrink_with_n() -> None:
    for name, known in (("a, both, b", 0.287), ("both, a, b", 0.357)):
        found = [
            float(agreement(affine_mod(n), *arranged(n, 1 / 3, name))) for n in (509, 1009, 2003)
        ]
        assert found == pytest.approx([known] * 3, abs=0.002)


@pytest.mark.parametrize(
    ("union", "draws", "known"),
    [(999, 10_000, 0.326), (30_000, 1500, 0.343), (300_000, 500, 0.405)],
)
def test_the_papers_functions_fold_more_rows_together_the_more_there_are(
    union: int, draws: int, known: float
) -> None:
    # The known figures were drawn too, with errors like these.
    n, third = 1_000_003, union // 3
    rows = np.random.Generator(np.random.PCG64(2)).permutation(n)[:union] + 1
    sets = rows[: 2 * third], rows[third:]
    found = sampled_agreement(affine_mod_prime(n, 10_000_013), *sets, draws=draws, level=0.999)
    assert found.low <= known <= found.high
    # Values at random, in n places: the first that is taken holds a common row, or one of each set.
    empty = math.exp(-third / n)
    folded = ((1 - empty) + empty * (1 - empty) ** 2) / (1 - empty**3)
    assert found.low <= folded <= found.high


def test_the_modulus_of_the_papers_is_no_prime() -> None:
    assert smallest_factor(10_000_013) == 421
    assert 421 * 23_753 == 10_000_013
    assert smallest_factor(10_000_019) == 10_000_019
    assert smallest_factor(1_000_003) == 1_000_003


# --- drawing, arranging


@pytest.mark.parametrize("family", [affine_mod(12), affine_mod_prime(12, 17)])
def test_drawn_functions_come_near_the_exact_probability(family: Family) -> None:
    a, b = [1, 2, 3, 5, 8], [2, 3, 9, 12]
    for extreme in ("min", "max"):
        drawn = sampled_agreement(family, a, b, extreme, draws=20_000, level=0.9999)
        assert drawn.low <= agreement(family, a, b, extreme) <= drawn.high
        assert "drawn" in drawn.law
        again = sampled_agreement(family, a, b, extreme, draws=20_000, level=0.9999)
        assert again == drawn
        assert sampled_agreement(family, a, b, extreme, draws=20_000, seed=1) != drawn


@given(st.integers(8, 300), st.floats(0, 1), st.sampled_from(list(ARRANGEMENTS)))
def test_arranged_rows_have_the_similarity(n: int, similarity: float, name: str) -> None:
    a, b = (set(rows.tolist()) for rows in arranged(n, similarity, name, seed=3))
    union = a | b
    assert a
    assert b
    assert min(union) >= 1
    assert max(union) <= n
    assert len(union) == (n // 2 if name == "scattered" else n // 4)
    assert abs(len(a & b) - similarity * len(union)) <= 0.5
    assert abs(len(a) - len(b)) <= 1
    if name != "scattered":
        assert union == set(range(1, n // 4 + 1))


# --- what is refused


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: affine_mod(0), "n is 0"),
        (lambda: affine_mod_prime(5, 1), "p is 1"),
        (lambda: agreement(affine_mod(5), [], [1]), "empty"),
        (lambda: agreement(affine_mod(5), [0], [1]), "rows must be from 1 to 5"),
        (lambda: agreement(affine_mod(5), [6], [1]), "rows must be from 1 to 5"),
        (lambda: agreement(affine_mod(5), [2], [1], "mean"), "'min' or 'max'"),
        (lambda: agreement(affine_mod(10**8), [2], [1]), "the limit is 100,000,000"),
        (lambda: agreement(affine_mod_prime(10**4, 10_007), [2], [1]), "the limit is 100,000,000"),
        (lambda: sampled_agreement(affine_mod(5), [1], [2], draws=0), "draws is 0"),
        (lambda: arranged(7, 0.5, "scattered"), "n is 7"),
        (lambda: arranged(70, 0.5, "heaped"), "no arrangement 'heaped'"),
        (lambda: arranged(70, 1.5, "scattered"), "similarity is 1.5"),
    ],
)
def test_bad_input_is_reported(call: Callable[[], object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        call()
