"""Pairs within groups, and across them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import UsageError
from likewise._core import Texts
from likewise.search.comparable_pairs import comparable_pairs, sample_pairs
from likewise.search.find import new_collection
from likewise.search.groups import groups_of
from likewise.search.settings import Settings
from tests.strategies import collections

RULES = st.sampled_from(["within", "across"])
GROUPS = st.lists(st.sampled_from(["x", "y", "", None]), min_size=60, max_size=60)


def are_compared(rule: str, a: str | None, b: str | None) -> bool:
    """A document without a group is a group of its own."""
    same = bool(a) and a == b
    return same if rule == "within" else not same


@given(collections, GROUPS, RULES, st.booleans(), st.sampled_from([0.2, 0.5, 1.0]), st.integers(1))
def test_pairs_are_those_of_a_search_without_groups(
    texts: list[str], groups: list[str | None], rule: str, exact: bool, threshold: float, cut: int
) -> None:
    options: dict[str, Any] = {"profile": "word:1", "threshold": threshold, "exact": exact}
    own = (groups * (1 + len(texts) // 60))[: len(texts)]
    everything = likewise.find_pairs(texts, **options)
    expected = [pair for pair in everything if are_compared(rule, own[pair.a], own[pair.b])]
    assert list(likewise.find_pairs(texts, **{rule: own}, **options)) == expected
    middle = cut % (len(texts) + 1)
    between = likewise.find_pairs(texts[:middle], against=texts[middle:], **options)
    expected = [pair for pair in between if are_compared(rule, own[pair.a], own[middle + pair.b])]
    two = {rule: own[:middle], "against_groups": own[middle:]}
    assert list(
        likewise.find_pairs(texts[:middle], against=texts[middle:], **two, **options)
    ) == expected  # fmt: skip


@given(GROUPS, st.integers(0, 30), RULES, st.booleans(), st.integers(1, 200))
def test_comparable_pairs_and_their_sample(
    groups: list[str | None], count: int, rule: str, two_sided: bool, most: int
) -> None:
    own = groups[:count]
    texts = ["x" if i % 4 else "" for i in range(count)]  # every fourth is empty
    middle = count // 2 if two_sided else count
    collection = new_collection(Settings(profile=likewise.Profile.of("word:1"), exact=True))
    collection.add_texts(range(middle), Texts.from_strings(texts[:middle]))
    if two_sided:
        collection.begin_second()
        collection.add_texts(range(count - middle), Texts.from_strings(texts[middle:]))
    others = {"against_groups": own[middle:]} if two_sided else {}
    collection.groups = groups_of(middle, count - middle, **{rule: own[:middle]}, **others)  # type: ignore[arg-type]
    possible = [
        (a, b)
        for a, b in combinations(range(count), 2)
        if texts[a] and texts[b] and are_compared(rule, own[a], own[b])
        and (not two_sided or a < middle <= b)
    ]  # fmt: skip
    assert comparable_pairs(collection) == len(possible)
    found = list(zip(*(side.tolist() for side in sample_pairs(collection, most, 1)), strict=True))
    assert found == sorted(set(found))
    assert set(found) <= set(possible)
    if rule == "within":
        assert len(found) == min(most, len(possible))
    every = sample_pairs(collection, 10_000, 1)
    assert list(zip(*(side.tolist() for side in every), strict=True)) == possible


def test_more_copies_than_are_listed_hide_no_pair_of_another_group() -> None:
    texts = ["one and the same text of eight words"] * 300
    groups = [f"site {i // 2}" for i in range(300)]
    found = likewise.find_pairs(texts, within=groups, max_copies=2)
    assert [(pair.a, pair.b) for pair in found] == [(i, i + 1) for i in range(0, 300, 2)]


def test_a_bucket_of_many_groups_is_not_too_large_within_them() -> None:
    # All share a band, but each site has two documents only.
    texts = [f"the same words everywhere and then number {i} at the end" for i in range(400)]
    groups = [i // 2 for i in range(400)]
    found = likewise.find_pairs(texts, within=groups, threshold=0.4, max_bucket=10)
    assert len(found) == 200
    assert found.stats.counts["large_buckets"] == 0


def test_the_null_model_is_of_the_pairs_that_are_compared() -> None:
    random = np.random.default_rng(3)
    heading = " ".join(f"h{i}" for i in range(4))
    texts, groups = [], []
    for i in range(60):
        words = " ".join(f"w{w}" for w in random.integers(0, 3000, 50))
        texts.append(f"{heading} {words}" if i % 2 else f"{words} so it ends well")
        groups.append("headed" if i % 2 else f"other {i}")
    options: dict[str, Any] = {"top": 10, "chance": "corpus", "exact": True}
    across = likewise.find_pairs(texts, across=groups, **options)
    assert across.stats.counts["comparable"] == 60 * 59 // 2 - 30 * 29 // 2
    within = likewise.find_pairs(texts, within=groups, **options)
    assert within.stats.counts["comparable"] == 30 * 29 // 2
    assert within[0].chance is not None
    assert across[0].chance is not None
    assert within[0].chance > across[0].chance


@pytest.mark.parametrize(
    "groups",
    [
        [1, 2, 1, None],
        np.array([1.0, 2.0, 1.0, np.nan]),
        pa.chunked_array([[1, 2], [1, None]]),
        pd.Series([1, 2, 1, None]),
        pd.Series(["u", "v", "u", pd.NA]),
        pd.Series(["u", "v", "u", None], dtype="category"),
        pl.Series(["u", "v", "u", None]),
        (chr(97 + i % 2) if i < 3 else "" for i in range(4)),
    ],
)
def test_groups_of_any_kind(groups: Any) -> None:
    found = likewise.find_pairs(["a b c d"] * 4, within=groups)
    assert [(pair.a, pair.b) for pair in found] == [(0, 2)]
    assert "1 document has no group; it is in no pair" in found.notes


def test_passages_within_and_across() -> None:
    text = " ".join(f"word{i}" for i in range(40))
    groups = ["x", "y", "x", None]
    for rule, expected in (
        ("within", [(0, 2)]),
        ("across", [(0, 1), (0, 3), (1, 2), (1, 3), (2, 3)]),
    ):
        found = likewise.find_passages([text] * 4, **{rule: groups})  # type: ignore[call-overload]
        assert [(pair.a, pair.b) for pair in found] == expected
    between = likewise.find_passages(
        [text] * 2, against=[text] * 2, across=groups[:2], against_groups=groups[2:]
    )
    assert sorted((pair.a, pair.b) for pair in between) == [(0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize("search", [likewise.find_pairs, likewise.find_passages])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": ["x"] * 2, "across": ["x"] * 2}, "within and across are both given"),
        ({"within": ["x"]}, "there are 1 groups for 2 texts"),
        ({"within": "xy"}, "groups must be a collection"),
        ({"across": ["x", 1]}, "some groups are strings and others are not"),
        ({"across": [["x"], ["y"]]}, "a group must be a string, a number or a date"),
        ({"within": ["x", "y"], "against": ["a b c"]}, "against_groups is missing"),
        ({"against_groups": ["x"], "against": ["a b c"]}, "against_groups is given without"),
        ({"within": ["x", "y"], "against_groups": ["x"]}, "there are 1 against_groups for 0 texts"),
    ],
)
def test_what_is_refused(search: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        search(["a b c d", "e f g h"], **options)
