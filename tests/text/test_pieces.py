"""A text in pieces gives what the whole gives: prepared text and shingles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likewise import _core
from likewise._core import Texts
from likewise.errors import LikewiseError
from likewise.text.pieces import prepared_pieces, shingle_blocks
from likewise.text.profile import Profile
from tests.strategies import profiles, texts

# Many places to cut at, and much around them that could go wrong there.
dense = st.text(
    alphabet=st.sampled_from("ab Bc1 2.,-'é\u0301 \n\t\u00a0\u200b的我ァー々ก\u0e33Σς가ㄱ𝟙½ﬁ"),
    max_size=200,
)


def blocks_of(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


@example(text="a\n\u0301" * 9, profile=Profile.of("tweets"), block=5, size=7)
@example(text="어 \u11ab" * 9, profile=Profile.of("tweets"), block=5, size=7)
@given(
    text=st.one_of(dense, texts),
    profile=profiles,
    block=st.integers(1, 40),
    size=st.integers(2, 60),
)
def test_the_pieces_are_the_whole(text: str, profile: Profile, block: int, size: int) -> None:
    text = text.encode("utf-8", "replace").decode()  # a stream has no lone surrogates
    one = Texts.from_strings([text])
    made = list(prepared_pieces(blocks_of(text, block), profile, size))
    assert "".join(made) == _core.prepared_text(one, profile.rules())
    hashes = list(shingle_blocks(made, profile))
    expected, _ = _core.shingle_hashes(one, replace(profile, count="set").rules())
    np.testing.assert_array_equal(np.concatenate([np.zeros(0, np.uint64), *hashes]), expected)


@pytest.mark.parametrize(
    "text",
    [
        "ACGT" * 500,
        "31415926" * 300,
        "我们在北京的大学学习" * 100,
        "one two three " * 200,
        "все счастливые семьи похожи " * 80,
        "كل العائلات السعيدة " * 80,
        "सभी सुखी परिवार " * 80,
        "행복한 가정은 모두 " * 80,
    ],
)
def test_long_texts_are_cut_indeed(text: str) -> None:
    profile = Profile.of("char:5")
    assert len(list(prepared_pieces([text], profile, 100))) > 5


def test_a_word_that_cannot_be_held_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likewise.text.pieces.MAX_WORD_CHARACTERS", 1000)
    with pytest.raises(LikewiseError, match="a word has more than"):
        list(prepared_pieces(["x" * 100] * 100, Profile.of("word:3"), 100))
