"""Word rates: from a collection, for a language, and by length alone."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from likewise import UsageError
from likewise.text.word_frequencies import Frequencies
from likewise.text.words import words_of


def rates_of(frequencies: Frequencies, text: str) -> dict[str, float]:
    words = words_of(text)
    rates = frequencies.rates(words.stems, words.letters)
    return dict(zip(text.split(), rates.tolist(), strict=True))


def test_without_a_collection_longer_words_are_rarer() -> None:
    rates = rates_of(Frequencies(), "of with house telephone")
    assert rates["of"] > rates["with"] > rates["house"] > rates["telephone"] > 0


def test_a_collection_counts_its_words_whatever_their_case_and_end() -> None:
    collection = ["The planets move. " * 500, "the PLANET moved " * 500, "planetary the " * 500]
    counted = Frequencies.of_collection(collection)
    rates = rates_of(counted, "planets the zebra")
    assert rates["the"] == pytest.approx(1500 / 4000, rel=0.6)
    assert rates["planets"] > 50 * rates["zebra"]
    # Seven letters are shared: planeta, planets and planet are three stems.
    assert rates["the"] > 2 * rates["planets"]


def test_texts_added_one_by_one_count_the_same() -> None:
    texts = ["one two two", "two three", "", "one"]
    together, single = Frequencies.of_collection(texts), Frequencies()
    for text in texts:
        single.add(text)
    words = words_of("one two three four")
    np.testing.assert_allclose(
        together.rates(words.stems, words.letters), single.rates(words.stems, words.letters)
    )
    assert together.total == single.total == 6


def test_a_collection_is_any_column_of_texts() -> None:
    for column in (["a b", None], pa.array(["a b", None]), pd.Series(["a b", pd.NA])):
        assert Frequencies.of_collection(column).total == 2


@pytest.fixture
def wordfreq() -> None:
    if os.environ.get("CI") == "true":
        import wordfreq  # noqa: F401
    else:
        pytest.importorskip("wordfreq", reason="wordfreq is not installed")


@pytest.mark.usefixtures("wordfreq")
def test_a_language_knows_its_common_words() -> None:
    english = rates_of(Frequencies.of_language("en"), "the house chrysanthemum qqqqqqqzz")
    assert 0.02 < english["the"] < 0.1
    assert english["the"] > english["house"] > english["chrysanthemum"] > english["qqqqqqqzz"]
    french = rates_of(Frequencies.of_language("fr"), "le maison")
    assert french["le"] > 10 * french["maison"]


@pytest.mark.usefixtures("wordfreq")
def test_a_language_without_a_list_is_named_and_others_are_offered() -> None:
    with pytest.raises(UsageError, match="'xx'") as caught:
        Frequencies.of_language("xx")
    assert "en" in (caught.value.hint or "")
