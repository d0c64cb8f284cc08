"""Texts made of a source: what their words are, and that they are the same every time."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.texts.chain import Chain, ensure, facts

TEXT = "the cat saw the dog and the dog saw the old cat , and then the cat ran "
SOURCE = (50 * TEXT).split()


def test_words_mostly_follow_each_other_as_in_the_source() -> None:
    kept = [word for word in SOURCE if word != ","]
    known = set(pairwise([*kept, kept[0]]))
    made = list(Chain(SOURCE).texts(np.full(100, 200), np.random.default_rng(1)))
    steps = Counter(step in known for text in made for step in pairwise(text.split()))
    assert {word for text in made for word in text.split()} == set(kept)
    assert 0 < steps[False] < 0.05 * steps[True]


def test_a_text_has_as_many_words_as_wanted() -> None:
    lengths = np.array([3, 50, 1, 50, 20])
    made = Chain(SOURCE).texts(lengths, np.random.default_rng(1))
    assert [len(text.split()) for text in made] == lengths.tolist()


def test_what_is_no_word_or_many_is_left_out() -> None:
    words = ["-", '"Well,', "http://example.org/a/b", "state-of-the", "a.b.c.d", "U.S.", "½"]
    (text,) = Chain(words).texts(np.array([200]), np.random.default_rng(1))
    assert set(text.split()) == {'"Well,', "state-of-the", "U.S.", "½"}


def test_a_corpus_is_the_beginning_of_a_larger_one(tmp_path: Path) -> None:
    chain = Chain(SOURCE)
    paths = [
        ensure(chain, tmp_path / name, texts, words=30, spread=0.2, seed=1)
        for name, texts in (("small", 5_100), ("large", 5_200))
    ]
    small, large = (path.read_text().splitlines() for path in paths)
    assert len(small) == 5_100
    assert large[:5_100] == small
    assert facts(paths[1])["documents"] == 5_200
    assert facts(paths[1])["words"] == sum(len(text.split()) for text in large)


def test_a_larger_corpus_that_is_there_is_used(tmp_path: Path) -> None:
    chain = Chain(SOURCE)
    large = ensure(chain, tmp_path, 20, words=30, spread=0.2, seed=1)
    assert ensure(chain, tmp_path, 10, words=30, spread=0.2, seed=1) == large
    assert ensure(chain, tmp_path, 30, words=30, spread=0.2, seed=1) != large
    assert ensure(chain, tmp_path, 10, words=30, spread=0.2, seed=2) != large
