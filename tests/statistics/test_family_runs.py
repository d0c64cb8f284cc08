"""Runs that several texts share: the bound, and the longest run that all have."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from likewise.errors import UsageError
from likewise.statistics.family_runs import ShortRuns, family_run_chance, longest_run_of_all
from likewise.statistics.shared_runs import count_short_runs, pair_run_chance
from likewise.text.words import words_of

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
Hashes = NDArray[np.uint64]
sizes = st.lists(st.integers(1, 10**5), min_size=2, max_size=6)
texts = st.lists(st.lists(st.integers(0, 2), max_size=12), min_size=1, max_size=4)


def hashes(words: list[int]) -> Hashes:
    return np.array(words, np.uint64)


@given(a=st.integers(0, 10**6), b=st.integers(0, 10**6), run=st.integers(0, 40), un=st.booleans())
def test_two_texts_have_the_probability_of_a_pair(a: int, b: int, run: int, un: bool) -> None:
    assert family_run_chance([a, b], run, unspaced=un) == pair_run_chance(
        a, b, run, None, unspaced=un
    )


@given(words=sizes, run=st.integers(1, 40), un=st.booleans())
def test_it_is_no_more_than_the_probability_of_any_pair(
    words: list[int], run: int, un: bool
) -> None:
    p = family_run_chance(words, run, unspaced=un)
    pairs = [pair_run_chance(a, b, run, None, unspaced=un) for a, b in combinations(words, 2)]
    assert 0 <= p <= min(pairs)
    assert family_run_chance(words[::-1], run, unspaced=un) == pytest.approx(p, rel=1e-9)
    assert family_run_chance([*words, 10**9], run, unspaced=un) <= p * (1 + 1e-9)


def test_a_third_text_makes_a_shared_run_less_likely_and_a_huge_one_does_not() -> None:
    pair = pair_run_chance(20_000, 20_000, 12, None)
    assert family_run_chance([20_000] * 3, 12) == pytest.approx((4 / 3 * pair) ** 1.5, rel=1e-3)
    assert family_run_chance([20_000] * 5, 12) == pytest.approx((4 / 3 * pair) ** 2.5, rel=1e-3)
    assert family_run_chance([20_000, 20_000, 10**9], 12) == pair


def test_a_family_of_many_texts_is_at_least_as_rare_as_one_of_the_shortest() -> None:
    many = [*range(900, 1_100), 10**9]
    assert 0 < family_run_chance(many, 6) <= family_run_chance(many[:5], 6)


def test_pairs_with_more_short_runs_are_less_surprising() -> None:
    formulaic: dict[tuple[int, int], ShortRuns] = {(0, 1): (400, 0.02), (1, 2): (300, 0.01)}
    ordinary = family_run_chance([1000] * 3, 10)
    assert ordinary < family_run_chance([1000] * 3, 10, formulaic)
    pair = pair_run_chance(1000, 1000, 10, 400, equal_share=0.02)
    assert family_run_chance([1000] * 2, 10, formulaic) == pair


def test_one_text_has_nothing_to_share_with() -> None:
    with pytest.raises(UsageError, match="at least two"):
        family_run_chance([100], 3)


@given(words=texts)
def test_the_longest_run_of_all(words: list[list[int]]) -> None:
    def grams(own: list[int], size: int) -> set[tuple[int, ...]]:
        return {tuple(own[i : i + size]) for i in range(len(own) - size + 1)}

    longest = 0
    while set.intersection(*(grams(own, longest + 1) for own in words)):
        longest += 1
    assert longest_run_of_all([hashes(own) for own in words]) == longest


def _p_values(sets: list[tuple[Hashes, ...]]) -> NDArray[np.float64]:
    """p of the longest run that all texts of each set share."""
    found = []
    for words in sets:
        short = {
            (i, j): count_short_runs(words[i], words[j])
            for i, j in combinations(range(len(words)), 2)
        }
        run = longest_run_of_all(words)
        found.append(family_run_chance([len(own) for own in words], run, short))
    return np.array(found)


@pytest.mark.parametrize("count", [3, 4])
def test_shuffled_texts_have_small_probabilities_no_more_often_than_they_say(count: int) -> None:
    """Nothing is shared but the words, half of which are the same few."""
    rng = np.random.default_rng(count)
    pool = words_of((SAMPLES / "essays/tides-01.txt").read_text()).hashes
    sets = [tuple(rng.choice(pool, 150) for _ in range(count)) for _ in range(400)]
    p = _p_values(sets)
    for level in (0.5, 0.1, 0.05, 0.01):
        assert (p <= level).mean() <= level


def test_unrelated_essays_have_small_probabilities_no_more_often_than_they_say() -> None:
    """Three of a class on five questions, none of them copied from another."""
    paths = sorted((SAMPLES / "essays").glob("*.txt"))
    words = {path.name: words_of(path.read_text()).hashes for path in paths}
    with (SAMPLES / "planted.csv").open() as file:
        planted = {frozenset((row["copy"], row["source"])) for row in csv.DictReader(file)}
    sets = [
        tuple(words[name] for name in chosen)
        for chosen in list(combinations(words, 3))[::13]
        if not any(frozenset(pair) in planted for pair in combinations(chosen, 2))
    ]
    p = _p_values(sets)
    assert len(p) >= 400
    for level in (0.5, 0.1, 0.05, 0.01):
        assert (p <= level).mean() <= level
