"""A quick look at many texts misses none that a closer one finds something in."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from likewise._core import Texts
from likewise.text.obfuscation import find_tricks
from likewise.text.obfuscation.invisible import INVISIBLE
from likewise.text.obfuscation.letters import mend_letters
from likewise.text.obfuscation.lookalikes import LETTERS
from likewise.text.obfuscation.presence import may_be_mended, may_have_lookalikes, may_have_tricks

SOME = "abcé ÀßхаωαՕсоꭵⲟᏚ天ก\u200b\u00ad\u202e\U000e0041\ud800.1½"


@given(st.lists(st.text(st.sampled_from(SOME), max_size=30), max_size=8))
def test_where_nothing_is_reported_nothing_is_found(texts: list[str]) -> None:
    told = may_have_tricks(Texts.from_strings(texts), threads=2).tolist()
    assert len(told) == len(texts)
    assert all(may or not find_tricks(text) for may, text in zip(told, texts, strict=True))


LETTERS_OF_TWO = "abcoké заосеж́­​ ωαοκ."


@given(st.lists(st.text(st.sampled_from(LETTERS_OF_TWO), max_size=30), max_size=8))
def test_what_is_mended_is_reported(texts: list[str]) -> None:
    told = may_have_lookalikes(Texts.from_strings(texts), threads=2) & may_be_mended(texts)
    assert all(
        may or not mend_letters(text)[1] for may, text in zip(told.tolist(), texts, strict=True)
    )


def test_words_of_two_languages_are_no_reason_to_look() -> None:
    texts = ["сказал, что Windows лучше", "η λέξη browser είναι ξένη", "Größe und дом und жизнь"]
    assert not may_be_mended(texts).any()
    assert may_be_mended(["the pаper is dry", "три слова и cop"]).all()


def test_plain_texts_of_one_script_are_not_looked_at() -> None:
    texts = ["", "plain", "Größe, “naïve”", "одна строка", "天地玄黄", "ไทย", "ελληνικά 12"]
    assert not may_have_tricks(Texts.from_strings(texts), threads=1).any()
    assert may_have_tricks(Texts.from_strings(["pаper", "pa\u200bper"]), threads=1).all()


def test_every_character_of_the_classes_is_known() -> None:
    every = [chr(c) for c in range(0x80, 0x110000) if not 0xD800 <= c < 0xE000]
    other = re.compile(
        "[" + "".join(v for k, v in LETTERS.items() if k != "Latin") + INVISIBLE + "]"
    )
    expected = [other.match(c) is not None for c in every]
    told = may_have_tricks(Texts.from_strings([f"a{c}" for c in every]), threads=2).tolist()
    assert told == expected
