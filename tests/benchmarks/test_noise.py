"""Altered texts: as much is altered as was asked for, and every place can be found again."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from benchmarks.texts.noise import Altered, broken_lines, misread, respelled, scanned, substituted

TEXT = (
    "And there was no more sea: the music of the public place was silent, and all unhappy "
    "children believed that every just use of our labour had failed. "
) * 20


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2])
@pytest.mark.parametrize("alter", [misread, substituted])
def test_a_share_of_the_characters_is_wrong(alter: object, share: float) -> None:
    assert callable(alter)
    altered = alter(TEXT, share, random.Random(1)).text
    wrong = Levenshtein.distance(TEXT, altered) / len(TEXT)
    assert 0.7 * share < wrong < 1.4 * share


def test_hyphens_at_line_ends_can_be_joined_again() -> None:
    altered = broken_lines(TEXT, random.Random(1)).text
    assert "-\n" in altered
    assert max(map(len, altered.split("\n"))) < 80
    assert re.sub(r"\s", " ", altered.replace("-\n", "")) == TEXT


@pytest.mark.parametrize(
    ("language", "modern", "old"),
    [
        ("English", "the music of just us", "the muſick of iuſt vs"),
        ("French", "il avait joué et usé", "il auoit ioué & vſé"),
        ("German", "jung und uralt", "iung vnd vralt"),
    ],
)
def test_words_are_spelled_as_in_old_prints(language: str, modern: str, old: str) -> None:
    drawn = {respelled(modern, language, random.Random(seed)).text for seed in range(2000)}
    assert old in drawn
    assert len(drawn) > 3


@given(st.text("abrn li.m\n", max_size=60), st.integers(0, 50), st.sampled_from("ESMW"))
def test_places_ascend_from_the_first_character_to_the_end(text: str, seed: int, way: str) -> None:
    draw = random.Random(seed)
    altered: Altered = {
        "E": lambda: respelled(text, "English", draw),
        "S": lambda: scanned(text, 0.3, draw),
        "M": lambda: misread(text, 0.3, draw),
        "W": lambda: substituted(text, 0.3, draw),
    }[way]()
    assert len(altered.places) == len(text) + 1
    assert altered.places == sorted(altered.places)
    assert altered.range_of(0, len(text)) == (0, len(altered.text))


def test_a_place_leads_to_what_became_of_the_character() -> None:
    lines = broken_lines(TEXT, random.Random(1))
    for word in re.finditer(r"\w+", TEXT):
        begin, end = lines.range_of(word.start(), word.end())
        assert lines.text[begin:end].replace("-\n", "") == word[0]
