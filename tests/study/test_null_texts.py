"""Random texts in place of several: what they keep, and what they do not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import UsageError
from likewise.study.null_texts import ShuffledTexts, UnrelatedTexts, trial_generator
from likewise.text.words import words_of

SENTENCES = [
    "The sun rose.", "Was it cold? ", "It was, and how!", "He left; she stayed.", "So it ended.",
    "Nobody knew why.",
]  # fmt: skip
TEXT = " ".join(SENTENCES)


def rng(trial: int = 0) -> np.random.Generator:
    return trial_generator(0, "words", trial)


def counted(text: str) -> Counter[int]:
    return Counter(words_of(text).hashes.tolist())


@given(text=st.text(alphabet="aB é½.,\n?!今天สวั\r"), unit=st.sampled_from(["words", "lines"]))
def test_a_shuffle_keeps_the_words(text: str, unit: str) -> None:
    if unit == "words":
        text = " ".join(text)  # so that no mark meets another letter
    (shuffled,) = ShuffledTexts([text], unit).draw(rng())
    assert counted(shuffled) == counted(text)


def test_words_change_places_and_punctuation_stays() -> None:
    (shuffled,) = ShuffledTexts([TEXT], "words").draw(rng())
    assert [c for c in shuffled if not c.isalpha()] == [c for c in TEXT if not c.isalpha()]
    assert shuffled != TEXT


@pytest.mark.parametrize(("unit", "text"), [("sentences", TEXT), ("lines", "\n".join(SENTENCES))])
def test_sentences_and_lines_stay_whole(unit: str, text: str) -> None:
    (shuffled,) = ShuffledTexts([text], unit).draw(rng())
    assert shuffled != text
    assert all(sentence.strip() in shuffled for sentence in SENTENCES)


def test_empty_lines_are_not_moved() -> None:
    text = "\n\na\n\n\nb\n \nc\nd\ne\n"
    shuffles = {ShuffledTexts([text], "lines").draw(rng(trial))[0] for trial in range(50)}
    assert len(shuffles) > 10
    assert {"".join(c for c in one if c.isspace()) for one in shuffles} == {"\n\n\n\n\n\n \n\n\n\n"}


def test_texts_with_few_units_are_named() -> None:
    lines = ShuffledTexts(["a\nb\nc\nd\ne", TEXT, "", "a\n\n\n\n\n\nb"], "lines")
    assert lines.too_short() == [1, 2, 3]


def test_a_trial_is_the_same_whatever_else_is_tried() -> None:
    first = trial_generator(7, "lines", 3).integers(10**9)
    assert trial_generator(7, "lines", 3).integers(10**9) == first
    others = [("lines", 4, 7), ("words", 3, 7), ("lines", 3, 8)]
    assert all(trial_generator(s, n, t).integers(10**9) != first for n, t, s in others)


def book(name: str, words: int) -> str:
    return " ".join(f"{name}{i}" for i in range(words))


def test_stretches_of_long_books_come_from_one_book_each() -> None:
    books = [book(chr(ord("a") + i), 50 + i) for i in range(10)]
    unrelated = UnrelatedTexts([*books, "a short one"], [40, 20, 30])
    assert unrelated.why_no_p() is None
    for trial in range(20):
        drawn = unrelated.draw(rng(trial))
        assert [len(words_of(text)) for text in drawn] == [40, 20, 30]
        assert all(len({word[0] for word in text.split()}) == 1 for text in drawn)
        assert len({text[0] for text in drawn}) == 3
        assert all(any(text in one for one in books) for text in drawn)


def test_short_books_are_put_together_and_give_no_p() -> None:
    books = [book(chr(ord("a") + i), 10) for i in range(20)]
    unrelated = UnrelatedTexts(books, [25, 35])
    assert "only 0 of 20" in (unrelated.why_no_p() or "")
    for trial in range(20):
        first, second = unrelated.draw(rng(trial))
        assert (len(words_of(first)), len(words_of(second))) == (25, 35)
        assert not {w[0] for w in first.split()} & {w[0] for w in second.split()}


def test_copies_among_the_unrelated_count_once() -> None:
    assert UnrelatedTexts([book("a", 9), book("a", 9), ""], [5]).words == 9


@pytest.mark.parametrize(
    ("books", "reason"),
    [([], "0 words; 9 are needed"), ([5, 3], "8 words; 9 are needed"), ([5, 4], "too few")],
)
def test_too_few_unrelated_words_are_reported(books: list[int], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        UnrelatedTexts([book(f"{size}x", size) for size in books], [3, 3, 3]).draw(rng())
