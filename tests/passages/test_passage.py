"""Passages: what their kinds and scores mean, against trying everything."""

from __future__ import annotations

import json
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.passages.passage import Match, Passage, _in_order, kind_of, score_of

Runs = list[tuple[int, int, int]]


@st.composite
def runs(draw: st.DrawFn) -> Runs:
    """Matched words of a passage: runs apart in a, in any order in b."""
    lengths = draw(st.lists(st.integers(1, 6), max_size=7))
    order = draw(st.permutations(range(len(lengths))))

    def starts(of: list[int]) -> list[int]:
        places, at = [], 0
        for length in of:
            at += draw(st.integers(0, 4))
            places.append(at)
            at += length
        return places

    in_a, in_b = starts(lengths), starts([lengths[i] for i in order])
    return [(in_a[i], in_b[order.index(i)], length) for i, length in enumerate(lengths)]


def is_in_order(chosen: Runs) -> bool:
    return [b for _, b, _ in chosen] == sorted(b for _, b, _ in chosen)


@given(runs())
def test_words_in_order_are_the_most_that_any_choice_of_runs_has(matched: Runs) -> None:
    choices = (c for n in range(len(matched) + 1) for c in combinations(matched, n))
    assert _in_order(matched) == max(
        sum(words for _, _, words in chosen) for chosen in choices if is_in_order(list(chosen))
    )


def matched_less_changed(stretch: Runs) -> int:
    score = sum(words for _, _, words in stretch)
    for (a, b, words), (next_a, next_b, _) in pairwise(stretch):
        score -= max(next_a - a - words, next_b - b - words)
    return score


@given(runs())
def test_the_score_is_that_of_the_best_stretch_of_runs(matched: Runs) -> None:
    stretches = [
        matched[i:j]
        for i in range(len(matched))
        for j in range(i + 1, len(matched) + 1)
        if is_in_order(matched[i:j])
    ]
    assert score_of(matched) == max(map(matched_less_changed, stretches), default=0)


@given(runs(), st.integers(0, 10), st.integers(0, 10))
def test_the_kind_is_by_words_neighbours_and_order(matched: Runs, more_a: int, more_b: int) -> None:
    pairs = [(a + i, b + i) for a, b, words in matched for i in range(words)]
    words_a = max((a for a, _ in pairs), default=0) + 1 + more_a
    words_b = max((b for _, b in pairs), default=0) + 1 + more_b
    neighbours = sum((a + 1, b + 1) in pairs for a, b in pairs)
    same = len(pairs) >= 0.95 * max(words_a, words_b)
    together = neighbours >= 0.9 * (len(pairs) - 1)
    in_order = _in_order(matched) >= 0.7 * len(pairs)
    # Runs that touch on both sides are one, and are given as such.
    if neighbours == len(pairs) - len(matched):
        expected = "verbatim" if same and together else "edited" if in_order else "reordered"
        assert kind_of(words_a, words_b, matched) == expected


@pytest.mark.parametrize(
    ("words_a", "words_b", "matched", "kind", "score"),
    [
        (100, 100, [(0, 0, 100)], "verbatim", 100),
        (100, 102, [(0, 0, 50), (51, 53, 49)], "verbatim", 96),
        (100, 130, [(0, 0, 50), (50, 80, 50)], "edited", 70),
        (100, 100, [(0, 0, 30), (40, 40, 30), (80, 80, 20)], "edited", 60),
        (100, 100, [(i, 98 - i, 2) for i in range(0, 100, 2)], "reordered", 2),
        (100, 100, [(0, 50, 50), (50, 0, 50)], "reordered", 50),
    ],
)
def test_kind_and_score_of_some(
    words_a: int, words_b: int, matched: Runs, kind: str, score: int
) -> None:
    assert (kind_of(words_a, words_b, matched), score_of(matched)) == (kind, score)


PASSAGE = Passage(
    0, 10, 5, 15, 3, 2, 1.0, "verbatim", 12.5, 4, 5, 2, 0.001, "quoted", "neither",
    (Match(0, 4, 5, 9), Match(6, 8, 1, 3)),
)  # fmt: skip


def test_a_passage_becomes_json() -> None:
    assert json.loads(json.dumps(PASSAGE.to_dict())) == {
        "a_start": 0,
        "a_end": 10,
        "b_start": 5,
        "b_end": 15,
        "words": 3,
        "run": 2,
        "similarity": 1.0,
        "kind": "verbatim",
        "evidence": 12.5,
        "a_words": 4,
        "b_words": 5,
        "score": 2,
        "p": 0.001,
        "a_attribution": "quoted",
        "b_attribution": "neither",
    }


def test_turned_it_is_seen_from_the_other_side() -> None:
    turned = PASSAGE.turned()
    assert (turned.a_start, turned.a_end, turned.b_start, turned.b_end) == (5, 15, 0, 10)
    assert (turned.a_words, turned.b_words) == (5, 4)
    assert (turned.a_attribution, turned.b_attribution) == ("neither", "quoted")
    assert turned.matches == (Match(1, 3, 6, 8), Match(5, 9, 0, 4))
    assert turned.turned() == PASSAGE
