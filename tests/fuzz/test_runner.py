"""The runner itself: every outcome is noticed, and the inputs after it still run."""

from __future__ import annotations

import os
import signal
import time
from random import Random

from likewise.errors import UsageError
from tests.fuzz.kinds import Kind
from tests.fuzz.outcomes import LostError, Outcome
from tests.fuzz.results import merge_runs, read_runs, table, write_runs
from tests.fuzz.runner import run


def every_outcome(rng: Random) -> Outcome:
    print("not an answer")
    match rng.randrange(8):
        case 0:
            os.kill(os.getpid(), signal.SIGSEGV)
        case 1:
            time.sleep(60)
        case 2:
            raise LostError("a document")
        case 3:
            raise KeyError("x")
        case 4:
            raise UsageError("a reason")
        case 5:
            bytearray(1 << 32)
        case 6:
            os._exit(3)
    return "ok"


def ok(rng: Random) -> Outcome:
    return "ok"


EVERY = Kind("every", "tests.fuzz.test_runner:every_outcome")


def test_every_outcome_is_counted_and_the_run_goes_on(capfd):
    result = run(EVERY, 10, seed=55, hang=3)
    assert result.inputs == 10
    assert {"crash", "hang", "silent loss", "traceback", "clear error"} < set(result.outcomes)
    assert len(result.findings) == 10 - result.outcomes["ok"] - result.outcomes["clear error"]
    assert {finding.message for finding in result.findings if finding.outcome == "crash"} == {
        "SIGSEGV",
        "exit status 3",
    }
    assert any("MemoryError" in finding.message for finding in result.findings)
    assert "Fatal Python error: Aborted" in capfd.readouterr().err  # where it hung


def test_a_run_of_some_inputs_is_part_of_the_whole():
    whole = run(EVERY, 4, seed=10, hang=3)
    part = run(EVERY, 2, seed=10, start=2, hang=3)
    assert part.findings == [finding for finding in whole.findings if finding.number >= 2]


def test_a_run_stops_at_its_time():
    assert 0 < run(Kind("ok", "tests.fuzz.test_runner:ok"), 10**9, seconds=1).inputs < 10**9


def test_runs_are_merged_into_one_table(tmp_path):
    first = run(Kind("ok", "tests.fuzz.test_runner:ok"), 1500)
    second = run(Kind("ok", "tests.fuzz.test_runner:ok"), 500, seed=1)
    write_runs(tmp_path / "a.json", [first, second])
    read = read_runs(tmp_path / "a.json")
    assert read == [first, second]
    assert merge_runs([*read, first]) == read
    assert "| ok | 2,000 | 2,000 | 0 | 0 | 0 | 0 | 0 |" in table(read)
    page = (tmp_path / "a.md").read_text("utf-8")
    assert page.startswith("# Fuzzing")
    assert "mended" not in page


def test_what_was_found_before_is_kept(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"mended": ["a crash"], "runs": []}', "utf-8")
    write_runs(path, [run(Kind("ok", "tests.fuzz.test_runner:ok"), 10)])
    write_runs(path, read_runs(path))
    assert path.with_suffix(".md").read_text("utf-8").endswith("mended\n\n- a crash\n")
