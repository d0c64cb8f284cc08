"""Runs that chance gives, against words drawn at random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from likewise import _core
from likewise.statistics.equal_runs import chance_run, equal_words, run_probability

Numbers = NDArray[np.uint32]


def longest_run(a: Numbers, b: Numbers) -> int:
    run = 0
    while len(_core.common_runs(a, b, least=run + 1)):
        run += 1
    return run


@pytest.mark.parametrize(("words_a", "words_b"), [(50, 50), (40, 300)])
@pytest.mark.parametrize("different", [3, 20, 200])
def test_drawn_words_share_longer_runs_as_seldom_as_the_law_says(
    words_a: int, words_b: int, different: int
) -> None:
    rng = np.random.default_rng(different + words_b)
    rates = 1 / np.arange(1, different + 1)
    rates /= rates.sum()
    p = float((rates**2).sum())
    trials = 400

    def drawn(words: int) -> Numbers:
        return rng.choice(different, words, p=rates).astype(np.uint32)

    runs = np.array([longest_run(drawn(words_a), drawn(words_b)) for _ in range(trials)])
    for run in range(1, 40):
        bound = run_probability(words_a, words_b, p, run)
        # Three standard errors above what it promises.
        assert (runs >= run).mean() <= bound + 3 * np.sqrt(bound * (1 - bound) / trials)
    reached = chance_run(words_a, words_b, p)
    assert (runs > reached).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)
    # And no more is said than need be: one pair in a hundred comes within two words of it.
    assert np.quantile(runs, 0.99) >= reached - 2


@given(
    words_a=st.integers(0, 10**6),
    words_b=st.integers(0, 10**6),
    p=st.floats(0, 1),
    level=st.floats(1e-9, 1),
)
def test_a_longer_run_is_below_the_level_and_this_one_is_not(
    words_a: int, words_b: int, p: float, level: float
) -> None:
    run = chance_run(words_a, words_b, p, level)
    assert 0 <= run <= min(words_a, words_b)
    if run < min(words_a, words_b):
        assert run_probability(words_a, words_b, p, run + 1) <= level
    if run:
        assert run_probability(words_a, words_b, p, run) > level


@pytest.mark.parametrize(
    ("counts", "expected"), [([], 0), ([1], 0), ([1, 1], 0), ([2], 1), ([2, 1], 1 / 3)]
)
def test_two_words_are_equal_as_often_as_two_places_hold_the_same(
    counts: list[int], expected: float
) -> None:
    assert equal_words(np.array(counts, np.uint64)) == pytest.approx(expected)
