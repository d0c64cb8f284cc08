"""compare: the worked examples of the sources, and every measure against its definition."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import UsageError
from likewise.comparison import comparison as comparison_module
from likewise.comparison import measures
from tests.strategies import documents, texts


def test_the_cat_and_the_hat_share_three_of_five_shingles() -> None:
    comparison = likewise.compare("the cat sat on the mat", "the cat sat on the hat")
    assert comparison.shingles.jaccard == 3 / 5
    assert comparison.shingles.dice == pytest.approx(2 * 0.6 / 1.6)


def test_a_helpful_and_a_powerful_assistant_have_a_cosine_of_four_fifths() -> None:
    comparison = likewise.compare(
        "ChatGPT is a helpful assistant", "ChatGPT is a powerful assistant"
    )
    assert comparison.count_cosine == pytest.approx(4 / 5)


def test_the_smoothed_idf_is_log_2_for_shared_words_and_log_3_for_others() -> None:
    assert measures.smoothed_idf(2, 2) == pytest.approx(0.6931, abs=5e-5)
    assert measures.smoothed_idf(2, 1) == pytest.approx(1.0986, abs=5e-5)
    a = [1.386, 1.098, 0.693, 0.693, 1.098, 0, 0]
    b = [1.386, 0, 0.693, 0.693, 0, 1.098, 1.098]
    slides = sum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))
    comparison = likewise.compare("the cat sat on the mat", "the dog sat on the log")
    assert comparison.tf_idf_cosine == pytest.approx(slides, abs=1e-3)


def test_dog_bites_man_has_two_word_edits_and_a_cosine_of_one() -> None:
    comparison = likewise.compare("dog bites man", "man bites dog")
    assert comparison.word_edits.distance == 2
    assert comparison.count_cosine == 1
    assert comparison.shingles.jaccard == 0


def test_equal_texts_are_told_apart_from_equal_words() -> None:
    assert likewise.compare("Same text.", "Same text.").identical
    loose = likewise.compare("Same text.", "same TEXT")
    assert not loose.identical
    assert loose.same_prepared


@given(documents, documents)
def test_bags_count_each_repeat(a: str, b: str) -> None:
    bag = likewise.compare(a, b, profile="word:1").shingle_bag
    counts = Counter(a.split()), Counter(b.split())
    assert bag.shared == (counts[0] & counts[1]).total()
    assert (bag.size_a, bag.size_b) == (counts[0].total(), counts[1].total())


@given(texts, texts)
def test_every_measure_is_symmetric_and_within_its_range(a: str, b: str) -> None:
    one, two = likewise.compare(a, b), likewise.compare(b, a)
    assert one.shingles.jaccard == two.shingles.jaccard
    assert one.shingles.containment_a == two.shingles.containment_b
    assert one.count_cosine == pytest.approx(two.count_cosine)
    for number in (one.count_cosine, one.tf_idf_cosine, one.shingles.jaccard, one.words.dice):
        assert 0 <= number <= 1
    assert one.estimate.low <= one.estimate.value <= one.estimate.high


def test_an_edit_distance_too_costly_is_not_computed_and_says_why() -> None:
    text = "ab " * 150_000
    comparison = likewise.compare(text, text + "c", profile="char:5")
    assert comparison.character_edits.distance is None
    assert "more than 40,000,000,000" in comparison.to_dict()["character_edits"]["reason"]
    assert comparison.shingles.jaccard > 0


def test_what_is_not_text_is_reported() -> None:
    with pytest.raises(UsageError, match="b is not a str but bytes"):
        likewise.compare("a", b"b")  # type: ignore[arg-type]


small_sets = st.sets(st.integers(0, 12), min_size=1)


@given(a=small_sets, b=small_sets, c=small_sets)
def test_one_less_the_similarity_is_a_distance(a: set[int], b: set[int], c: set[int]) -> None:
    def similarity(x: set[int], y: set[int]) -> float:
        return measures.jaccard(len(x), len(y), len(x & y))

    assert similarity(a, b) == similarity(b, a)
    assert (similarity(a, b) == 1) == (a == b)
    assert similarity(a, b) + similarity(b, c) <= 1 + similarity(a, c) + 1e-12


@given(a=small_sets, b=small_sets)
def test_dice_follows_from_jaccard(a: set[int], b: set[int]) -> None:
    sizes = len(a), len(b), len(a & b)
    similarity = measures.jaccard(*sizes)
    assert measures.dice(*sizes) == pytest.approx(2 * similarity / (1 + similarity))
    # The similarity is the chance that a row of the union lies in both.
    assert similarity == pytest.approx(sum(row in a and row in b for row in a | b) / len(a | b))


def test_passages_are_those_of_both_texts_and_their_share_of_the_words() -> None:
    run = "twelve quiet herons stood upon the frozen river until the evening bells began"
    a = f"{' '.join(f'one{i}' for i in range(26))}. {run.title()}."
    comparison = likewise.compare(a, run, trials=0)
    (passage,) = comparison.passages
    assert a[passage.a_start : passage.a_end].casefold() == f"{run}."
    assert (passage.b_start, passage.b_end) == (0, len(run))
    assert (comparison.passage_share_a, comparison.passage_share_b) == (1 / 3, 1)
    assert comparison.to_dict()["passages"] == [passage.to_dict()]
    assert likewise.compare(a, "", trials=0).passages == ()


def test_letters_that_only_look_the_same_hide_no_passage() -> None:
    run = "twelve quiet herons stood upon the frozen river until the evening bells began"
    mixed = run.replace("quiet", "quiеt").replace("frozen", "frоzen")  # Cyrillic letters
    (passage,) = likewise.compare(mixed, run, trials=0).passages
    assert passage.kind == "verbatim"


def test_passages_of_very_long_texts_are_not_computed_and_it_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(comparison_module, "MAX_PASSAGE_CHARACTERS", 20)
    assert likewise.compare("one two", "one two", trials=0).passages is not None
    comparison = likewise.compare("one two three", "one two three", trials=0)
    assert comparison.passages is comparison.passage_share_a is None
    assert "not computed for more than" in comparison.not_computed["passages"]


def test_runs_of_too_few_words_are_refused() -> None:
    with pytest.raises(UsageError, match="min_words is 2"):
        likewise.compare("a", "b", min_words=2)
