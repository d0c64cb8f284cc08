"""Signatures: unbiased, mergeable, the same on every path, with intervals that hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import likewise
from likewise import UsageError
from likewise.statistics.estimate import binomial_estimate
from tests.strategies import texts


@given(st.lists(texts, min_size=1, max_size=8), st.sampled_from([1, 2, 3, 100, 128, 256, 300]))
def test_vector_and_portable_code_give_the_same(many: list[str], values: int) -> None:
    made = []
    for level in likewise._core.vector_levels():
        likewise._core.limit_vectors(level)
        made.append(likewise.sketch(many, values=values).values)
    likewise._core.limit_vectors("avx512")
    assert all(np.array_equal(values, made[0]) for values in made)


@given(st.lists(st.lists(st.integers(0, 30), max_size=40), min_size=1, max_size=5))
def test_merging_gives_the_signature_of_the_union(parts: list[list[int]]) -> None:
    """Words are shingles here, so a union of texts is their concatenation."""
    each = [" ".join(map(str, part)) for part in parts]
    merged = likewise.sketch(each, profile="word:1").merge()
    whole = likewise.sketch([" ".join(each)], profile="word:1")
    assert np.array_equal(merged.values, whole.values)


def test_a_text_without_shingles_agrees_with_nothing() -> None:
    signatures = likewise.sketch(["", " ", "word"])
    assert signatures.estimate(0, 1).value == 0
    assert signatures.estimate(0, 2).value == 0
    assert signatures.estimate(2, 2).value == 1


@pytest.mark.parametrize("elements", [5, 30, 100, 400])
def test_the_estimate_has_no_bias_and_less_spread_than_binomial(elements: int) -> None:
    """Pairs of sets with J = 1/3, each under its own words, so every pair is a fresh trial."""
    pairs, shared = 3000, elements // 2
    j = shared / (2 * elements - shared)
    many = []
    for pair in range(pairs):
        name = [f"p{pair}e{i}" for i in range(2 * elements - shared)]
        many += [" ".join(name[:elements]), " ".join(name[elements - shared :])]
    values = likewise.sketch(many, profile="word:1").values
    estimates = (values[0::2] == values[1::2]).mean(axis=1)
    binomial = np.sqrt(j * (1 - j) / 128)
    assert abs(estimates.mean() - j) < 4.5 * binomial / np.sqrt(pairs)
    assert estimates.std() < (0.8 if elements <= 100 else 0.95) * binomial


@given(st.integers(1, 2000), st.floats(0, 1), st.floats(0.5, 0.999))
def test_the_interval_is_that_of_clopper_and_pearson(
    values: int, share: float, level: float
) -> None:
    agreeing = round(share * values)
    estimate = binomial_estimate(agreeing, values, level)
    expected = stats.binomtest(agreeing, values).proportion_ci(level, "exact")
    assert estimate.low == pytest.approx(expected.low, abs=1e-12, rel=1e-9)
    assert estimate.high == pytest.approx(expected.high, abs=1e-12, rel=1e-9)


def test_bad_arguments_are_reported() -> None:
    with pytest.raises(UsageError, match="values is 0"):
        likewise.sketch(["a"], values=0)
    with pytest.raises(UsageError, match="level is 1"):
        likewise.sketch(["a", "b"]).estimate(0, 1, level=1)
    with pytest.raises(UsageError, match="nothing to merge"):
        likewise.sketch([]).merge()
    with pytest.raises(UsageError, match="threads is 0"):
        likewise.sketch(["a"], threads=0)
