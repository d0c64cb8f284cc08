"""plagdet: cases small enough to be computed by hand."""

from __future__ import annotations

import math

import pytest

from benchmarks.passages.plagdet import Score, Stretches, score

CASE = Stretches("pair", 100, 200, 0, 100)


def test_a_detection_that_is_the_case_scores_one() -> None:
    assert score([CASE], [CASE]) == Score(1.0, 1.0, 1.0)
    assert score([CASE], [CASE]).plagdet == 1


def test_nothing_found_scores_nothing() -> None:
    assert score([CASE], []).plagdet == 0
    assert score([], [CASE]).plagdet == 0
    assert score([], []).plagdet == 0


def test_a_detection_must_share_both_sides_of_the_same_pair() -> None:
    elsewhere = Stretches("pair", 100, 200, 500, 600)
    other_pair = Stretches("other", 100, 200, 0, 100)
    touching = Stretches("pair", 200, 300, 0, 100)
    for wrong in (elsewhere, other_pair, touching):
        assert score([CASE], [wrong]) == Score(0.0, 0.0, 1.0)


def test_half_found_and_half_too_much() -> None:
    # On a 50 of its 100 characters, on b all 100: recall (50 + 100) / 200, and of the detection
    # (50 + 100) / (100 + 100).
    found = score([CASE], [Stretches("pair", 150, 250, 0, 100)])
    assert (found.precision, found.recall, found.granularity) == (0.75, 0.75, 1.0)
    assert found.plagdet == 0.75


def test_a_case_in_two_parts_costs_granularity_only() -> None:
    parts = [Stretches("pair", 100, 150, 0, 50), Stretches("pair", 150, 200, 50, 100)]
    found = score([CASE], parts)
    assert found == Score(1.0, 1.0, 2.0)
    assert found.plagdet == pytest.approx(1 / math.log2(3))


def test_characters_that_two_detections_hold_count_once() -> None:
    twice = [Stretches("pair", 100, 160, 0, 100), Stretches("pair", 140, 180, 0, 100)]
    assert score([CASE], twice).recall == (80 + 100) / 200


def test_means_go_over_cases_and_over_detections() -> None:
    missed = Stretches("pair", 1000, 2000, 1000, 2000)
    wrong = [Stretches("none", 0, 10, 0, 10)] * 2
    found = score([CASE, missed], [CASE, *wrong])
    assert (found.precision, found.recall) == (1 / 3, 1 / 2)
