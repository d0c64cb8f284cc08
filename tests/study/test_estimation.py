"""The experiment: every estimator on two texts, held against what they really share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from likewise import UsageError
from likewise.study.estimation import try_estimators
from likewise.study.estimators import ESTIMATORS
from likewise.study.estimators.exact import exact
from likewise.study.repeats import repeat
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
        assert trial.repeats.held is not None
        assert trial.repeats.held >= 50, trial.estimator.name


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


def test_only_the_chosen_are_tried_and_progress_is_told() -> None:
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
def test_bad_arguments_are_told(arguments: dict[str, object], told: str) -> None:
    a, b = texts()
    with pytest.raises(UsageError, match=told):
        try_estimators(**({"a": a, "b": b} | arguments))  # type: ignore[arg-type]


# --- the Gospels, Louis Segond 1910: set LIKEWISE_GOSPELS to a folder with john.txt and so on

GOSPELS = os.environ.get("LIKEWISE_GOSPELS")
needs_gospels = pytest.mark.skipif(not GOSPELS, reason="LIKEWISE_GOSPELS names no folder")
TABLE_8 = {
    ("john", "luke"): (57.0, 47.50),
    ("john", "mark"): (58.3, 46.46),
    ("john", "matthew"): (58.2, 46.04),
    ("luke", "mark"): (55.0, 50.79),
    ("luke", "matthew"): (73.8, 50.26),
    ("mark", "matthew"): (58.3, 52.28),
}


def gospel(name: str) -> Shingled:
    return Shingled.of_text(Path(str(GOSPELS), f"{name}.txt").read_text("utf-8"), "gospels")


@needs_gospels
@pytest.mark.parametrize("pair", TABLE_8)
def test_table_8_and_tables_9_to_12_are_reproduced(pair: tuple[str, str]) -> None:
    a, b = map(gospel, pair)
    truth, published = TABLE_8[pair]
    assert 100 * exact(a, b, values=1, seed=0).value == pytest.approx(truth, abs=0.5)
    sampled = repeat(ESTIMATORS["sampling-published"], a, b, values=10_000, times=10)
    assert 100 * sampled.mean == pytest.approx(published, abs=2)
    rum = repeat(ESTIMATORS["rum-published"], a, b, values=20, times=200)
    assert 100 * rum.mean == pytest.approx(60, abs=3.5)
    assert 100 * rum.deviation == pytest.approx(11, abs=2)


@needs_gospels
def test_sampling_luke_and_matthew_creeps_up_with_the_draws() -> None:
    a, b = gospel("luke"), gospel("matthew")
    for draws, value in (
        (1000, 0.22),
        (3000, 0.34),
        (10_000, 0.51),
        (30_000, 0.64),
        (80_000, 0.73),
    ):
        sampled = repeat(ESTIMATORS["sampling-published"], a, b, values=draws, times=5)
        assert sampled.mean == pytest.approx(value, abs=0.02)
