"""Text that many documents have: found, quoted, excluded, and never taken for somebody's copy."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise import find_passages
from likewise.errors import UsageError
from likewise.passages.common_text import (
    MAX_NEEDED,
    MIN_DOCUMENTS,
    MIN_RUN,
    MIN_SHARE,
    CommonText,
)
from likewise.passages.settings import Exclusions
from likewise.text.words import words_of

ASSIGNMENT = (
    "Assignment for the autumn term: choose one question, answer it in an essay of about eight "
    "hundred words, and name every source that you have used in a list at the end."
)
SHINGLE = 8


def essays(count: int, *, seed: int = 1, words: int = 150) -> list[str]:
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices("abcdefghijkl", k=draw.randint(3, 9))) for _ in range(3000)]
    return [" ".join(draw.choices(vocabulary, k=words)) for _ in range(count)]


def test_an_assignment_on_every_title_page_is_quoted_with_the_option_that_excludes_it() -> None:
    texts = [f"{ASSIGNMENT}\n\n{essay}" for essay in essays(12)]
    found = find_passages(texts)
    assert len(found) == 66  # each two share it
    (sentence,) = found.common_text
    assert sentence.startswith("12 of 12 documents have this text in common: “Assignment for the")
    # The app has no such option, so the commands that have it are named.
    assert "`--common-text exclude` on the command line excludes it" in sentence


def test_excluded_common_text_is_shared_by_nobody_and_a_copy_beside_it_is() -> None:
    own = essays(12)
    copied = " ".join(own[3].split()[40:90])
    own[7] = f"{own[7]} {copied}"
    texts = [f"{ASSIGNMENT}\n\n{essay}" for essay in own]
    found = find_passages(texts, exclude=Exclusions(common_text="exclude"))
    (pair,) = found
    assert (pair.a, pair.b, pair.words_a, pair.words_b) == (3, 7, 50, 50)
    assert pair.size_a == 150  # the assignment is not part of what a share is of
    (sentence,) = found.common_text
    assert sentence.endswith("words; excluded)")


def test_common_texts_of_some_and_of_all_documents_are_told_apart() -> None:
    own = essays(31)
    paragraph = own.pop()
    texts = [
        f"{ASSIGNMENT}\n\n{paragraph if i < 6 else ''}\n\n{essay}" for i, essay in enumerate(own)
    ]
    found = CommonText.of(texts)
    assert found is not None
    assert [(one.documents, one.words) for one in found.passages] == [
        (30, len(words_of(ASSIGNMENT))),
        (6, len(words_of(paragraph))),
    ]
    assert found.passages[1].text == paragraph


def test_what_few_documents_have_is_no_common_text() -> None:
    texts = essays(40)
    for i in range(4):
        texts[i] = f"{ASSIGNMENT} {texts[i]}"
    assert CommonText.of(texts) is None
    assert CommonText.of(texts[: MIN_DOCUMENTS - 1]) is None
    assert find_passages(texts).common_text == []


def test_a_template_that_is_excluded_is_not_reported_as_common_text() -> None:
    texts = [f"{ASSIGNMENT}\n\n{essay}" for essay in essays(12)]
    found = find_passages(texts, exclude=Exclusions(templates=(ASSIGNMENT,)))
    assert found.common_text == []
    assert len(found) == 0


def test_a_wrong_value_is_refused() -> None:
    with pytest.raises(UsageError, match="neither keep nor exclude"):
        Exclusions(common_text="yes")  # type: ignore[arg-type]


def common_words(texts: list[str]) -> list[list[bool]]:
    """Of each word of each text whether it is in common text, in the plainest way."""
    words = [words_of(text).hashes.tolist() for text in texts]
    grams = [{tuple(own[i : i + SHINGLE]) for i in range(len(own) - SHINGLE + 1)} for own in words]
    needed = max(MIN_DOCUMENTS, min(MAX_NEEDED, MIN_SHARE * len(texts)))
    made = []
    for own in words:
        documents = [0] * len(own)
        for i in range(len(own) - SHINGLE + 1):
            count = sum(tuple(own[i : i + SHINGLE]) in some for some in grams)
            for k in range(i, i + SHINGLE):
                documents[k] = max(documents[k], count if count >= needed else 0)
        inside = [False] * len(own)
        begin = 0
        while begin < len(own):
            end = begin + 1
            while end < len(own) and _about_as_many(documents[end - 1], documents[end]):
                end += 1
            if documents[begin] and end - begin >= MIN_RUN:
                inside[begin:end] = [True] * (end - begin)
            begin = end
        made.append(inside)
    return made


def _about_as_many(one: int, other: int) -> bool:
    return max(one, other) <= 1.5 * min(one, other)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["x", "y", "common-text", "other"]), max_size=6), max_size=12
    ),
    st.integers(0, 10**6),
)
def test_common_text_is_that_of_the_definition(made: list[list[str]], seed: int) -> None:
    draw = random.Random(seed)
    parts = {
        "common-text": " ".join(f"c{i}" for i in range(20)),
        "other": " ".join(f"o{i}" for i in range(11)),
    }
    texts = [
        " ".join(parts.get(part) or f"{part}{draw.randrange(50)}" for part in some) for some in made
    ]
    expected = common_words(texts)
    found = CommonText.of(texts)
    for text, inside in zip(texts, expected, strict=True):
        ranges = found.ranges(text) if found else []
        own = words_of(text)
        got = [
            any(start <= begin and end <= stop for start, stop in ranges)
            for begin, end in zip(own.begins.tolist(), own.ends.tolist(), strict=True)
        ]
        assert got == inside
