"""Shuffled texts: nothing is lost, nothing is added, and the p-value keeps its promise."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics.p_values import randomised_p_value
from likewise import _core
from likewise._core import Texts
from likewise.errors import UsageError
from likewise.statistics.shuffles import shuffled_chance, similarities, trials_for
from likewise.text.profile import Profile
from tests.strategies import profiles, texts

TEXT = "the cat sat on the mat and the dog sat by the door while it rained"
WORDS = TEXT.split()


def overlap(a: str, b: str, profile: Profile) -> tuple[int, int, int]:
    """Sizes and what is shared, by the shingles that every search uses."""
    one, two = (
        Counter(
            _core.shingle_hashes(Texts.from_strings([t]), replace(profile, count="set").rules())[
                0
            ].tolist()
        )
        for t in (a, b)
    )
    if profile.count == "set":
        one, two = Counter(set(one)), Counter(set(two))
    return one.total(), two.total(), (one & two).total()


@given(a=texts, b=texts, profile=profiles, null=st.sampled_from(["words", "letters"]))
def test_unshuffled_texts_share_what_they_share(
    a: str, b: str, profile: Profile, null: str
) -> None:
    found = _core.shuffled_overlaps(
        Texts.from_strings([a, b]), profile.rules(), what=null, seed=None, trials=1, threads=1
    )
    assert tuple(int(column[0]) for column in found) == overlap(a, b, profile)


@given(a=texts, b=texts, seed=st.integers(0, 2**64 - 1), count=st.sampled_from(["set", "bag"]))
def test_single_words_and_letters_do_not_mind_their_order(
    a: str, b: str, seed: int, count: str
) -> None:
    for null, unit in (("words", "word"), ("letters", "char")):
        profile = Profile(unit=unit, k=1, count=count)
        found = _core.shuffled_overlaps(
            Texts.from_strings([a, b]), profile.rules(), what=null, seed=seed, trials=3, threads=1
        )
        for trial in range(3):
            assert tuple(int(column[trial]) for column in found) == overlap(a, b, profile)


@given(a=texts, b=texts, profile=profiles, null=st.sampled_from(["words", "letters"]))
def test_a_bag_keeps_its_size(a: str, b: str, profile: Profile, null: str) -> None:
    bag = replace(profile, count="bag")
    size_a, size_b, shared = _core.shuffled_overlaps(
        Texts.from_strings([a, b]), bag.rules(), what=null, seed=7, trials=2, threads=1
    )
    assert set(size_a.tolist()) == {overlap(a, b, bag)[0]}
    assert set(size_b.tolist()) == {overlap(a, b, bag)[1]}
    assert (shared <= np.minimum(size_a, size_b)).all()


@pytest.mark.parametrize("null", ["words", "letters"])
@pytest.mark.parametrize("profile", ["word:2", "char:4", "gospels", "char:3,spaces=keep"])
def test_the_same_seed_gives_the_same_shuffles_whatever_the_threads(
    null: str, profile: str
) -> None:
    given_texts = Texts.from_strings([" ".join(WORDS), " ".join(reversed(WORDS))])
    runs = [
        _core.shuffled_overlaps(
            given_texts, Profile.of(profile).rules(), what=null, seed=3, trials=40, threads=threads
        )
        for threads in (1, 2, 4)
    ]
    for run in runs[1:]:
        for column, first in zip(run, runs[0], strict=True):
            np.testing.assert_array_equal(column, first)
    if (null, profile) != ("letters", "word:2"):  # which leaves no word in common
        assert len(set(runs[0][2].tolist())) > 1


def test_a_word_is_anywhere_as_often_as_anywhere_else() -> None:
    # "a b c" against itself in a fixed order: each of the six orders is as likely as another, so
    # both bigrams of "a b c" come in 1 of 6 pairs of orders, and none in 2 of 6.
    size_a, size_b, shared = _core.shuffled_overlaps(
        Texts.from_strings(["a b c", "a b c"]), Profile.of("word:2").rules(),
        what="words", seed=11, trials=60_000, threads=2,
    )  # fmt: skip
    share = np.bincount(shared.astype(int), minlength=3) / len(shared)
    np.testing.assert_allclose(share, [1 / 2, 1 / 3, 1 / 6], atol=0.01)
    assert similarities(size_a, size_b, shared, "jaccard").max() == 1


def test_chinese_letters_are_words_of_their_own() -> None:
    chance = shuffled_chance("我们在北京的大学学习中文和历史", "我们在上海的大学学习中文和数学",
                             profile="char:2", trials=99)  # fmt: skip
    assert chance.expected < chance.observed
    assert chance.p_value == chance.smallest_p == 0.01


def test_a_copied_text_is_far_above_chance_and_one_of_random_order_is_not() -> None:
    text = " ".join(f"w{i % 40}" for i in np.random.default_rng(1).integers(0, 1000, 400))
    assert shuffled_chance(text, text, trials=199).p_value == 1 / 200
    other = text.split()
    np.random.default_rng(2).shuffle(other)
    assert shuffled_chance(text, " ".join(other), trials=199).p_value > 0.01


def test_the_p_value_keeps_its_promise_under_its_own_null() -> None:
    from scipy.stats import binomtest, kstest

    random = np.random.default_rng(5)
    bag = [f"w{i}" for i in random.integers(0, 12, 60)]
    p_values, randomised = [], []
    for round_ in range(400):
        a, b = (" ".join(random.permutation(bag)) for _ in range(2))
        rules = Profile.of("word:2").rules()
        pair = Texts.from_strings([a, b])
        observed = _core.shuffled_overlaps(
            pair, rules, what="words", seed=None, trials=1, threads=1
        )
        drawn = _core.shuffled_overlaps(
            pair, rules, what="words", seed=round_, trials=99, threads=1
        )
        seen = float(similarities(*observed, "jaccard")[0])
        null = similarities(*drawn, "jaccard")
        p_values.append((1 + int((null >= seen).sum())) / 100)
        randomised.append(randomised_p_value(seen, null, random.random()))
    for alpha in (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9):
        below = int((np.array(p_values) <= alpha).sum())
        assert binomtest(below, len(p_values), alpha, alternative="greater").pvalue > 1e-3
    assert kstest(randomised, "uniform").pvalue > 1e-3


def test_containment_is_measured_too() -> None:
    part = shuffled_chance(
        " ".join(WORDS[:8]), " ".join(WORDS), profile="word:2", measure="containment", trials=50
    )
    assert part.observed == 1


def test_trials_fit_the_length() -> None:
    assert trials_for(2_000) == 999
    assert 19 < trials_for(200_000) < 999
    assert trials_for(10_000_000) == 19
    assert trials_for(100_000_000) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [({"trials": 0}, "trials"), ({"null": "urn"}, "null"), ({"seed": -1}, "seed")],
)
def test_bad_arguments_are_reported(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        shuffled_chance("a b c", "a b c", **options)  # type: ignore[arg-type]


def test_texts_without_shingles_are_not_similar_by_chance_or_otherwise() -> None:
    chance = shuffled_chance("", "...", trials=5)
    assert (chance.observed, chance.expected, chance.p_value) == (0, 0, 1)
