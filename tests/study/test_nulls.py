"""Two texts under each null: the exact similarity is the same, what chance makes of it is not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from likewise.comparison.comparison import compare
from likewise.errors import UsageError
from likewise.study.nulls import drawn_null, nulls_of, urn_null

A = "the quick brown fox jumps over the lazy dog and the cat sleeps on the warm stone"
B = "the quick brown fox jumps over a sleeping cat and the lazy dog lies on the warm stone"


def test_all_nulls_hold_the_same_similarity() -> None:
    found = nulls_of(A, B, profile="word:2", nulls=["urn", "letters", "words"], trials=99)
    exact = compare(A, B, profile="word:2", trials=0).similarity
    assert [null.chance.null for null in found] == ["urn", "letters", "words"]
    assert {null.chance.observed for null in found} == {exact}
    assert all(10**null.log10_p == pytest.approx(null.chance.p_value) for null in found)


def test_bags_are_compared_as_bags() -> None:
    a, b = "ab " * 30, "ab " * 20
    bag = nulls_of(a, b, profile="word:1,count=bag", nulls=["urn"])[0].chance
    assert bag.observed == 20 / 30


def test_the_urn_is_about_a_third_for_equal_sizes_whatever_the_texts() -> None:
    assert urn_null(5_000, 5_000, 0).chance.expected == pytest.approx(1 / 3, abs=1e-3)
    assert urn_null(5_000, 5_000, 0, urn=1_000_000).chance.expected < 0.01


def test_the_corpus_null_needs_pairs() -> None:
    sims = np.array([0.0, 0.01, 0.5])
    (null,) = nulls_of(A, B, profile="word:2", nulls=["corpus"], corpus=sims)
    assert null.chance.p_value == (1 + (sims >= null.chance.observed).sum()) / 4
    with pytest.raises(UsageError, match="unrelated pairs"):
        nulls_of(A, B, profile="word:2", nulls=["corpus"], corpus=np.zeros(0))


def test_a_drawn_null_tells_its_smallest_p() -> None:
    null = drawn_null("words", 0.9, np.linspace(0, 0.5, 49))
    assert null.log10_p == pytest.approx(math.log10(1 / 50))
    assert null.chance.smallest_p == 1 / 50


@pytest.mark.parametrize(("a", "b", "which"), [("", B, "first"), (A, "...", "second")])
def test_a_text_without_shingles_is_reported(a: str, b: str, which: str) -> None:
    with pytest.raises(UsageError, match=f"the {which} text has no shingles"):
        nulls_of(a, b, profile="word:3", nulls=["words"])


def test_sizes_larger_than_the_urn_are_reported() -> None:
    with pytest.raises(UsageError, match="does not fit in an urn"):
        nulls_of(A, B, profile="word:2", nulls=["urn"], urn=3)
