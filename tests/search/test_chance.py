"""The chance level of pairs: what unrelated documents share, and what it does to p and q."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise.errors import UsageError
from likewise.search.chance import RUN, sample_pairs
from likewise.search.find import new_collection
from likewise.search.settings import Settings
from likewise.statistics.chance import benjamini_hochberg, simulated_chance
from likewise.text.inputs import texts_of
from tests import reference


def essays(count: int, words: int = 60, vocabulary: int = 40, seed: int = 1) -> list[str]:
    """Unrelated texts of few words, so that they share some shingles by chance."""
    random = np.random.default_rng(seed)
    return [" ".join(f"w{i}" for i in random.integers(0, vocabulary, words)) for _ in range(count)]


def shingles(text: str, k: int) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[i : i + k]) for i in range(len(words) - k + 1)}


def jaccard(a: str, b: str, k: int) -> float:
    one, two = shingles(a, k), shingles(b, k)
    return len(one & two) / len(one | two)


def test_the_corpus_null_is_the_unrelated_pairs() -> None:
    texts = essays(20)
    copy = texts[0].split()
    texts.append(" ".join(copy[: RUN + 8] + copy[:10]))  # shares a run of 20 words
    found = likewise.find_pairs(
        texts, profile="word:2", threshold=0.01, exact=True, chance="corpus"
    )
    unrelated = [
        jaccard(a, b, 2)
        for a, b in combinations(texts, 2)
        if not shingles(a, RUN) & shingles(b, RUN)
    ]
    assert found.stats.counts["null_pairs"] == found.stats.counts["comparable"] == 210
    assert found.stats.counts["related_null_pairs"] == 210 - len(unrelated) == 1
    for pair in found:
        at_least = sum(value >= pair.jaccard for value in unrelated)
        assert pair.chance == pytest.approx(np.mean(unrelated))
        assert pair.p_value == pytest.approx((1 + at_least) / (1 + len(unrelated)))
    assert (found[0].a, found[0].b) == ("0", "20")
    assert found[0].p_value == 1 / (1 + len(unrelated))


def test_q_values_count_all_comparable_pairs() -> None:
    from scipy.stats import false_discovery_control

    texts = essays(12)
    low, high = (
        likewise.find_pairs(texts, profile="word:2", threshold=t, exact=True, chance="corpus")
        for t in (0.001, 0.03)
    )
    # p-values of the pairs that share nothing are 1.
    p_values = [pair.p_value for pair in low] + [1.0] * (66 - len(low))
    expected = false_discovery_control(p_values)
    for i, pair in enumerate(low):
        assert pair.q_value == pytest.approx(expected[i])
    # The threshold changes what is found, and not what it means.
    for short, long in zip(high, low, strict=False):
        assert (short.p_value, short.q_value) == (long.p_value, long.q_value)
    # With a sample of the pairs the q-values are over all of them too, and no smaller.
    sampled = likewise.find_pairs(
        texts, profile="word:2", threshold=0.03, exact=True, chance="corpus", null_pairs=60
    )
    p_values = [pair.p_value for pair in sampled]
    expected = benjamini_hochberg(p_values, 66)  # type: ignore[arg-type]
    assert [pair.q_value for pair in sampled] == pytest.approx(expected.tolist())


def test_a_q_value_that_cannot_be_small_is_told() -> None:
    texts = essays(30, vocabulary=2000)
    found = likewise.find_pairs([*texts, texts[0]], chance="corpus", null_pairs=50)
    assert len(found) == 1
    assert any(
        "no q-value could be smaller, however similar they are; --null-pairs 465" in note
        for note in found.notes
    )


def test_the_null_keeps_its_promise_for_unrelated_documents() -> None:
    from scipy.stats import binomtest

    small = {0.02: 0, 0.1: 0, 0.3: 0}
    rounds = 300
    for seed in range(rounds):
        found = likewise.find_pairs(
            essays(9, words=40, vocabulary=12, seed=seed), profile="word:2", threshold=1e-9,
            exact=True, chance="corpus", ids=[f"{i}" for i in range(9)],
        )  # fmt: skip
        # One pair that was not chosen by its similarity.
        p_value = next((p.p_value for p in found if (p.a, p.b) == ("0", "1")), 1.0)
        assert p_value is not None
        for alpha in small:
            small[alpha] += p_value <= alpha
    for alpha, count in small.items():
        assert binomtest(count, rounds, alpha, alternative="greater").pvalue > 1e-3, alpha


def test_between_two_collections() -> None:
    one, two = essays(6, seed=1), essays(7, seed=2)
    found = likewise.find_pairs(
        one, against=two, profile="word:2", threshold=0.01, exact=True, chance="corpus"
    )
    null = [jaccard(a, b, 2) for a, b in product(one, two)]
    assert found.stats.counts["comparable"] == 42
    assert found[0].chance == pytest.approx(np.mean(null))


def test_a_sample_of_pairs_is_of_different_documents_and_repeats_itself() -> None:
    texts = essays(60)
    options = {"profile": "word:2", "threshold": 0.05, "exact": True, "chance": "corpus"}
    runs = [
        likewise.find_pairs(texts, null_pairs=500, threads=threads, **options).to_arrow()
        for threads in (1, 2)
    ]
    assert runs[0] == runs[1]
    other = likewise.find_pairs(texts, null_pairs=500, seed=9, **options)
    assert other.to_arrow() != runs[0]
    assert other.stats.counts["null_pairs"] == 500
    whole = likewise.find_pairs(texts, **options)
    assert other[0].chance == pytest.approx(whole[0].chance, rel=0.1)


@given(st.integers(0, 12), st.integers(0, 9), st.integers(1, 80), st.booleans())
def test_a_sample_holds_no_pair_twice(one: int, two: int, most: int, two_sided: bool) -> None:
    settings = Settings.checked(profile="word:1", exact=True)
    collection = new_collection(settings)
    collection.add_texts([f"{i}" for i in range(one)], texts_of(["x"] * one))
    if two_sided:
        collection.begin_second()
    # Every third text is empty, and so in no pair.
    texts = ["x" if i % 3 else "" for i in range(two)]
    collection.add_texts([f"b{i}" for i in range(two)], texts_of(texts))
    a, b = sample_pairs(collection, most, 1)
    found = list(zip(a.tolist(), b.tolist(), strict=True))
    documents = [i for i in range(one + two) if i < one or texts[i - one]]
    possible = {(i, j) for i, j in combinations(documents, 2) if not two_sided or (i < one <= j)}
    assert found == sorted(set(found))
    assert set(found) <= possible
    assert len(found) == min(most, len(possible))


def test_one_heading_for_all_leaves_no_unrelated_pairs() -> None:
    heading = " ".join(f"h{i}" for i in range(RUN + 3))
    texts = [f"{heading} {text}" for text in essays(8)]
    found = likewise.find_pairs(texts, threshold=0.01, exact=True, chance="corpus")
    assert any("one heading" in note for note in found.notes)
    assert found[0].chance == pytest.approx(
        np.mean([jaccard(a, b, 3) for a, b in combinations(texts, 2)])
    )


@pytest.mark.parametrize("null", ["words", "letters"])
@pytest.mark.parametrize("measure", ["jaccard", "containment"])
def test_shuffled_nulls_equal_those_of_two_texts(null: str, measure: str) -> None:
    from likewise.statistics.shuffles import shuffled_chance

    texts = essays(6, vocabulary=10)
    found = likewise.find_pairs(
        texts, profile="word:2", threshold=0.01, measure=measure, exact=True, chance=null,
        trials=49, seed=5,
    )  # fmt: skip
    assert len(found) > 3
    for pair in found:
        alone = shuffled_chance(
            texts[int(pair.a)], texts[int(pair.b)], profile="word:2", null=null, measure=measure,
            trials=49, seed=5,
        )  # fmt: skip
        assert (pair.chance, pair.p_value) == (alone.expected, alone.p_value)
    assert any("50" in note or "49" in note for note in found.notes)


def test_without_a_null_there_are_no_columns() -> None:
    found = likewise.find_pairs(essays(5), profile="word:2", threshold=0.01, exact=True)
    assert "p_value" not in found.columns
    assert found[0].p_value is None
    assert "p_value" not in found.to_arrow().column_names


def test_nothing_found_and_nothing_to_compare() -> None:
    assert len(likewise.find_pairs([], chance="corpus")) == 0
    assert len(likewise.find_pairs(["one two three"], chance="words")) == 0
    two = likewise.find_pairs(["one two three four"] * 2, chance="corpus")
    assert (two[0].p_value, two[0].q_value) == (1, 1)  # the only pair there is, and it is related


@pytest.mark.parametrize(
    "options", [{"chance": "urn"}, {"null_pairs": 0}, {"trials": 0}, {"seed": -1}]
)
def test_bad_arguments_are_told(options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=next(iter(options))):
        likewise.find_pairs(["a"], **options)  # type: ignore[arg-type]


@given(st.lists(st.floats(0.001, 1), max_size=40), st.integers(0, 50))
def test_benjamini_hochberg_is_what_scipy_says(p_values: list[float], more: int) -> None:
    from scipy.stats import false_discovery_control

    found = benjamini_hochberg(p_values, len(p_values) + more)
    if p_values:
        # Tests beyond those given, all with p = 1.
        expected = false_discovery_control([*p_values, *[1.0] * more])[: len(p_values)]
        np.testing.assert_allclose(found, expected)


def test_a_simulated_chance_counts_the_observed_as_one_of_its_draws() -> None:
    drawn = np.array([0.1, 0.2, 0.3, 0.2])
    chance = simulated_chance("words", 0.2, drawn)
    assert chance.p_value == (1 + 3) / 5
    assert chance.smallest_p == 1 / 5
    assert chance.expected == pytest.approx(0.2)
    assert chance.highest == 0.3


def test_the_reference_agrees_about_shingles() -> None:
    """The helpers above cut as the profile does."""
    text = essays(1)[0]
    profile = likewise.Profile.of("word:2")
    assert {" ".join(s) for s in shingles(text, 2)} == set(reference.shingles(text, profile))
