"""Repeats: mean, deviation and coverage of what was really estimated."""

from __future__ import annotations

import numpy as np
import pytest

from likewise import UsageError
from likewise.statistics.estimate import Estimate
from likewise.study.estimators import ESTIMATORS, Estimator
from likewise.study.repeats import repeat
from likewise.study.shingled import Shingled

A, B = Shingled.of_set(range(60)), Shingled.of_set(range(20, 80))


def scripted(values: list[float], **more: bool) -> Estimator:
    """An estimator that gives these values in turn, with intervals of 0.1 on both sides."""
    left = iter(values)

    def function(
        a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
    ) -> Estimate:
        value = next(left)
        return Estimate(value, value - 0.1, value + 0.1, level, "made up")

    return Estimator("scripted", function, "Made up.", "jaccard", sound=True, **more)


def test_what_it_reports_is_what_was_estimated() -> None:
    given = [0.25, 0.5, 0.5, 0.75]
    done = repeat(scripted(given), A, B, values=1, times=4, truth=0.5)
    assert done.values.tolist() == given
    assert done.mean == 0.5
    assert done.deviation == pytest.approx(np.std(given, ddof=1))
    assert done.error == pytest.approx(done.deviation / 2)
    assert done.covering == 2
    assert done.coverage == 0.5
    assert done.seconds >= 0


def test_without_a_truth_or_an_interval_there_is_no_coverage() -> None:
    assert repeat(scripted([0.5, 0.5]), A, B, values=1, times=2).coverage is None
    blind = scripted([0.5, 0.5], has_interval=False)
    assert repeat(blind, A, B, values=1, times=2, truth=0.5).coverage is None


def test_every_repeat_has_a_seed_of_its_own_and_all_follow_from_one() -> None:
    made = [
        repeat(ESTIMATORS["minhash"], A, B, values=50, times=20, seed=seed).values
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(made[0], made[1])
    assert not np.array_equal(made[0], made[2])
    assert len(set(made[0].tolist())) > 5


def test_progress_is_reported() -> None:
    done: list[int] = []
    repeat(ESTIMATORS["exact"], A, B, values=1, times=3, progress=done.append)
    assert done == [1, 2, 3]


def test_one_estimate_has_no_deviation() -> None:
    with pytest.raises(UsageError, match="times is 1"):
        repeat(ESTIMATORS["exact"], A, B, values=1, times=1)
