"""`likewise dedup` as a user runs it, kills it, and starts it again."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.cli.conftest import Run
from tests.dedup.made import texts, write_parquet

COMMAND = [sys.executable, "-m", "likewise", "dedup"]


def test_dedup(run: Run, tmp_path: Path) -> None:
    write_parquet(
        tmp_path / "in.parquet", ["one two three", "other words here", "One, two, three!"]
    )
    result = run("dedup", "in.parquet", "-o", "out.parquet", "--report", "report.json", "--stats")
    assert result.status == 0
    assert result.out == b""
    assert "3 documents read, 2 kept, 1 removed (33.3%)" in result.err
    assert "removed: 1 with the same shingles as a kept one" in result.err
    assert "peak: " in result.err
    assert parquet.read_table(tmp_path / "out.parquet")["id"].to_pylist() == ["d0", "d1"]
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["examples"][0]["removed_text"] == "One, two, three!"
    assert told["examples"][0]["kept"] == "d0"
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "out.parquet", "report.json"]


def test_groups(run: Run, tmp_path: Path) -> None:
    rows = [f"{i},{site},{text}\n" for i, (site, text) in enumerate(
        [("news", "one two three"), ("news", "One two three!"), ("blog", "one two three."),
         ("", "other words here"), ("", "other words here")]
    )]  # fmt: skip
    (tmp_path / "in.csv").write_text(
        "id,site,text\n" + "".join(rows).replace("one, two,", "one two")
    )
    result = run("dedup", "in.csv", "-o", "out.csv", "--within", "site")
    assert "5 documents read, 4 kept, 1 removed (20.0%)" in result.err
    assert "2 documents have no group; they are in no pair" in result.err
    assert "\n1,news" not in (tmp_path / "out.csv").read_text()
    result = run("dedup", "in.csv", "-o", "out.csv", "--across", "site", "--overwrite")
    assert "5 documents read, 3 kept, 2 removed (40.0%)" in result.err
    assert "\n2,blog" not in (tmp_path / "out.csv").read_text()
    assert "\n4,," not in (tmp_path / "out.csv").read_text()
    for options, message in (
        (["--within", "none"], "no column 'none'; it has 'id', 'site', 'text'"),
        (["--across", "site", "--measure", "containment"], "hint: use --measure jaccard, or"),
        (["--within", "site", "--engine", "spark"], "--within cannot be combined with --engine"),
        (["--within", "site", "--unit", "passage"], "within cannot be combined with unit"),
        (["--within", "site", "--save-signatures", "s"], "hint: omit --save-signatures, or"),
    ):
        result = run("dedup", "in.csv", "-o", "no.csv", *options)
        assert result.status == 2
        assert message in result.err


def test_documents_inside_longer_ones(run: Run, tmp_path: Path) -> None:
    page = " ".join(f"w{i}" for i in range(60))
    write_parquet(
        tmp_path / "in.parquet", [page, f"{page} and as much again {page[::-1]}", "other"]
    )
    result = run("dedup", "in.parquet", "-o", "out.parquet", "--measure", "containment")
    assert result.status == 0
    assert "3 documents read, 2 kept, 1 removed (33.3%)" in result.err
    assert "1 with 0.8 or more of their shingles in a kept one" in result.err
    assert "1 cluster, the largest of 2 documents\n" in result.err
    assert parquet.read_table(tmp_path / "out.parquet")["id"].to_pylist() == ["d1", "d2"]
    for options, message in (
        (["--chains", "join"], "hint: use --chains split"),
        (["--against", "none.db"], "none.db: no such file"),
    ):
        command = ["dedup", "in.parquet", "-o", "no.parquet", "--measure", "containment"]
        result = run(*command, *options)
        assert result.status == 2
        assert message in result.err
    assert not (tmp_path / "no.parquet").exists()


def test_lines(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a b c\nd e f\n\nA B C\n")
    assert run("dedup", "in.txt", "-o", "out.txt", "--quiet").status == 0
    assert (tmp_path / "out.txt").read_text() == "a b c\nd e f\n\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.parquet"], "-o"),
        (["in.parquet", "-o", ""], "name of the output is empty"),
        (["in.parquet", "-o", "out", "--keep", "best"], "first, longest or column:NAME"),
        (["in.parquet", "-o", "out", "--memory", "1MB"], "1MB of memory is too little"),
        (["in.parquet", "-o", "out", "--threshold", "2"], "threshold is 2.0"),
        (["in.parquet", "-o", "out", "--examples", "-1"], "examples is -1"),
        (["in.parquet", "-o", "out", "--report", "no/where.json"], "does not exist"),
        (
            ["in.parquet", "-o", "out", "--report", "in.parquet"],
            "is a file or folder that this command reads",
        ),
        (
            [".", "-o", "../out", "--report", "in.parquet"],
            "is a file or folder that this command reads",
        ),
        (["in.parquet", "-o", "out", "--report", "./out"], "would overwrite another file"),
        (["in.parquet", "-o", "no/where"], "does not exist"),
        (["in.parquet", "-o", "out", "--against", "no.db"], "no.db: no such file"),
        (["missing.parquet", "-o", "out"], "missing.parquet: no such file"),
        (["-", "-o", "out"], "cannot be read twice"),
    ],
)
def test_mistakes(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    write_parquet(tmp_path / "in.parquet", ["a b c"])
    result = run("dedup", *arguments)
    assert result.status == 2
    assert message in result.err
    assert os.listdir(tmp_path) == ["in.parquet"]


def test_an_output_that_exists(run: Run, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", ["a b c"])
    (tmp_path / "out.parquet").write_text("mine")
    result = run("dedup", "in.parquet", "-o", "out.parquet")
    assert result.status == 2
    assert "--overwrite" in result.err
    assert (tmp_path / "out.parquet").read_text() == "mine"
    assert run("dedup", "in.parquet", "-o", "out.parquet", "--overwrite").status == 0
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == 1


def test_what_cannot_be_read_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "a b c"}\nbroken\n{"text": "a b c"}\n')
    result = run("dedup", "in.jsonl", "-o", "out.jsonl", "--strict")
    assert result.status == 1
    assert "line 2" in result.err
    assert (tmp_path / "out.jsonl").read_text() == '{"text": "a b c"}\nbroken\n'


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that takes long enough to be killed in, and what comes out undisturbed."""
    home = tmp_path_factory.mktemp("large")
    (home / "in").mkdir()
    found = texts(3000, words=120)
    for i in range(6):
        write_parquet(home / "in" / f"{i}.parquet", found[i * 500 : i * 500 + 500])
    subprocess.run([*COMMAND, "in", "-o", "plain", "--annotate", "--quiet"], cwd=home, check=True)
    return home


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.slow
def test_killed_again_and_again(large: Path) -> None:
    """Killed at random moments until it gets through: the same bytes, and nothing left beside."""
    rng = random.Random(7)
    command = [*COMMAND, "in", "-o", "killed", "--annotate"]
    start = time.monotonic()
    subprocess.run(
        [*command[:-2], "timed", "--annotate"], cwd=large, check=True, capture_output=True
    )
    usual = time.monotonic() - start
    resumed = 0
    for attempt in range(40):
        # Later attempts get more time, so that the machine cannot keep them from the end.
        patience = rng.uniform(0.3, 1.0) * usual * (1 + attempt / 8)
        working = subprocess.Popen(command, cwd=large, stderr=subprocess.PIPE)
        try:
            _, told = working.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            working.send_signal(signal.SIGKILL)
            working.communicate()
            resumed += (large / ".killed.likewise" / "manifest.json").exists()
            if (large / "killed").exists():  # complete, and killed while it tidied up
                assert contents(large / "killed") == contents(large / "plain")
                if not (large / ".killed.likewise" / "manifest.json").exists():
                    shutil.rmtree(large / ".killed.likewise", ignore_errors=True)
                    break
            continue
        assert working.returncode == 0, told
        break
    assert contents(large / "killed") == contents(large / "plain")
    assert resumed > 0
    assert not [name for name in os.listdir(large) if name.startswith(".killed")]


@pytest.mark.slow
def test_terminated(large: Path) -> None:
    """SIGTERM ends a run as Ctrl-C does: it says how to go on."""
    for name, status in (("SIGTERM", 143), ("SIGINT", 130)):
        command = [*COMMAND, "in", "-o", name]
        working = subprocess.Popen(command, cwd=large, stderr=subprocess.PIPE, text=True)
        while not (large / f".{name}.likewise" / "manifest.json").exists():
            assert working.poll() is None
            time.sleep(0.01)
        working.send_signal(getattr(signal, name))
        _, told = working.communicate()
        assert working.returncode == status, told
        assert f".{name}.likewise: run the same command again to resume" in told
        assert not (large / name).exists()
        subprocess.run([*command, "--quiet"], cwd=large, check=True)
        assert not [left for left in os.listdir(large) if left.startswith(f".{name}")]


@pytest.mark.slow
def test_a_full_disk(large: Path) -> None:
    """No file may grow beyond a limit, which is how a full disk looks from inside."""
    command = [*COMMAND, "in", "-o", "full", "--quiet"]
    for limit in (3_000, 40_000, 150_000):
        limited = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
        failed = subprocess.run(
            command, cwd=large, capture_output=True, text=True, check=False, preexec_fn=limited
        )
        assert failed.returncode == 1
        assert "full" in failed.stderr
        assert "Traceback" not in failed.stderr
        assert not (large / "full").exists()
    subprocess.run([*command], cwd=large, check=True)
    plain = [*COMMAND, "in", "-o", "full-plain", "--quiet"]
    subprocess.run(plain, cwd=large, check=True)
    assert contents(large / "full") == contents(large / "full-plain")


def test_the_peak_of_memory_is_reported_and_held(large: Path) -> None:
    command = [*COMMAND, "in", "-o", "held", "--memory", "350MB", "--report", "held.json"]
    subprocess.run(command, cwd=large, check=True, capture_output=True)
    assert json.loads((large / "held.json").read_text())["peak_memory"] <= 350 * 10**6


def test_scratch_lies_where_it_is_told_to(large: Path, tmp_path: Path) -> None:
    command = [*COMMAND, "in", "-o", "elsewhere", "--scratch", str(tmp_path)]
    working = subprocess.Popen(command, cwd=large, stderr=subprocess.PIPE)
    while not list(tmp_path.glob("*/manifest.json")):
        assert working.poll() is None
        time.sleep(0.01)
    assert not (large / ".elsewhere.likewise").exists()
    working.communicate()
    assert working.returncode == 0
    assert os.listdir(tmp_path) == []


def test_signatures_do_not_replace_those_that_a_run_is_compared_with(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text('{"text": "one two three four five"}\n')
    first = [*COMMAND, "pages.jsonl", "-o", "a.jsonl", "--save-signatures", "known"]
    subprocess.run(first, cwd=tmp_path, check=True, capture_output=True)
    before = (tmp_path / "known").read_bytes()
    again = [*COMMAND, "pages.jsonl", "-o", "b.jsonl", "--against", "known"]
    done = subprocess.run(
        [*again, "--save-signatures", "./known"], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"known" in done.stderr
    assert (tmp_path / "known").read_bytes() == before
    assert not (tmp_path / "b.jsonl").exists()
