"""The law of shared runs: golden examples, the counts behind it, and its bounds."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from likewise.statistics.shared_runs import (
    PROSE,
    UNSPACED,
    common_runs,
    count_short_runs,
    is_unspaced,
    pair_run_chance,
    run_reached_by_chance,
)
from likewise.text.words import words_of
from tests import reference

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
Hashes = NDArray[np.uint64]
lengths = st.integers(0, 10**6)
short_texts = st.lists(st.integers(0, 3), max_size=25)


def hashes(words: list[int]) -> Hashes:
    return np.array(words, np.uint64)


@pytest.mark.parametrize(
    ("words_a", "words_b", "run", "p"),
    [
        (300, 300, 4, 0.0275087),
        (300, 300, 8, 1.69673e-5),
        (1000, 1000, 8, 1.94866e-4),
        (10_000, 10_000, 12, 7.70313e-5),
        (5, 300, 6, 0),
    ],
)
def test_prose_has_the_published_probabilities(
    words_a: int, words_b: int, run: int, p: float
) -> None:
    assert pair_run_chance(words_a, words_b, run, 0) == pytest.approx(p, rel=1e-5)


def test_many_short_runs_make_a_run_less_surprising() -> None:
    assert pair_run_chance(300, 300, 8, 40) == pytest.approx(1.23191e-4, rel=1e-5)
    expected = 300 * 300 * PROSE.rate(2)
    for short in (0, int(expected), None):
        assert pair_run_chance(300, 300, 8, short) == pytest.approx(1.69673e-5, rel=1e-5)


def test_few_short_runs_make_a_run_of_letters_more_surprising_within_limits() -> None:
    """Chinese has many more letters than the other scripts without spaces."""

    def p(short: int | None) -> float:
        return pair_run_chance(2000, 2000, 20, short, unspaced=True)

    assert p(None) / 20 == pytest.approx(p(0), rel=1e-3)
    assert p(0) < p(600) < p(None) < p(3000)


@pytest.mark.parametrize(
    ("words", "level", "shortest"),
    [(300, 1e-6, 11), (300, 1e-9, 15), (1000, 1e-6, 12), (1000, 1e-9, 17), (10_000, 1e-6, 16),
     (10_000, 1e-9, 21), (100_000, 1e-6, 19), (100_000, 1e-9, 24)],
)  # fmt: skip
def test_the_shortest_run_below_a_level(words: int, level: float, shortest: int) -> None:
    assert run_reached_by_chance(words, words, level) == shortest - 1


@given(a=lengths, b=lengths, level=st.floats(1e-9, 1), short=st.integers(0, 500), un=st.booleans())
def test_the_run_reached_by_chance_is_the_last_above_the_level(
    a: int, b: int, level: float, short: int, un: bool
) -> None:
    def p(run: int) -> float:
        return pair_run_chance(a, b, run, short, unspaced=un)

    run = run_reached_by_chance(a, b, level, short_runs=short, unspaced=un)
    assert 0 <= run <= min(a, b)
    assert p(run + 1) <= level
    if run:
        assert p(run) > level


@given(a=lengths, b=lengths, run=st.integers(0, 60), short=st.integers(0, 500), un=st.booleans())
def test_p_is_a_probability_that_falls_with_the_run_and_rises_with_the_rest(
    a: int, b: int, run: int, short: int, un: bool
) -> None:
    p = pair_run_chance(a, b, run, short, unspaced=un)
    assert 0 <= p <= 1
    assert pair_run_chance(a, b, run + 1, short, unspaced=un) <= p
    assert pair_run_chance(a, b, run, short + 1, unspaced=un) >= p
    assert pair_run_chance(a, b, run, short, unspaced=un, comparisons=10) >= p
    assert pair_run_chance(b, a, run, short, unspaced=un) == p


def test_letters_of_scripts_without_spaces_run_longer_than_words() -> None:
    for run in range(2, 30):
        assert UNSPACED.rate(run) > PROSE.rate(run)


@pytest.mark.parametrize(
    ("text", "unspaced"),
    [
        ("I have a dog, and it is as old as I am; a cat I have not.", False),
        ("今天天气很好，我们一起去公园散步吧。", True),
        ("図書館で新しい本を三冊借りました。", True),
        ("ภาษาไทยเขียนโดยไม่เว้นวรรคระหว่างคำ", True),
        ("ភាសាខ្មែរសរសេរដោយគ្មានដកឃ្លា", True),
        ("Сегодня хорошая погода, и мы пойдём гулять в парк после обеда.", False),
        ("3 1 4 1 5 9 2 6 5", False),
        ("", False),
    ],
)
def test_scripts_without_spaces_are_reported_by_their_letters(text: str, unspaced: bool) -> None:
    assert is_unspaced(words_of(text).letters) is unspaced


def test_runs_are_counted_in_all_places() -> None:
    a = hashes([ord(letter) for letter in "abcdxab"])
    b = hashes([ord(letter) for letter in "qabcdyab"])
    assert common_runs(a, b) == [4, 4, 1, 1]
    assert count_short_runs(a, b) == (4, 10 / 56)


@given(a=short_texts, b=short_texts)
def test_common_runs_equal_those_found_place_by_place(a: list[int], b: list[int]) -> None:
    slow = reference.common_runs(a, b)
    found = common_runs(hashes(a), hashes(b))
    assert found == [
        sum(length >= k for length in slow) for k in range(1, max(slow, default=0) + 1)
    ]
    short, equal = count_short_runs(hashes(a), hashes(b))
    assert short == sum(length >= 2 for length in slow)
    assert equal * max(1, len(a) * len(b)) == pytest.approx(sum(x == y for x in a for y in b))


def test_runs_of_a_text_of_few_different_words_are_by_chance() -> None:
    draw = np.random.default_rng(1)
    a, b = (draw.integers(0, 2, 1000).astype(np.uint64) for _ in range(2))
    short, equal = count_short_runs(a, b)
    longest = len(common_runs(a, b))
    assert longest >= 15
    assert pair_run_chance(1000, 1000, longest, short, equal_share=equal) > 0.05
    assert pair_run_chance(1000, 1000, 60, short, equal_share=equal) < 1e-6


def test_the_law_tells_the_planted_pairs_of_the_sample_essays_from_the_others() -> None:
    texts = {
        path.name: words_of(path.read_text(encoding="utf-8")).hashes
        for path in sorted((SAMPLES / "essays").iterdir())
    }
    planted: list[float] = []
    others: list[float] = []
    with (SAMPLES / "planted.csv").open(encoding="utf-8") as stream:
        related = {frozenset((row["copy"], row["source"])) for row in csv.DictReader(stream)}
    for a, b in combinations(texts, 2):
        runs = common_runs(texts[a], texts[b])
        p = pair_run_chance(len(texts[a]), len(texts[b]), len(runs), runs[1])
        (planted if {a, b} in related else others).append(p)
    assert (len(planted), len(others)) == (18, 577)
    assert max(planted) == pytest.approx(2.49649e-6, rel=1e-5)
    assert min(others) == pytest.approx(0.0191, rel=1e-2)
