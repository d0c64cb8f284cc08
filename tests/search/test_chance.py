"""The chance level of pairs: what unrelated documents share, and what it does to p and q."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise._core import Texts
from likewise.errors import UsageError
from likewise.search.chance import (
    FALSELY_RELATED,
    MIN_UNRELATED,
    related_note,
    why_no_null,
)
from likewise.search.comparable_pairs import sample_pairs
from likewise.search.find import new_collection
from likewise.search.settings import Settings
from likewise.statistics.chance import benjamini_hochberg, simulated_chance
from likewise.statistics.shared_runs import run_reached_by_chance
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
    texts.append(" ".join(copy[:20] + copy[:10]))  # shares a run of 20 words
    found = likewise.find_pairs(
        texts, profile="word:2", threshold=0.01, exact=True, chance="corpus"
    )
    # Texts of 60 words share no run of 7 by chance, 210 pairs taken together.
    unrelated = [
        jaccard(a, b, 2) for a, b in combinations(texts, 2) if not shingles(a, 7) & shingles(b, 7)
    ]
    assert found.stats.counts["null_pairs"] == found.stats.counts["comparable"] == 210
    assert found.stats.counts["related_null_pairs"] == 210 - len(unrelated) == 1
    for pair in found:
        at_least = sum(value >= pair.jaccard for value in unrelated)
        assert pair.chance == pytest.approx(np.mean(unrelated))
        assert pair.p_value == pytest.approx((1 + at_least) / (1 + len(unrelated)))
    assert (found[0].a, found[0].b) == (0, 20)
    assert found[0].p_value == 1 / (1 + len(unrelated))


@pytest.mark.parametrize("words", [6, 10, 100, 3000])
def test_a_copied_run_makes_a_pair_related_by_the_lengths_of_its_texts(words: int) -> None:
    """A long text may share by chance what a short one does not."""
    texts = essays(16, words=words, vocabulary=10**6)
    run = run_reached_by_chance(words, words, FALSELY_RELATED / 120)
    for copied, related in ((run, 0), (run + 1, 1)):
        two = texts[1].split()
        two[:copied] = texts[0].split()[:copied]
        mixed = [texts[0], " ".join(two), *texts[2:]]
        found = likewise.find_pairs(mixed, profile="word:1", threshold=1e-9, chance="corpus")
        assert found.stats.counts["related_null_pairs"] == related


def test_chinese_texts_need_longer_runs_to_be_related() -> None:
    random = np.random.default_rng(1)
    letters = np.array([chr(0x4E00 + i) for i in range(20_000)])
    texts = ["".join(random.choice(letters, 300)) for _ in range(16)]
    run = run_reached_by_chance(300, 300, FALSELY_RELATED / 120, unspaced=True)
    assert run > run_reached_by_chance(300, 300, FALSELY_RELATED / 120)
    for copied, related in ((run, 0), (run + 1, 1)):
        mixed = [texts[0], texts[0][:copied] + texts[1][copied:], *texts[2:]]
        found = likewise.find_pairs(mixed, profile="word:1", threshold=1e-9, chance="corpus")
        assert found.stats.counts["related_null_pairs"] == related


def counted_q(pairs: list[tuple[float, bool]], similarity: float) -> float:
    """The least share of unrelated pairs in any list that goes down to a pair or further."""
    shares = []
    for bound in {value for value, _ in pairs if value <= similarity}:
        above = [unrelated for value, unrelated in pairs if value >= bound]
        shares.append((sum(above) + FALSELY_RELATED) / len(above))
    return min(1.0, *shares)


def test_q_values_are_the_share_of_unrelated_pairs_down_to_each() -> None:
    texts = essays(16)
    texts += [texts[0], " ".join(texts[1].split()[:40] + texts[2].split()[40:])]
    low, high = (
        likewise.find_pairs(texts, profile="word:2", threshold=t, exact=True, chance="corpus")
        for t in (0.001, 0.03)
    )
    pairs = [
        (jaccard(a, b, 2), not shingles(a, 7) & shingles(b, 7)) for a, b in combinations(texts, 2)
    ]
    for pair in low:
        assert pair.p_value is not None
        expected = max(pair.p_value, counted_q(pairs, pair.jaccard))
        assert pair.q_value == pytest.approx(expected)
    # The threshold changes what is found, and not what it means.
    for short, long in zip(high, low, strict=False):
        assert (short.p_value, short.q_value) == (long.p_value, long.q_value)


def test_q_values_of_a_sample_are_over_all_comparable_pairs() -> None:
    sampled = likewise.find_pairs(
        essays(18), profile="word:2", threshold=0.03, exact=True, chance="corpus", null_pairs=140
    )
    p_values = [pair.p_value for pair in sampled]
    expected = benjamini_hochberg(p_values, 153)  # type: ignore[arg-type]
    assert [pair.q_value for pair in sampled] == pytest.approx(expected.tolist())


def test_identical_essays_of_a_class_have_a_small_q() -> None:
    texts = essays(34, words=300, vocabulary=3000)
    found = likewise.find_pairs([*texts, texts[0]], chance="corpus")
    assert len(found) == 1
    assert found[0].p_value == pytest.approx(1 / 595)
    assert found[0].q_value == pytest.approx(FALSELY_RELATED)


def test_a_q_value_that_cannot_be_small_is_reported() -> None:
    texts = essays(30, vocabulary=2000)
    found = likewise.find_pairs([*texts, texts[0]], chance="corpus", null_pairs=150)
    assert len(found) == 1
    assert any(
        "no q-value can be smaller for 1 pair among this many, however similar it is; "
        "use `null_pairs=465`" in note
        for note in found.notes
    )


@pytest.mark.parametrize("documents", [2, 5, 14])
def test_a_small_collection_has_no_p_values_and_says_why(documents: int) -> None:
    texts = essays(documents - 1, words=200, vocabulary=2000)
    found = likewise.find_pairs([*texts, texts[0]], chance="corpus")
    assert (found[0].jaccard, found[0].chance) == (1, None)
    assert (found[0].p_value, found[0].q_value) == (None, None)
    assert found.to_arrow()["p_value"].null_count == len(found) == 1
    pairs = documents * (documents - 1) // 2
    (reason,) = [note for note in found.notes if note.startswith("no p-values")]
    there = "is only 1 pair" if pairs == 1 else f"are only {pairs} pairs"
    assert reason == f"no p-values: there {there}; at least 100 unrelated pairs are needed"


@pytest.mark.parametrize(
    ("unrelated", "pairs", "reason"),
    [
        (0, 0, "there are no pairs"),
        (0, 1, "there is only 1 pair; at least 100 unrelated pairs are needed"),
        (1, 1, "there is only 1 pair; at least 100 unrelated pairs are needed"),
        (9, 10, "there are only 10 pairs; at least 100 unrelated pairs are needed"),
        (0, 595, "none of 595 pairs is unrelated; at least 100 are needed"),
        (1, 595, "only 1 of 595 pairs is unrelated; at least 100 are needed"),
        (60, 595, "only 60 of 595 pairs are unrelated; at least 100 are needed"),
    ],
)
def test_the_reason_is_a_sentence_for_any_number(unrelated: int, pairs: int, reason: str) -> None:
    assert why_no_null(unrelated, pairs) == f"no p-values: {reason}"


@pytest.mark.parametrize(
    ("related", "pairs", "note"),
    [
        (1, 1, "the only pair shares a run of words that is too long to be chance; it is not"),
        (3, 3, "all 3 pairs share a run of words that is too long to be chance; they are not"),
        (1, 10, "1 of 10 pairs shares a run of words that is too long to be chance; it is not"),
        (2, 10, "2 of 10 pairs share a run of words that is too long to be chance; they are not"),
    ],
)
def test_related_pairs_are_named_for_any_number(related: int, pairs: int, note: str) -> None:
    assert related_note(related, pairs, by_passages=False).startswith(note)
    assert " a passage or a run of words" in related_note(related, pairs, by_passages=True)


def test_one_document_has_no_pairs() -> None:
    found = likewise.find_pairs(["one two three four"], chance="corpus")
    assert "no p-values: there are no pairs" in found.notes


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_null_needs_enough_unrelated_pairs_and_half_of_all(unrelated: int, related: int) -> None:
    reason = why_no_null(unrelated, unrelated + related)
    assert (reason is None) == (unrelated >= MIN_UNRELATED and unrelated >= related)


def test_the_null_keeps_its_promise_for_unrelated_documents() -> None:
    from scipy.stats import binomtest

    small = {0.02: 0, 0.1: 0, 0.3: 0}
    rounds = 300
    for seed in range(rounds):
        found = likewise.find_pairs(
            essays(15, words=40, vocabulary=40, seed=seed), profile="word:2", threshold=1e-9,
            exact=True, chance="corpus", ids=[f"{i}" for i in range(15)],
        )  # fmt: skip
        # One pair that was not chosen by its similarity.
        p_value = next((p.p_value for p in found if (p.a, p.b) == (0, 1)), 1.0)
        assert p_value is not None
        for alpha in small:
            small[alpha] += p_value <= alpha
    for alpha, count in small.items():
        assert binomtest(count, rounds, alpha, alternative="greater").pvalue > 1e-3, alpha


def test_between_two_collections() -> None:
    one, two = essays(10, seed=1), essays(11, seed=2)
    found = likewise.find_pairs(
        one, against=two, profile="word:2", threshold=0.01, exact=True, chance="corpus"
    )
    null = [jaccard(a, b, 2) for a, b in product(one, two)]
    assert found.stats.counts["comparable"] == 110
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
    settings = Settings(profile=likewise.Profile.of("word:1"), exact=True)
    collection = new_collection(settings)
    collection.add_texts([f"{i}" for i in range(one)], Texts.from_strings(["x"] * one))
    if two_sided:
        collection.begin_second()
    # Every third text is empty, and so in no pair.
    texts = ["x" if i % 3 else "" for i in range(two)]
    collection.add_texts([f"b{i}" for i in range(two)], Texts.from_strings(texts))
    a, b = sample_pairs(collection, most, 1)
    found = list(zip(a.tolist(), b.tolist(), strict=True))
    documents = [i for i in range(one + two) if i < one or texts[i - one]]
    possible = {(i, j) for i, j in combinations(documents, 2) if not two_sided or (i < one <= j)}
    assert found == sorted(set(found))
    assert set(found) <= possible
    assert len(found) == min(most, len(possible))


def test_one_heading_for_most_leaves_too_few_unrelated_pairs() -> None:
    heading = " ".join(f"h{i}" for i in range(15))
    texts = essays(30, words=100, vocabulary=1000)
    headed = [f"{heading} {text}" if i < 25 else text for i, text in enumerate(texts)]
    found = likewise.find_pairs(headed, threshold=0.01, exact=True, chance="corpus")
    assert found[0].p_value is None
    assert any("only 135 of 435 pairs are unrelated" in note for note in found.notes)


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
            texts[pair.a], texts[pair.b], profile="word:2", null=null, measure=measure,
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
    assert (two[0].p_value, two[0].q_value) == (None, None)  # the only pair, and it is related


@pytest.mark.parametrize(
    "options", [{"chance": "urn"}, {"null_pairs": 0}, {"trials": 0}, {"seed": -1}]
)
def test_bad_arguments_are_reported(options: dict[str, object]) -> None:
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
