"""Sampling: the bias as published, and two ways without it whose intervals hold."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.study.estimators import ESTIMATORS
from likewise.study.estimators.exact import exact
from likewise.study.estimators.sampling import (
    sampling_coordinated,
    sampling_corrected,
    sampling_published,
)
from likewise.study.estimators.two_draws import shared_interval
from likewise.study.repeats import repeat
from likewise.study.shingled import Shingled
from tests.study.pairs_of_sets import pair_of_sets, random_letters

# --- as published


def test_published_sampling_keeps_the_product_of_the_rates() -> None:
    """Two draws of a quarter from equal sets share a quarter of each, so 1/7 and not 1."""
    same, _ = pair_of_sets(4000, 0, 1)
    done = repeat(ESTIMATORS["sampling-published"], same, same, values=1000, times=30)
    assert done.mean == pytest.approx(250 / (2000 - 250), abs=0.005)
    assert done.covering is None


def test_published_sampling_of_bags_creeps_up_with_the_number_of_draws() -> None:
    """As it does on Luke and Matthew: .22 at 1,000 draws, .73 at 80,000."""
    a, b = (
        Shingled.of_text(random_letters(20_000, seed), "char:3,count=bag,spaces=drop")
        for seed in (1, 2)
    )
    truth = exact(a, b, values=1, seed=0).value
    by_draws = [
        sampling_published(a, b, values=draws, seed=3).value for draws in (100, 1000, 5000, 19_000)
    ]
    assert by_draws == sorted(by_draws)
    assert by_draws[0] < 0.3
    assert truth - by_draws[1] > 0.1
    assert by_draws[3] == pytest.approx(truth, abs=0.02)


@given(st.text("abc", min_size=3, max_size=40), st.text("abc", min_size=3, max_size=40))
def test_drawing_all_is_exact(a: str, b: str) -> None:
    for profile in ("char:3", "char:3,count=bag"):
        sides = [Shingled.of_text(text, profile) for text in (a, b)]
        truth = exact(*sides, values=1, seed=0).value
        for function in (sampling_published, sampling_corrected, sampling_coordinated):
            made = function(*sides, values=40, seed=0)
            assert made.value == pytest.approx(truth)
        assert made.low == made.high


# --- corrected


def probability(found: int, shared: int, sizes: tuple[int, int], draws: tuple[int, int]) -> float:
    """P(two draws have so many elements in common), by counting."""
    ways = sum(
        comb(shared, k)
        * comb(sizes[0] - shared, draws[0] - k)
        * comb(k, found)
        * comb(sizes[1] - k, draws[1] - found)
        for k in range(min(shared, draws[0]) + 1)
    )
    return ways / (comb(sizes[0], draws[0]) * comb(sizes[1], draws[1]))


@given(st.data())
def test_the_interval_of_two_draws_is_that_of_its_exact_tails(data: st.DataObject) -> None:
    sizes = data.draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
    draws = tuple(data.draw(st.integers(1, size)) for size in sizes)
    assert len(draws) == 2
    shared = data.draw(st.integers(0, min(sizes)))
    law = [probability(x, shared, sizes, draws) for x in range(min(draws) + 1)]
    possible = [x for x, p in enumerate(law) if p > 0]
    found = data.draw(st.sampled_from(possible))
    low, high = shared_interval(found, sizes, draws, 0.95)
    holds = sum(law[found:]) > 0.025 and sum(law[: found + 1]) > 0.025
    assert (low <= shared <= high) == holds


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_of_two_draws_holds_as_often_as_it_says(level: float) -> None:
    sizes, draws = (30, 22), (11, 9)
    intervals = [shared_interval(found, sizes, draws, level) for found in range(10)]
    for shared in range(23):
        held = sum(
            probability(found, shared, sizes, draws)
            for found, (low, high) in enumerate(intervals)
            if low <= shared <= high
        )
        assert held >= level


@pytest.mark.parametrize("name", ["sampling-corrected", "sampling-coordinated"])
@pytest.mark.parametrize("shared", [0, 30, 2500])
def test_the_working_ones_have_no_bias_and_intervals_that_hold(name: str, shared: int) -> None:
    a, b = pair_of_sets(1500, shared, 3500 - shared)
    truth = shared / 5000
    done = repeat(ESTIMATORS[name], a, b, values=700, times=150, truth=truth)
    # A ratio of estimates is off by a little of the square of its deviation.
    assert abs(done.mean - truth) <= 4.5 * done.error + done.deviation**2
    assert done.covering is not None
    assert done.covering >= 150 * 0.95 - 4.5 * (150 * 0.95 * 0.05) ** 0.5


def test_coordinated_sampling_is_far_sharper_than_independent_draws() -> None:
    a, b = pair_of_sets(2000, 2000, 2000)
    corrected, coordinated = (
        repeat(ESTIMATORS[name], a, b, values=400, times=60).deviation
        for name in ("sampling-corrected", "sampling-coordinated")
    )
    assert coordinated < corrected / 2


def test_where_nothing_was_kept_nothing_is_claimed() -> None:
    a, b = pair_of_sets(500, 1, 500)
    empty = [sampling_coordinated(a, b, values=1, seed=seed) for seed in range(60)]
    assert any("no element" in each.law for each in empty)
    assert all((each.low, each.high) == (0, 1) for each in empty if "no element" in each.law)
