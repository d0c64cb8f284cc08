"""The law of a collection's own runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from likewise.statistics.collection_runs import MIN_TEXTS, CollectionLaw
from likewise.text.words import words_of

ESSAYS = Path(__file__).resolve().parents[2] / "samples/essays"


def test_the_sample_essays_have_the_published_rates() -> None:
    texts = [words_of(path.read_text(encoding="utf-8")).hashes for path in sorted(ESSAYS.iterdir())]
    law = CollectionLaw.of(texts, min_texts=30)
    assert law is not None
    assert (law.texts, law.pairs) == (35, 577)
    assert law.rate(1) == pytest.approx(433364 / 40_780_307)
    assert law.rate(4) == pytest.approx(7.52672e-7, rel=1e-5)
    assert law.rate(6) == pytest.approx(2.95165e-9, rel=1e-5)
    assert law.tail == 0.25


def test_a_small_collection_has_no_law_of_its_own() -> None:
    texts = [np.arange(50, dtype=np.uint64)] * (MIN_TEXTS - 1)
    assert CollectionLaw.of(texts) is None
    assert CollectionLaw.of(texts[:2], min_texts=2) is None  # copies of each other only


def test_texts_full_of_one_phrase_share_it_by_chance() -> None:
    random = np.random.default_rng(1)
    phrase = np.arange(6, dtype=np.uint64)
    texts = []
    for _ in range(MIN_TEXTS):
        words = random.integers(10, 10**6, 300).astype(np.uint64)
        if random.random() < 0.5:
            words[100:106] = phrase
        texts.append(words)
    law = CollectionLaw.of(texts)
    assert law is not None
    # Half of the texts have the phrase, and so a quarter of the pairs share it.
    assert 0.05 < law.p(300, 300, 6) < 0.5
    assert law.p(300, 300, 12) < 1e-2
