"""Random orders and good hashes are binomial; the sketch is that of the core and varies less."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise.study.estimators import ESTIMATORS
from likewise.study.estimators.fast_sketch import fast_similarity_sketch
from likewise.study.estimators.minhash import minhash_signature
from likewise.study.repeats import repeat
from likewise.study.shingled import Shingled
from tests.strategies import texts
from tests.study.pairs_of_sets import pair_of_sets

J = 1 / 3
VALUES = 100


@pytest.mark.parametrize("name", ["permutations", "minhash"])
@pytest.mark.parametrize("size", [2, 40, 2000])
def test_agreeing_minima_are_binomial(name: str, size: int) -> None:
    a, b = pair_of_sets(size, size, size)
    times = 400 if size < 2000 else 100
    done = repeat(ESTIMATORS[name], a, b, values=VALUES, times=times, truth=J)
    binomial = (J * (1 - J) / VALUES) ** 0.5
    assert abs(done.mean - J) < 4.5 * binomial / times**0.5
    assert done.deviation == pytest.approx(binomial, rel=4.5 / (2 * times) ** 0.5)
    assert done.covering is not None
    assert done.covering >= times * 0.95 - 4.5 * (times * 0.95 * 0.05) ** 0.5


def test_numbers_in_a_row_are_no_harder_than_hashes() -> None:
    a, b = Shingled.of_set(range(2000)), Shingled.of_set(range(1000, 3000))
    for name in ("minhash", "affine-prime", "sketch"):
        done = repeat(ESTIMATORS[name], a, b, values=VALUES, times=60)
        assert abs(done.mean - J) < 4.5 * (J * (1 - J) / VALUES / 60) ** 0.5


@given(st.sets(st.integers(0, 2**64 - 1), min_size=1), st.sets(st.integers(0, 2**64 - 1)))
def test_a_signature_of_a_union_is_the_minimum_of_both(a: set[int], b: set[int]) -> None:
    """So a text can be taken part by part, in any order."""
    made = [
        minhash_signature(Shingled.of_set(part).elements, 16, seed=3) for part in (a, a | b, b or a)
    ]
    assert np.array_equal(made[1], np.minimum(made[0], made[2]))


@given(texts, st.sampled_from([1, 2, 3, 100, 128, 300]))
def test_the_sketch_is_that_of_the_core(text: str, values: int) -> None:
    for profile in ("char:3", "word:1,count=bag"):
        elements = Shingled.of_text(text, profile).elements
        expected = likewise.sketch([text], profile=profile, values=values).values[0]
        assert np.array_equal(fast_similarity_sketch(elements, values), expected)


def test_the_sketch_of_few_elements_and_many_values_is_that_of_the_core() -> None:
    """Down to the last resort, which two elements need for 4,000 values."""
    for text in ("one", "one two", " ".join(map(str, range(50_000)))):
        elements = Shingled.of_text(text, "word:1").elements
        expected = likewise.sketch([text], profile="word:1", values=4000).values[0]
        assert np.array_equal(fast_similarity_sketch(elements, 4000), expected)


def test_the_sketch_has_no_bias_and_varies_less_than_random_orders() -> None:
    a, b = pair_of_sets(30, 30, 30)
    done = repeat(ESTIMATORS["sketch"], a, b, values=128, times=500, truth=J)
    binomial = (J * (1 - J) / 128) ** 0.5
    assert abs(done.mean - J) < 4.5 * binomial / 500**0.5
    assert done.deviation < 0.85 * binomial
    assert done.covering is not None
    assert done.covering > 475
