"""`likewise study timing` as a user runs it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def tweets(tmp_path: Path) -> Path:
    """A file of 30 lines, the last ten nearly those of the first ten."""
    chance = random.Random(4)
    lines = [" ".join(f"w{chance.randrange(1000)}" for _ in range(15)) for _ in range(20)]
    lines += [f"{line} again" for line in lines[:10]]
    path = tmp_path / "tweets.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_three_tables_and_the_counts(run: Run, tweets: Path) -> None:
    result = run("study", "timing", tweets, "--profile", "tweets", "--repeats", 1)
    assert result.status == 0
    text = result.out.decode()
    assert text.startswith(f"30 documents, {len(tweets.read_text()) - 30:,} bytes of text\n")
    assert "measured on this machine" in text
    tables = text.split("\n\n")
    assert [table.split(",")[0] for table in tables[1:4]] == [
        "by stage",
        "by length of shingles",
        "by number of values",
    ]
    for stage in ("read", "sketch", "candidates", "verify", "total"):
        assert f"\n{stage} " in tables[1]
    lengths = [line.split()[0] for line in tables[2].splitlines()[2:]]
    values = [line.split()[0] for line in tables[3].splitlines()[2:]]
    assert lengths == ["2", "3", "4", "5", "6", "8", "10"]
    assert values == ["32", "64", "128", "256", "512"]
    assert "10 pairs" in tables[1]
    assert "one document per line" in result.err


def test_rows_count_what_pairs_finds(run: Run, tweets: Path) -> None:
    result = run(
        "study", "timing", tweets, "--lengths", 1, 2, "--values-list", 64, "--threshold", 0.6,
        "--format", "jsonl", "--quiet",
    )  # fmt: skip
    rows = [json.loads(line) for line in result.lines]
    totals = [row for row in rows if row["stage"] == "total"]
    assert [(row["by"], row["length"], row["values"]) for row in totals] == [
        ("stage", 3, 128), ("length", 1, 128), ("length", 2, 128), ("values", 3, 64),
    ]  # fmt: skip
    for row in totals:
        found = run(
            "pairs", tweets, "--profile", f"word:{row['length']}", "--values", row["values"],
            "--threshold", 0.6, "--format", "csv",
        )  # fmt: skip
        assert row["pairs"] == len(found.lines) - 1 == 10
    assert result.err == ""


def test_stdin_is_read_once(run: Run, tweets: Path) -> None:
    result = run("study", "timing", "-", "--lengths", 2, stdin=tweets.read_bytes())
    assert result.status == 0
    assert result.lines[0].startswith("30 documents")


def test_three_panels_are_drawn(run: Run, tweets: Path, tmp_path: Path) -> None:
    result = run("study", "timing", tweets, "--repeats", 1, "--plot", "times.svg")
    assert result.status == 0
    drawn = (tmp_path / "times.svg").read_bytes()
    for words in (b"by stage", b"length of shingles", b"values of a signature", b"verify"):
        assert words in drawn


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--lengths", "0"], "k is 0"),
        (["--lengths", "long"], "'long' is not a whole number"),
        (["--values-list", "0"], "values is 0"),
        (["--threshold", "2"], "threshold is 2.0"),
        (["--recall", "0"], "recall is 0.0"),
        (["--repeats", "0"], "repeats is 0"),
        (["--profile", "nothing"], "neither a preset"),
        (["--threads", "0"], "threads is 0"),
        (["--plot", "plot.doc"], "svg, png"),
    ],
)
def test_bad_options_are_reported_before_anything_is_read(
    run: Run, arguments: list[str], told: str
) -> None:
    result = run("study", "timing", "nowhere.txt", *arguments)
    assert result.status == 2
    assert told in result.err
    assert "nowhere" not in result.err


def test_an_empty_collection_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    result = run("study", "timing", "empty.txt")
    assert (result.status, result.out) == (2, b"")
    assert "no documents" in result.err
