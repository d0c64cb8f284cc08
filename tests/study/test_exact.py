"""The exact similarity equals the papers' marriages, counted the slow way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import UsageError
from likewise.study.estimators import ESTIMATORS, find_estimator
from likewise.study.estimators.exact import exact, exact_by_file, shared_elements
from likewise.study.shingled import Shingled

words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=30)


@given(words, words)
def test_a_bag_is_married_as_in_the_papers_double_loop(a: list[str], b: list[str]) -> None:
    married = 0
    free = list(b)
    for word in a:
        if word in free:
            free.remove(word)
            married += 1
    bags = [Shingled.of_text(" ".join(text), "word:1,count=bag") for text in (a, b)]
    assert shared_elements(*bags) == married
    made = exact(*bags, values=1, seed=0)
    assert exact_by_file(*bags, values=1, seed=0) == made
    assert made.value == made.low == made.high == married / (len(a) + len(b) - married)
    assert made.law == "exact"


@given(words, words)
def test_a_set_counts_each_shingle_once(a: list[str], b: list[str]) -> None:
    sets = [Shingled.of_text(" ".join(text), "word:1") for text in (a, b)]
    assert exact(*sets, values=1, seed=0).value == len({*a} & {*b}) / len({*a} | {*b})
    assert exact_by_file(*sets, values=1, seed=0) == exact(*sets, values=1, seed=0)


def test_the_worked_example() -> None:
    texts = "the cat sat on the mat", "the cat sat on the hat"
    a, b = (Shingled.of_text(text, "word:3") for text in texts)
    assert exact(a, b, values=1, seed=0).value == 3 / 5


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_refuses_what_it_cannot_work_on(name: str) -> None:
    function = ESTIMATORS[name].function
    some, none = Shingled.of_set([1, 2]), Shingled.of_set([])
    with pytest.raises(UsageError, match="the second text has no shingles"):
        function(some, none, values=8, seed=0)
    with pytest.raises(UsageError, match="values is 0"):
        function(some, some, values=0, seed=0)
    with pytest.raises(UsageError, match="seed is -1"):
        function(some, some, values=8, seed=-1)
    with pytest.raises(UsageError, match="level is 1"):
        function(some, some, values=8, seed=0, level=1)
    with pytest.raises(UsageError, match="a set of shingles and the other a bag"):
        function(some, Shingled.of_text("a b", "word:1,count=bag"), values=8, seed=0)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_same_seed_gives_the_same_estimate(name: str) -> None:
    estimator = find_estimator(name)
    a, b = Shingled.of_set(range(300)), Shingled.of_set(range(100, 400))
    made = [estimator.function(a, b, values=20, seed=seed) for seed in (5, 5, 6)]
    assert made[0] == made[1]
    assert (made[0] == made[2]) == (name in ("exact", "exact-by-file"))
    assert all(0 <= each.low <= each.value <= each.high <= 1 for each in made)


@pytest.mark.parametrize(
    "name", [name for name in ESTIMATORS if ESTIMATORS[name].sound and name != "sampling-corrected"]
)
def test_equal_texts_are_wholly_similar_and_others_not_at_all(name: str) -> None:
    """But for corrected sampling, which scales up what it found by chance."""
    function = ESTIMATORS[name].function
    a, b = Shingled.of_set(range(500)), Shingled.of_set(range(500, 900))
    assert function(a, a, values=64, seed=1).value == 1
    assert function(a, b, values=64, seed=1).value == 0


def test_an_estimator_that_is_not_there_is_reported() -> None:
    with pytest.raises(UsageError, match="no estimator 'simhash'"):
        find_estimator("simhash")
