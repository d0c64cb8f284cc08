"""Times of a search: what is timed, and that it is the search that a user gets."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from likewise import Profile, find_pairs
from likewise.documents import Batch
from likewise.documents.ids import RowIds
from likewise.documents.texts import text_array
from likewise.errors import UsageError
from likewise.study.reports.timing import timing_rows, timing_text
from likewise.study.timing import Timing, TimingPlan, time_search


def texts(documents: int = 60) -> list[str]:
    """Random words; every third document is the one before it with three words changed."""
    chance = random.Random(2)
    made: list[str] = []
    for number in range(documents):
        words = [f"w{chance.randrange(300)}" for _ in range(40)]
        if number % 3 == 2:
            words = made[-1].split()
            for place in chance.sample(range(40), 3):
                words[place] = "changed"
        made.append(" ".join(words))
    return made


def batches(documents: list[str], size: int = 25) -> list[Batch]:
    return [
        Batch(RowIds("", range(begin, begin + len(part))), text_array(part))
        for begin in range(0, len(documents), size)
        for part in [documents[begin : begin + size]]
    ]


def timed(**options: object) -> Timing:
    given = {"lengths": [1, 2, 3], "values": [16, 64], "repeats": 2, "threads": 1}
    plan = TimingPlan.checked(**(given | options))  # type: ignore[arg-type]
    return time_search(batches(texts()), plan, read_seconds=0.25)


def test_every_setting_finds_what_find_pairs_finds() -> None:
    timing = timed()
    profile = Profile.of("word:3")
    assert [(run.k, run.values) for run in timing.by_length] == [(1, 128), (2, 128), (3, 128)]
    assert [(run.k, run.values) for run in timing.by_values] == [(3, 16), (3, 64)]
    for run in [timing.base, *timing.by_length, *timing.by_values]:
        found = find_pairs(
            texts(), profile=replace(profile, k=run.k), threshold=0.5, values=run.values
        )
        assert run.pairs == len(found)
        assert run.candidates == found.stats.counts.get("candidates")
    assert timing.base.pairs >= 15


def test_stages_are_those_of_a_search_and_the_base_has_the_reading() -> None:
    timing = timed()
    stages = {"sketch", "copies", "candidates", "verify", "order"}
    assert set(timing.base.seconds) == stages | {"read"}
    assert timing.base.seconds["read"] == 0.25
    assert set(timing.by_length[2].seconds) == stages
    # The same search once more, which is run only once.
    assert timing.base.total == pytest.approx(timing.by_length[2].total + 0.25)
    assert (timing.documents, timing.bytes) == (60, sum(map(len, texts())))


def test_too_few_values_are_reported_as_an_exact_search() -> None:
    timing = timed(threshold=0.05, values=[2, 128])
    exact = timing.by_values[0]
    assert (exact.layout, exact.candidates) == (None, None)
    assert "exact join" in exact.seconds
    assert exact.pairs >= timing.by_values[1].pairs > 0
    (line,) = (line for line in timing_text(timing).splitlines() if line.endswith("  exact"))
    assert line.split()[0] == "2"


def test_a_setting_named_twice_is_timed_once() -> None:
    timing = timed(lengths=[2, 2], values=[64, 64, 64])
    assert (len(timing.by_length), len(timing.by_values)) == (1, 1)


def test_a_row_for_every_stage_and_total() -> None:
    timing = timed(repeats=1)
    table = timing_rows(timing).to_arrow().to_pylist()
    for run, by in [(timing.base, "stage"), *((run, "values") for run in timing.by_values)]:
        rows = [row for row in table if row["by"] == by and row["values"] == run.values]
        assert {row["stage"]: row["seconds"] for row in rows} == {
            **run.seconds,
            "total": run.total,
        }
        assert {row["pairs"] for row in rows} == {run.pairs}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"lengths": [0]}, "k is 0"),
        ({"lengths": []}, "at least one"),
        ({"values": [0]}, "values is 0"),
        ({"values": []}, "at least one"),
        ({"threshold": 0}, "greater than 0"),
        ({"recall": 1.0}, "recall is 1.0"),
        ({"repeats": 0}, "repeats is 0"),
        ({"profile": "nothing"}, "neither a preset"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_bad_settings_are_reported(options: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        timed(**options)
