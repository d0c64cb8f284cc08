"""The seven steps: what follows from them, for texts that share much, little and nothing."""

from __future__ import annotations

import numpy as np
import pytest

from likewise.comparison.comparison import compare
from likewise.errors import UsageError
from likewise.study.pair import study_pair
from likewise.study.reports.pair import pair_text


def words(seed: int, count: int = 300) -> list[str]:
    return [f"w{i}" for i in np.random.default_rng(seed).integers(0, 150, count)]


ORIGINAL = words(1)
COPY = " ".join(ORIGINAL[:200] + words(2, 100))
TEXT = " ".join(ORIGINAL)


def test_a_copy_is_above_chance_and_its_intervals_hold() -> None:
    study = study_pair(TEXT, COPY, repeats=100)
    assert study.exact == compare(TEXT, COPY, trials=0).similarity
    assert study.above_chance
    assert study.estimate.low <= study.exact <= study.estimate.high
    assert study.repeats.mean == pytest.approx(study.exact, abs=5 * study.repeats.error)
    assert (study.repeats.coverage or 0) > 0.9
    assert "The texts share more than their words give by chance" in pair_text(study, "a", "b")


def test_random_order_is_not_above_chance() -> None:
    shuffled = list(ORIGINAL)
    np.random.default_rng(3).shuffle(shuffled)
    study = study_pair(TEXT, " ".join(shuffled), profile="word:2", repeats=5)
    assert not study.above_chance
    assert "within what their words give" in pair_text(study, "a", "b")


def test_the_null_that_was_chosen_decides() -> None:
    # Different texts in one small vocabulary: above the urn as single letters, not as words.
    study = study_pair(TEXT, " ".join(words(5)), profile="char:1,count=bag", null="urn", repeats=3)
    assert study.nulls[0].chance.null == "urn"
    assert study.nulls[0].chance.p_value < 1e-6
    by_words = study_pair(TEXT, " ".join(words(5)), profile="char:1,count=bag", repeats=3)
    assert by_words.nulls[0].chance.p_value == 1
    assert "So do any two texts in one language" in pair_text(study, "a", "b")


def test_an_estimator_that_is_blind_concludes_nothing() -> None:
    study = study_pair(TEXT, COPY, estimator="rum-published", values=20, repeats=20)
    said = pair_text(study, "a", "b")
    assert "It does not estimate the similarity" in said
    assert "None from this estimate" in said


def test_exact_needs_no_estimate() -> None:
    study = study_pair(TEXT, COPY, estimator="exact", repeats=2)
    assert study.repeats.deviation == 0
    assert f"{study.exact:.4f}, exact" in pair_text(study, "a", "b")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"null": "corpus"}, "null"),
        ({"estimator": "guess"}, "estimator"),
        ({"values": 0}, "values"),
        ({"level": 1.0}, "level"),
        ({"repeats": 1}, "repeats"),
    ],
)
def test_bad_arguments_are_reported(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        study_pair(TEXT, COPY, **options)  # type: ignore[arg-type]


def test_too_few_tries_conclude_nothing() -> None:
    study = study_pair(TEXT, COPY, trials=5, repeats=2)
    assert "5 trials are too few; use at least 19" in pair_text(study, "a", "b")
