"""The experiment: every estimator on two texts, held against what they really share."""

from __future__ import annotations

import pytest

from likewise import UsageError
from likewise.study.estimation import try_estimators
from likewise.study.estimators import ESTIMATORS
from likewise.study.estimators.exact import exact
from likewise.study.shingled import Shingled
from tests.study.pairs_of_sets import random_letters

SOUND = [name for name, estimator in ESTIMATORS.items() if estimator.sound]


def texts() -> tuple[str, str]:
    words = [f"w{i}" for i in range(900)]
    return " ".join(words[:600]), " ".join(words[300:])


@pytest.mark.parametrize("profile", ["word:1", "char:3,count=bag"])
def test_sound_estimators_settle_at_the_exact_value_and_their_intervals_hold_it(
    profile: str,
) -> None:
    a, b = texts() if profile == "word:1" else (random_letters(900, 1), random_letters(700, 2))
    made = try_estimators(
        a, b, profile=profile, estimators=SOUND, values=64, draws=200, times=60, seed=2
    )
    sides = [Shingled.of_text(text, profile) for text in (a, b)]
    assert made.exact == exact(*sides, values=1, seed=0).value
    for trial in made.trials:
        # Curved functions of an estimate are off by about the square of its deviation.
        curve = 2 * trial.repeats.deviation**2
        assert abs(trial.bias) <= 4.5 * trial.repeats.error + curve, trial.estimator.name
        assert trial.repeats.covering is not None
        assert trial.repeats.covering >= 50, trial.estimator.name


def test_the_published_ones_are_off() -> None:
    made = try_estimators(*texts(), profile="word:1", draws=100, times=20)
    trials = {trial.estimator.name: trial for trial in made.trials}
    assert list(trials) == list(ESTIMATORS)
    assert trials["sampling-published"].bias < -0.2
    # 200 rows: 1 - 2/5 of all x share a divisor with them.
    assert trials["rum-published"].repeats.mean == pytest.approx(0.6, abs=0.05)
    assert trials["ru"].bias > 0.1
    assert trials["rum-published"].draws == 100
    assert trials["rum-published"].values == 128
    assert trials["sampling-published"].values is None
    assert trials["minhash"].draws is None


def test_only_the_chosen_are_tried_and_progress_is_reported() -> None:
    told: list[tuple[str, int, int | None]] = []
    made = try_estimators(
        *texts(),
        estimators=["sketch", "exact", "sketch"],
        times=3,
        progress=lambda stage, done, total: told.append((stage, done, total)),
    )
    assert [trial.estimator.name for trial in made.trials] == ["sketch", "exact"]
    assert told == [("estimates", done, 6) for done in range(1, 7)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"a": ""}, "the first text has no shingles"),
        ({"b": " . "}, "the second text has no shingles"),
        ({"estimators": ["simhash"]}, "no estimator 'simhash'"),
        ({"estimators": []}, "no estimator was named"),
        ({"values": 0}, "values is 0"),
        ({"draws": 0}, "draws is 0"),
        ({"times": 1}, "repeats is 1"),
        ({"level": 2}, "level is 2"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_arguments_are_reported(arguments: dict[str, object], told: str) -> None:
    a, b = texts()
    with pytest.raises(UsageError, match=told):
        try_estimators(**({"a": a, "b": b} | arguments))  # type: ignore[arg-type]
