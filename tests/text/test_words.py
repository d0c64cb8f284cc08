"""Words with their places: the core's rules of Unicode, against slow obvious ones."""

from __future__ import annotations

from dataclasses import asdict
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given

from likewise import Profile, UsageError
from likewise.text.words import NUMERAL, words_of
from tests import reference
from tests.strategies import texts

PLAIN = SimpleNamespace(**asdict(Profile.parse("word:1")) | {"stop_words": ()})


def slow_words(text: str) -> list[str]:
    return reference.words(text, PLAIN)


def slices(text: str) -> list[str]:
    words = words_of(text)
    return [text[b:e] for b, e in zip(words.begins, words.ends, strict=True)]


@given(texts)
@example("½ cup ﬁne")
@example("wo\u200brd \ufeffx e\u0301\u200d")
@example("中文 ไทย กำ 한글 각")
def test_words_are_those_of_the_rules_in_order(text: str) -> None:
    words = words_of(text, stem_letters=3)
    expected = slow_words(text)
    assert words.hashes.tolist() == [reference.hash_bytes(w.encode(), 0) for w in expected]
    spaced = [i for i, letters in enumerate(words.letters) if letters]
    assert words.stems[spaced].tolist() == [
        reference.hash_bytes(expected[i][:3].encode(), 0) for i in spaced
    ]


@given(texts)
@example("½ cup")
@example("a\u0301 \u0301")
def test_each_place_holds_its_word_and_no_word_is_outside(text: str) -> None:
    words = words_of(text)
    for word, piece in zip(slow_words(text), slices(text), strict=True):
        assert word in slow_words(piece)
    outside = list(text)
    for begin, end in zip(words.begins, words.ends, strict=True):
        outside[begin:end] = " " * int(end - begin)
    assert slow_words("".join(outside)) == []
    assert (np.diff(words.begins.astype(np.int64)) >= 0).all()


@given(texts)
def test_gaps_are_one_more_than_words_with_edges_at_both_ends(text: str) -> None:
    gaps = words_of(text).gaps
    assert len(gaps) == len(words_of(text)) + 1
    assert gaps[0] == gaps[-1] == 3
    assert set(gaps.tolist()) <= {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World 42!", ["Hello", "World", "42"]),
        ("L\u2019été, déjà\u00a0fini", ["L", "été", "déjà", "fini"]),
        ("Война и мир", ["Война", "и", "мир"]),
        ("我喜歡書。", ["我", "喜", "歡", "書"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("\ufeffsoft\u00adhyphen\u200b end", ["soft\u00adhyphen", "end"]),
        ("", []),
    ],
)
def test_places_are_those_of_the_original_text(text: str, expected: list[str]) -> None:
    assert slices(text) == expected


@pytest.mark.parametrize(
    ("between", "gap"),
    [
        (" ", 0),
        (", ", 0),
        ("\n", 1),
        (". ", 2),
        ("?» ", 2),
        ("… ", 2),
        ("。", 2),
        ("！", 2),
        (" । ", 2),
        ("؟ ", 2),
        ("۔ ", 2),
        ("። ", 2),
        ("\n\n", 3),
        ("\u2029", 3),
    ],
)
def test_what_is_between_two_words_is_reported(between: str, gap: int) -> None:
    for one, two in (("one", "two"), ("один", "два"), ("一", "二")):
        assert words_of(one + between + two).gaps[1] == gap


def test_the_letters_of_a_word_are_counted_without_its_marks() -> None:
    assert words_of("e\u0301te\u0301 a1 中 " + "x" * 300).letters.tolist() == [3, 2, 0, 254]


def test_words_of_digits_are_marked() -> None:
    assert words_of("7 b7 1984 ７٣ 七").letters.tolist() == [NUMERAL, 2, NUMERAL, NUMERAL, 0]


def test_text_must_be_a_str_and_stems_have_letters() -> None:
    with pytest.raises(UsageError, match="not a str but bytes"):
        words_of(b"abc")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="stem_letters"):
        words_of("abc", stem_letters=0)
