"""Texts as lists of tokens: compared as they are, by every function that compares shingles."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import Pair, UsageError

tokens = st.lists(st.sampled_from(["a", "A", "b c", ".", "é", "\ud800", ""]), max_size=8)


def overlap(a: list[str], b: list[str], k: int) -> tuple[int, int, int]:
    sets = []
    for one in (a, b):
        size = min(k, len(one))
        sets.append(
            {tuple(one[i : i + size]) for i in range(len(one) - size + 1)} if one else set()
        )
    return len(sets[0] & sets[1]), len(sets[0]), len(sets[1])


@given(tokens, tokens, st.sampled_from([1, 2, 3]), st.sampled_from(["jaccard", "containment"]))
def test_a_search_counts_tokens(a: list[str], b: list[str], k: int, measure: str) -> None:
    found = likewise.find_pairs(
        [a, b], profile=f"word:{k}", threshold=0.01, exact=True, measure=measure
    )
    shared, size_a, size_b = overlap(a, b, k)
    if not shared:
        assert list(found) == []
    else:
        jaccard = shared / (size_a + size_b - shared)
        sizes = shared, size_a, size_b
        assert list(found) == [Pair(0, 1, jaccard, shared / size_a, shared / size_b, *sizes)]


def test_every_function_and_kind_of_collection() -> None:
    lists = [["the", "cat", "sat"], ["the", "cat", "sat"], ["The", "cat", "sat"], None, []]
    for texts in (lists, [*map(tuple, lists[:3]), None, ()], pa.array(lists)):
        made: Any = texts
        assert [(pair.a, pair.b) for pair in likewise.find_pairs(made)] == [(0, 1)]
        assert list(likewise.deduplicate(made)) == [0, 2, 3, 4]
        assert list(likewise.deduplicate(made, against=[["The", "cat", "sat"]])) == [0, 3, 4]
        signatures = likewise.sketch(made)
        assert [signatures.estimate(0, n).value for n in range(5)] == [1, 1, 0, 0, 0]
    sets: list[set[Any]] = [{1, 2, 3}, {3, 2, 1}, {1, 2}]
    (pair, *_) = likewise.find_pairs(sets, profile="word:1")
    assert (pair.a, pair.b, pair.jaccard) == (0, 1, 1.0)
    longest = likewise.deduplicate([["a"] * 3, ["a"] * 4], profile="word:1", keep="longest")
    assert list(longest) == [1]


@pytest.mark.parametrize(
    ("texts", "profile", "told"),
    [
        ([["a"], "b"], "word:3", "text 1 is not a list of tokens but str"),
        ([["a"], 7], "word:3", "text 1 is not a list of tokens but int"),
        ([[1.5]], "word:3", "a token must be a str, bytes or an int, not float"),
        ([[None]], "word:3", "a token must be"),
        ([{"a", "b"}], "word:3", "text 0 is a set of tokens"),
        ([["a"]], "char:5", "does not apply to tokens"),
        ([["a"]], "word:3,stop_words=english", "does not apply to tokens"),
        ([["a"]], "word:3,min_word_length=3", "does not apply to tokens"),
    ],
)
def test_what_are_not_tokens(texts: Any, profile: str, told: str) -> None:
    for function in (likewise.find_pairs, likewise.sketch, likewise.deduplicate):
        with pytest.raises(UsageError, match=told):
            function(texts, profile=profile)


def test_texts_are_needed_where_they_are_shown_or_stored(tmp_path: Any) -> None:
    given: Any = [["a", "b"]]
    with likewise.Index.create(tmp_path / "index.db") as index:
        for function in (likewise.find_passages, index.query, index.passages):
            with pytest.raises(UsageError, match="text 0 is not a str but list"):
                function(given)
        with pytest.raises(UsageError, match="text 0 is not a str but list"):
            index.add(given, ["x"])
