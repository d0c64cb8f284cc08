"""Words that are cut when they are asked for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likewise.text.cut_words import CutWords
from likewise.text.words import words_of

TEXTS = ["one two three four", "", "five", "six seven", "eight nine ten"]


@given(
    asked=st.lists(st.integers(0, len(TEXTS) - 1), max_size=30),
    most=st.integers(0, 12),
    stem_letters=st.integers(1, 7),
)
def test_whatever_is_kept_the_words_are_the_same(
    asked: list[int], most: int, stem_letters: int
) -> None:
    words = CutWords(TEXTS, stem_letters, most=most)
    for i in asked:
        expected = words_of(TEXTS[i], stem_letters=stem_letters)
        np.testing.assert_array_equal(words[i].stems, expected.stems)
        np.testing.assert_array_equal(words[i].begins, expected.begins)


def test_what_was_asked_for_last_is_kept() -> None:
    words = CutWords(TEXTS, 7, most=6)
    first, second = words[0], words[3]
    assert words[0] is first
    assert words[4] is not None  # 3 words: the oldest go, which is number 3
    assert words[4] is words[4]
    assert words[3] is not second
