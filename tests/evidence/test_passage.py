"""Passages: what their kinds mean."""

from __future__ import annotations

import json

import pytest

from likewise.evidence.passage import Passage, kind_of


@pytest.mark.parametrize(
    ("words_a", "words_b", "shared", "in_order", "adjacent", "kind"),
    [
        (100, 100, 100, 100, 99, "verbatim"),
        (100, 102, 99, 99, 95, "verbatim"),
        (100, 130, 100, 100, 95, "edited"),
        (100, 100, 80, 78, 60, "edited"),
        (100, 100, 100, 20, 5, "reordered"),
        (100, 100, 100, 60, 97, "verbatim"),
    ],
)
def test_kind_is_what_is_inside(
    words_a: int, words_b: int, shared: int, in_order: int, adjacent: int, kind: str
) -> None:
    assert kind_of(words_a, words_b, shared, in_order, adjacent) == kind


def test_a_summary_is_one_whatever_its_order() -> None:
    assert kind_of(50, 900, 45, 45, 44, summary=True) == "summary"


def test_a_passage_becomes_json() -> None:
    passage = Passage(0, 10, 5, 15, 3, 2, 1.0, "verbatim", 12.5)
    assert json.loads(json.dumps(passage.to_dict())) == {
        "a_start": 0,
        "a_end": 10,
        "b_start": 5,
        "b_end": 15,
        "words": 3,
        "run": 2,
        "similarity": 1.0,
        "kind": "verbatim",
        "evidence": 12.5,
    }
