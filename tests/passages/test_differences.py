"""Differences: every word of a passage is told once, and the most words are told as equal."""

from __future__ import annotations

import random
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import UsageError
from likewise.passages import differences as module
from likewise.passages.differences import Difference, differences
from likewise.passages.passage import Passage
from likewise.text.words import words_of
from tests.strategies import texts

BEFORE, BEHIND = "Before all this: ", " ... and behind."


def passage_of(a: str, b: str) -> tuple[str, str, Passage]:
    """Two texts that hold a and b somewhere in the middle."""
    start = len(BEFORE)
    passage = Passage(start, start + len(a), 0, len(b), 1, 1, 1.0, "edited", 1.0, 1, 1, 1)
    return BEFORE + a + BEHIND, b + BEHIND, passage


def told(a: str, b: str) -> list[tuple[str, str, str]]:
    """Kind and text of each difference between a and b."""
    text_a, text_b, passage = passage_of(a, b)
    return [
        (d.kind, text_a[d.a_start : d.a_end], text_b[d.b_start : d.b_end])
        for d in differences(text_a, text_b, passage)
    ]


def longest_common(a: list[int], b: list[int]) -> int:
    """The most elements that two lists have in the same order; slow and obvious."""
    row = [0] * (len(b) + 1)
    for x in a:
        made = [0]
        for j, y in enumerate(b):
            made.append(row[j] + 1 if x == y else max(row[j + 1], made[j]))
        row = made
    return row[-1]


def check_tiling(a: str, b: str, found: list[Difference], passage: Passage) -> None:
    """Each word stands in one difference, in order; equal ones are equal, others are not empty."""
    sides = (
        (a, passage.a_start, passage.a_end, [(d.a_start, d.a_end, d.a_words) for d in found]),
        (b, passage.b_start, passage.b_end, [(d.b_start, d.b_end, d.b_words) for d in found]),
    )
    for text, start, end, ranges in sides:
        pieces = [words_of(text[first:last]).hashes.tolist() for first, last, _ in ranges]
        assert [len(piece) for piece in pieces] == [count for _, _, count in ranges]
        assert list(chain.from_iterable(pieces)) == words_of(text[start:end]).hashes.tolist()
        assert all(start <= first <= last <= end for first, last, _ in ranges)
    for d in found:
        in_a, in_b = words_of(a[d.a_start : d.a_end]), words_of(b[d.b_start : d.b_end])
        expected = {
            "equal": in_a.hashes.tolist() == in_b.hashes.tolist() and len(in_a) > 0,
            "replaced": d.a_words > 0 and d.b_words > 0,
            "put in": d.a_words > 0 and d.b_words == 0,
            "left out": d.a_words == 0 and d.b_words > 0,
        }
        assert expected[d.kind], d
    kinds = [d.kind == "equal" for d in found]
    assert all(x != y for x, y in pairwise(kinds)), "equal ones alternate"


def test_each_kind_of_change_is_reported_with_its_words() -> None:
    a = "The quick, brown fox jumps over the lazy dog"
    b = "the very quick fox leaps over lazy dog today."
    assert told(a, b) == [
        ("equal", "The", "the"),
        ("left out", "", "very"),
        ("equal", "quick", "quick"),
        ("put in", "brown", ""),
        ("equal", "fox", "fox"),
        ("replaced", "jumps", "leaps"),
        ("equal", "over", "over"),
        ("put in", "the", ""),
        ("equal", "lazy dog", "lazy dog"),
        ("left out", "", "today"),
    ]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Один два, три!", "один ДВА четыре", ["Один два", "три"]),
        ("春眠不覚暁", "春眠覚暁", ["春眠", "不", "覚暁"]),
        ("واحد اثنان ثلاثة", "واحد ثلاثة", ["واحد", "اثنان", "ثلاثة"]),
    ],
)
def test_scripts_of_any_kind(a: str, b: str, expected: list[str]) -> None:
    assert [in_a for _, in_a, _ in told(a, b)] == expected


def test_a_verbatim_passage_is_one_equal_stretch() -> None:
    assert told("Same words, other MARKS", "same words other marks!") == [
        ("equal", "Same words, other MARKS", "same words other marks")
    ]


def test_nothing_in_common_is_replaced_and_nothing_at_all_is_nothing() -> None:
    assert told("one two", "three four five") == [("replaced", "one two", "three four five")]
    assert told("", "") == []
    assert told("one", "") == [("put in", "one", "")]
    assert told("...", "one") == [("left out", "", "one")]


def test_a_word_that_moved_is_left_out_and_put_in() -> None:
    assert told("b c d a", "a b c d") == [
        ("left out", "", "a"),
        ("equal", "b c d", "b c d"),
        ("put in", "a", ""),
    ]


words = st.lists(st.sampled_from(["ab", "Cd", "ef", "gh", "ij,", "kl."]), max_size=40)


@given(words, words)
def test_the_most_words_are_equal_and_each_is_reported_once(
    first: list[str], second: list[str]
) -> None:
    a, b, passage = passage_of(" ".join(first), " ".join(second))
    found = differences(a, b, passage)
    check_tiling(a, b, found, passage)
    sides = [
        words_of(a[passage.a_start : passage.a_end]).hashes.tolist(),
        words_of(b[passage.b_start : passage.b_end]).hashes.tolist(),
    ]
    equal = sum(d.a_words for d in found if d.kind == "equal")
    assert equal == longest_common(*sides)


@given(texts, texts)
def test_any_characters_have_differences_inside_of_the_passage(first: str, second: str) -> None:
    a, b, passage = passage_of(first, second)
    for d in differences(a, b, passage):
        assert passage.a_start <= d.a_start <= d.a_end <= passage.a_end
        assert passage.b_start <= d.b_start <= d.b_end <= passage.b_end


@given(st.integers(0, 10_000), st.integers(0, 400))
def test_what_is_too_long_is_cut_where_both_sides_belong_together(seed: int, steps: int) -> None:
    draw = random.Random(seed)
    source = [f"w{draw.randrange(60)}" for _ in range(draw.randrange(200))]
    copy = [word if draw.random() < 0.8 else "new" for word in source if draw.random() < 0.9]
    a, b, passage = passage_of(" ".join(copy), " ".join(source))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_STEPS", steps)
        check_tiling(a, b, differences(a, b, passage), passage)


def test_a_passage_of_a_hundred_thousand_words_keeps_nearly_all_that_is_equal() -> None:
    draw = random.Random(1)
    source = [f"w{draw.randrange(5000)}" for _ in range(100_000)]
    copy = [word if draw.random() < 0.9 else "new" for word in source]
    a, b, passage = passage_of(" ".join(copy), " ".join(source))
    found = differences(a, b, passage)
    check_tiling(a, b, found, passage)
    kept = sum(word == other for word, other in zip(copy, source, strict=True))
    assert sum(d.a_words for d in found if d.kind == "equal") >= kept


def test_a_hundred_thousand_words_without_any_in_common_have_an_answer() -> None:
    a = " ".join(f"a{i}" for i in range(100_000))
    b = " ".join(f"b{i}" for i in range(100_000))
    assert [kind for kind, _, _ in told(a, b)] == ["replaced"]


def test_texts_in_which_the_passage_cannot_stand_are_refused() -> None:
    with pytest.raises(UsageError, match="ends at 30 in a, which has 5"):
        differences("short", "short", Passage(0, 30, 0, 5, 1, 1, 1.0, "edited", 1.0, 1, 1, 1))


def test_values_are_plain_for_json() -> None:
    a, b, passage = passage_of("one two", "one")
    assert differences(a, b, passage)[1].to_dict() == {
        "kind": "put in", "a_start": 21, "a_end": 24, "b_start": 3, "b_end": 3, "a_words": 1,
        "b_words": 0,
    }  # fmt: skip
