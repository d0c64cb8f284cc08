"""Several texts beside what chance gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from likewise.errors import UsageError
from likewise.statistics.family_runs import family_run_chance
from likewise.study.traditions import Figure
from likewise.study.witnesses import WitnessStudy, study_witnesses


def sentences(seed: int, count: int) -> list[str]:
    """Sentences of ten words, of which two are among the same three of every text."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(
            [*(f"s{seed}w{i}n{j}" for j in range(8)), *(f"w{j}" for j in rng.integers(3, size=2))]
        )
        + "."
        for i in range(count)
    ]


def between(common: list[str], own: list[str]) -> str:
    """The common sentences in this order, with others around them; a sentence per line."""
    size = len(own) // (len(common) + 1)
    parts = [own[: len(own) - size * len(common)]]
    for number, sentence in enumerate(common):
        begin = len(parts[0]) + size * number
        parts.append([sentence, *own[begin : begin + size]])
    return "\n".join(line for part in parts for line in part)


COMMON = sentences(1, 8)
A = between(COMMON, sentences(2, 80))
B = between(COMMON, sentences(4, 60))
C = between(COMMON[::-1], sentences(5, 70))
BOOKS = ["\n".join(sentences(seed, 100)) for seed in range(10, 22)]


@pytest.fixture(scope="module")
def study() -> WitnessStudy:
    return study_witnesses([A, B, C], unrelated=[*BOOKS, A], trials=19, min_words=8)


def level(study: WitnessStudy, null: str, measure: str, texts: str) -> tuple[float, float | None]:
    found = study.levels[null, Figure(measure, texts)]
    assert found.lowest <= found.low <= found.mean <= found.high <= found.highest
    assert found.trials <= 19
    return found.mean, found.p_value


def test_random_words_share_no_passages_and_few_shingles(study: WitnessStudy) -> None:
    assert study.figures[Figure("words", "abc")] == pytest.approx(80, abs=5)
    mean, p_value = level(study, "words", "words", "abc")
    assert mean < 20
    assert p_value is None
    mean, p_value = level(study, "words", "shingles", "abc")
    assert mean < 10 < (study.figures[Figure("shingles", "abc")] or 0)
    assert p_value == 1 / 20


def test_shuffled_lines_keep_what_is_shared_and_lose_the_order(study: WitnessStudy) -> None:
    for null in ("lines", "sentences"):
        mean, p_value = level(study, null, "words", "abc")
        assert 70 <= mean <= 90
        assert p_value is None
        mean, p_value = level(study, null, "order", "ab")
        assert abs(mean) < 0.5
        assert p_value == 1 / 20
        assert level(study, null, "order", "ac")[1] == 1


def test_unrelated_texts_share_nothing_and_give_p_values(study: WitnessStudy) -> None:
    assert level(study, "unrelated", "words", "abc") == (0, 1 / 20)
    assert level(study, "unrelated", "run", "abc")[1] == 1 / 20
    assert level(study, "unrelated", "shingles", "ab")[1] == 1 / 20
    assert level(study, "unrelated", "words", "a")[1] is None
    assert study.no_p == {}


def test_the_law_of_runs_needs_no_trials(study: WitnessStudy) -> None:
    assert 10 <= (study.figures[Figure("run", "abc")] or 0) <= 12
    assert 1e-6 <= study.run_chances["abc"] < 1e-5 < study.run_chances["ab"]
    assert set(study.run_chances) == {"abc", "ab", "ac", "bc"}
    alone = study_witnesses(["a b c d", "b c x", "y b c"], nulls=["words"], trials=1)
    assert alone.run_chances["abc"] >= family_run_chance([4, 3, 3], 2)


def test_trials_are_the_same_whichever_others_are_tried(study: WitnessStudy) -> None:
    alone = study_witnesses([A, B, C], nulls=["lines"], trials=19, min_words=8)
    assert alone.nulls == ["lines"]
    assert {key: found for key, found in study.levels.items() if key[0] == "lines"} == alone.levels
    other = study_witnesses([A, B, C], nulls=["lines"], trials=19, min_words=8, seed=1)
    assert other.levels != alone.levels
    assert other.figures == alone.figures


def test_a_text_of_one_line_has_no_lines_to_shuffle() -> None:
    found = study_witnesses([A, B.replace("\n", " ")], trials=2)
    assert found.left_out == {"lines": "too few lines in b"}
    assert found.nulls == ["words", "sentences"]


def test_short_unrelated_texts_give_levels_without_p_values() -> None:
    found = study_witnesses([A, B], unrelated=sentences(9, 200), nulls=["unrelated"], trials=2)
    assert "only 0 of 200" in found.no_p["unrelated"]
    assert all(one.p_value is None for one in found.levels.values())


@pytest.mark.parametrize(
    ("texts", "more", "reason"),
    [
        ([A], {}, "the number of texts is 1"),
        ([A] * 6, {}, "from 2 to 5"),
        ([A, "..."], {}, "text b has no words"),
        ([A, B], {"nulls": ["urn"]}, "null is 'urn'"),
        ([A, B], {"nulls": ["unrelated"]}, "requires unrelated texts"),
        ([A, B], {"unrelated": [A, B]}, "0 words"),
        ([A, B], {"trials": 0}, "trials"),
        ([A, B], {"seed": -1}, "seed"),
        ([A, B], {"min_words": 1}, "min_words"),
    ],
)
def test_bad_input_is_reported(texts: Sequence[str], more: dict[str, object], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        study_witnesses(texts, **more)  # type: ignore[arg-type]
