"""What exactly these texts share: words of passages, shingles, runs, order."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.documents.document import Document
from likewise.study.traditions import (
    Figure,
    Traditions,
    count_exactly,
    lettered,
    run_figures,
    shingle_figures,
    subsets,
)
from likewise.survey.synopsis.synopsis import make_synopsis
from likewise.text.profile import Profile


def prose(name: str, words: int) -> str:
    """Words that occur nowhere else."""
    return " ".join(f"{name}{i}" for i in range(words))


ALL, AB, BC, OTHER_ALL = (prose(name, 30) for name in ("all", "ab", "bc", "again"))
A = f"{prose('a', 20)} {ALL} {prose('aa', 15)} {AB} {OTHER_ALL}"
B = f"{AB} {prose('b', 25)} {ALL} {BC} {OTHER_ALL}"
C = f"{OTHER_ALL} {BC} {prose('c', 10)} {ALL}"


def test_subsets_are_largest_first() -> None:
    assert list(subsets(3)) == [(0, 1, 2), (0, 1), (0, 2), (1, 2), (0,), (1,), (2,)]
    assert list(subsets(2, 2)) == [(0, 1)]


@given(sets=st.lists(st.sets(st.integers(0, 12)), min_size=1, max_size=5))
def test_every_element_is_counted_once_where_it_belongs(sets: list[set[int]]) -> None:
    found = count_exactly([np.array(sorted(one), np.uint64) for one in sets])
    for subset in subsets(len(sets)):
        inside = set.intersection(*(sets[i] for i in subset))
        outside = set(chain(*(one for i, one in enumerate(sets) if i not in subset)))
        assert found["".join("abcde"[i] for i in subset)] == len(inside - outside)
    assert sum(found.values()) == len(set(chain(*sets)))


def test_shingles_in_all_in_two_and_in_one() -> None:
    found = shingle_figures(
        ["one two three four", "two three four", "three four five"], Profile.of("word:2")
    )
    assert {figure.texts: count for figure, count in found.items()} == {
        "abc": 1, "ab": 1, "ac": 0, "bc": 0, "a": 1, "b": 0, "c": 1,
    }  # fmt: skip


def test_the_longest_run_of_each_two_and_of_all() -> None:
    found = run_figures([A, B, C])
    assert {figure.texts: run for figure, run in found.items()} == {
        "abc": 30, "ab": 30, "ac": 30, "bc": 30,
    }  # fmt: skip


def test_words_of_all_of_two_and_of_one() -> None:
    found = Traditions.of_texts([A, B, C], 12)
    assert found.columns == {"abc": 60, "ab": 30, "ac": 0, "bc": 30}
    assert found.alone == (35, 25, 10)
    figures = found.figures()
    assert figures[Figure("words", "abc")] == 60
    assert figures[Figure("words", "c")] == 10
    for i, size in enumerate(found.sizes):
        inside = sum(count for names, count in found.columns.items() if "abc"[i] in names)
        assert inside + found.alone[i] == size


def test_words_beside_a_family_agree_as_in_a_synopsis() -> None:
    # Five words more that two of the texts share are too few for a family of their own.
    edge = prose("edge", 5)
    texts = [f"{ALL} {prose('a', 20)}", f"{ALL} {edge} {prose('b', 9)}", f"{ALL} {edge}"]
    found = Traditions.of_texts(texts, 12)
    assert found.columns == {"abc": 30, "ab": 0, "ac": 0, "bc": 5}
    assert found.alone == (20, 9, 0)


ESSAYS = sorted((Path(__file__).parents[2] / "samples/essays").glob("*.txt"))


@given(texts=st.lists(st.sampled_from(ESSAYS), min_size=2, max_size=5))
@settings(max_examples=30)
def test_words_are_those_of_a_synopsis(texts: list[Path]) -> None:
    read = [path.read_text("utf-8") for path in texts]
    synopsis = make_synopsis([Document(text, id=str(i)) for i, text in enumerate(read)])
    found = Traditions.of_texts(read, 12).words
    traditions = {lettered(one.texts): one.words for one in synopsis.traditions}
    assert {names: words for names, words in found.items() if any(words)} == {
        names: words for names, words in traditions.items() if any(words)
    }


def test_the_order_of_texts_makes_no_difference() -> None:
    found, turned = Traditions.of_texts([A, B, C], 12), Traditions.of_texts([C, B, A], 12)
    assert found.alone == turned.alone[::-1]
    assert found.columns["ab"] == turned.columns["bc"]
    assert found.columns["abc"] == turned.columns["abc"]


def test_the_order_of_parallels() -> None:
    figures = Traditions.of_texts([A, B, C], 12).figures()
    # A: all, ab, again; B: ab, all, bc, again; C: again, bc, all.
    assert figures[Figure("order", "ab")] == 1 / 3
    assert figures[Figure("order", "ac")] == -1
    assert figures[Figure("order", "bc")] == -1
    assert figures[Figure("in order", "ab")] == 2 / 3
    assert figures[Figure("in order", "ac")] == 1 / 2


def test_a_wording_that_a_text_has_twice_is_one_tradition() -> None:
    twice = f"{ALL} {prose('a', 40)} {ALL}"
    found = Traditions.of_texts([twice, f"{prose('b', 9)} {ALL}"], 12)
    assert found.columns == {"ab": 30}
    assert found.words == {"ab": (60, 30), "a": (40,), "b": (9,)}
    assert found.alone == (40, 9)
    (first, second), weights = found.places(0, 1)
    assert (first.tolist(), second.tolist(), weights.tolist()) == ([0], [9], [30])


def test_nothing_shared() -> None:
    found = Traditions.of_texts([prose("a", 50), prose("b", 40), "short"], 12)
    assert set(found.columns.values()) == {0}
    assert found.alone == (50, 40, 1)
    orders = [found.figures()[Figure("order", a + b)] for a, b in combinations("abc", 2)]
    assert orders == [None, None, None]
