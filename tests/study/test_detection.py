"""Copies with replaced lines: how they are made, when they are found, what was to be expected."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import Layout, Profile, find_pairs
from likewise.errors import UsageError
from likewise.study import detection as module
from likewise.study.altered import cut_documents
from likewise.study.detection import Detection, detect_copies, law_of_count
from likewise.study.reports.detection import detection_rows, detection_text


def collection(documents: int = 40, lines: int = 20, words: int = 12, seed: int = 1) -> list[str]:
    """Documents of random words, the lines of different lengths."""
    chance = random.Random(seed)
    return [
        "\n".join(
            " ".join(f"w{chance.randrange(5000)}" for _ in range(chance.randint(2, words)))
            for _ in range(lines)
        )
        for _ in range(documents)
    ]


def detect(texts: list[str], **options: object) -> Detection:
    return detect_copies(texts, **({"profile": "word:2", "tries": 20} | options))  # type: ignore[arg-type]


# --- seen and expected


@pytest.mark.parametrize("estimator", ["sketch", "permutations"])
def test_seen_is_what_the_measured_similarity_lets_expect_and_not_what_the_share_does(
    estimator: str,
) -> None:
    found = detect(collection(), estimator=estimator, tries=200, layouts=[Layout(20, 5)])
    assert found.p_value > 0.001
    for cell in found.cells:
        assert cell.z is not None
        assert abs(cell.z) < 4
        spread = (cell.tries * cell.expected * (1 - cell.expected)) ** 0.5
        assert abs(cell.found - cell.tries * cell.expected) < 4 * spread + 1
    at_half = next(cell for cell in found.cells if cell.share == 0.5)
    # As if half of the lines were half of the similarity: 0.47 of 200 copies.
    assert at_half.ideal == pytest.approx(0.470, abs=1e-3)
    assert at_half.found < 0.25 * at_half.tries
    assert at_half.jaccard_mean == pytest.approx(1 / 3, abs=0.05)


def test_both_estimators_get_the_same_copies() -> None:
    texts = collection()
    sketch, permutations = (detect(texts, estimator=name).cells for name in module.ESTIMATORS)
    assert [cell.jaccard_mean for cell in sketch] == [cell.jaccard_mean for cell in permutations]
    assert [cell.expected for cell in sketch] == [cell.expected for cell in permutations]


def test_expectations_follow_the_law_of_bands() -> None:
    (cell,) = detect(collection(), shares=[0.6], layouts=[Layout(25, 4)]).cells
    assert cell.ideal == pytest.approx(1 - (1 - 0.6**4) ** 25)
    assert cell.one_sided == pytest.approx(1 - (1 - (0.6 / 1.4) ** 4) ** 25)


def test_a_result_that_does_not_fit_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def never_found(task: object, layout: Layout, profile: Profile) -> tuple[bool, float]:
        return False, 0.5

    monkeypatch.setattr(module, "_by_sketch", never_found)
    found = detect(collection(), layouts=[Layout(20, 5)])
    assert found.p_value == 1 / (module.SIMULATIONS + 1)
    assert "differs from" in detection_text(found)
    assert all(cell.z is not None and cell.z < -3 for cell in found.cells)


def test_copies_that_cannot_differ_are_all_found_and_leave_nothing_to_chance() -> None:
    found = detect(["\n".join(["the same line again"] * 5)] * 2)
    assert {(cell.seen, cell.jaccard_mean, cell.z) for cell in found.cells} == {(1.0, 1.0, None)}
    assert found.p_value == 1
    assert detection_rows(found).to_arrow()["z"].null_count == len(found.cells)


@given(st.lists(st.floats(0, 1), max_size=7))
def test_the_law_of_the_count_is_that_of_all_outcomes(chances: list[float]) -> None:
    slow = np.zeros(len(chances) + 1)
    for outcome in product([0, 1], repeat=len(chances)):
        slow[sum(outcome)] += np.prod(
            [p if hit else 1 - p for p, hit in zip(chances, outcome, strict=True)]
        )
    assert law_of_count(np.array(chances)) == pytest.approx(slow, abs=1e-12)


# --- a try is what a search does

TEXTS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30).map(" ".join)


@given(TEXTS, TEXTS, st.integers(0, 2**63 - 1), st.sampled_from([(4, 1), (5, 2), (2, 3)]))
def test_a_copy_is_found_if_and_only_if_a_search_finds_it(
    original: str, copy: str, seed: int, shape: tuple[int, int]
) -> None:
    bands, rows = shape
    profile = Profile.of("word:2")
    task = module._Task(original, copy, seed)
    found, jaccard = module._by_sketch(task, Layout(bands, rows), profile)
    pairs = find_pairs(
        [original, copy], profile=replace(profile, seed=seed), bands=bands, rows=rows,
        values=bands * rows, threshold=1e-9, threads=1,
    )  # fmt: skip
    if jaccard > 0:
        assert found == (len(pairs) == 1)
    if len(pairs):
        assert jaccard == pairs[0].jaccard
    assert module._by_permutations(task, Layout(bands, rows), profile)[1] == pytest.approx(jaccard)


# --- how copies are made


@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 0.9]))
def test_a_copy_holds_lines_of_the_collection_and_leaves_wordless_ones(
    seed: int, share: float
) -> None:
    original = "one\r\n\n -- \ntwo three\nfour\n\nfive\nsix seven"
    other = "\n".join(f"other {i}" for i in range(6))
    pool, passed_over = cut_documents([original, other, "too\nshort"], "line", Profile(), 1)
    assert passed_over == 1
    rng = np.random.Generator(np.random.PCG64(seed))
    copied = pool[0].copy(share, pool, rng).split("\n")
    lines = original.split("\n")
    known = {line.strip() for line in [*lines, *other.split("\n")]} - {"", "--"}
    assert len(copied) == len(lines)
    for line, before in zip(copied, lines, strict=True):
        if before.strip(" \r-"):
            assert line.strip() in known
        else:
            assert line == before


def test_lines_are_kept_as_often_as_the_share_says() -> None:
    mine = "\n".join(f"mine {i}" for i in range(2000))
    others = ["\n".join(f"other{d} {i}" for i in range(50)) for d in range(99)]
    pool, _ = cut_documents([mine, *others], "line", Profile(), 1)
    copied = pool[0].copy(0.6, pool, np.random.Generator(np.random.PCG64(3))).split("\n")
    kept = sum(line == f"mine {i}" for i, line in enumerate(copied))
    assert kept == pytest.approx(1200, abs=4 * (2000 * 0.6 * 0.4) ** 0.5)
    # The others come from all documents alike, however long.
    donors = {line.split()[0] for line in copied}
    assert len(donors) > 95
    from_mine = sum(line.startswith("mine") for line in copied) - kept
    assert from_mine < 30


@pytest.mark.parametrize(
    "text",
    [
        "One here. Two there! Is three? Four 4.5 and.\nFive it is. Six",
        "一。二！三？四。五。六",
    ],
)
def test_sentences_serve_where_there_are_no_lines(text: str) -> None:
    with pytest.raises(UsageError, match="0 of 2 documents"):
        detect([text] * 2)
    found = detect([text] * 2, unit="sentence", tries=2)
    assert found.units == 12


def test_the_same_seed_gives_the_same_result_whatever_the_threads() -> None:
    texts = collection()
    one = detect(texts, threads=1, tries=5)
    assert detect(texts, threads=3, tries=5) == one
    assert detect(texts, threads=1, tries=5, seed=1) != one


# --- what cannot be done


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"shares": [1.0]}, "less than 1"),
        ({"shares": [float("nan")]}, "less than 1"),
        ({"shares": []}, "at least one"),
        ({"layouts": [Layout(60000, 2)]}, "need 120,000 values"),
        ({"tries": 0}, "tries is 0"),
        ({"estimator": "guess"}, "sketch, permutations"),
        ({"unit": "page"}, "line, sentence"),
        ({"seed": -1}, "seed is -1"),
        ({"profile": "nothing"}, "neither a preset"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_bad_settings_are_reported(options: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        detect(collection(2), **options)


@pytest.mark.parametrize("texts", [[], collection(1), ["a\nb\nc\nd", "a\nb\nc\nd\n\n\n...\n"]])
def test_two_documents_with_lines_are_needed(texts: list[str]) -> None:
    with pytest.raises(UsageError, match="at least 2 are needed"):
        detect(texts)
