"""`likewise study detection` as a user runs it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Run


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder of twelve documents of ten lines, and one of a single line."""
    folder = tmp_path / "papers"
    folder.mkdir()
    chance = random.Random(5)
    for number in range(12):
        lines = [
            " ".join(f"{chance.choice('bdfgklmt')}{chance.choice('aeiou')}" * 3 for _ in range(6))
            for _ in range(10)
        ]
        (folder / f"{number}.txt").write_text("\n\n".join(lines) + "\n")
    (folder / "line.txt").write_text("all in one line. " * 8)
    return folder


def test_a_table_a_layout_and_what_it_comes_to(run: Run, papers: Path) -> None:
    result = run("study", "detection", papers, "--tries", 10)
    assert result.status == 0
    text = result.out.decode()
    assert text.startswith("12 documents with 120 lines that have words; 10 copies for each")
    assert "fewer than 5 such lines: 1 document\n" in text
    for layout in ("50 bands of 2 rows", "25 bands of 4", "20 bands of 5", "10 bands of 10 rows"):
        assert layout in text
    assert len([line for line in result.lines if line.startswith((" 0.", "0."))]) == 20
    assert "Found " in text
    assert "agrees with the measured similarities" in text


def test_one_row_a_cell_for_programs(run: Run, papers: Path, tmp_path: Path) -> None:
    arguments = ["--tries", 8, "--shares", 0.7, 0, "--layouts", "8x2", "4X4", "--seed", 3]
    result = run("study", "detection", papers, *arguments, "--format", "jsonl", "--quiet")
    rows = [json.loads(line) for line in result.lines]
    assert [(row["bands"], row["rows"], row["kept"]) for row in rows] == [
        (8, 2, 0.7), (8, 2, 0), (4, 4, 0.7), (4, 4, 0),
    ]  # fmt: skip
    for row in rows:
        assert row["seen"] == row["found"] / 8
        assert row["expected_at_kept"] == pytest.approx(
            1 - (1 - row["kept"] ** row["rows"]) ** row["bands"]
        )
        assert 0 <= row["jaccard_mean"] < 1
    assert result.err == ""
    run("study", "detection", papers, *arguments, "--format", "parquet", "-o", "cells.parquet")
    assert pq.read_table(tmp_path / "cells.parquet").to_pylist() == rows


def test_sentences_and_permutations(run: Run, papers: Path) -> None:
    for number in range(3):
        (papers / f"{number}.txt").write_text("This is one. That is two! Or three? Four. Five. 6.")
    result = run(
        "study", "detection", papers, "--unit", "sentence", "--estimator", "permutations",
        "--profile", "word:1", "--tries", 3,
    )  # fmt: skip
    assert result.status == 0
    assert result.lines[0].startswith("4 documents with 26 sentences")
    assert "classical MinHash" in result.out.decode()


def test_a_panel_a_layout_is_drawn(run: Run, papers: Path, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        arguments = ["--tries", 3, "--layouts", "8x2", "4x4", "2x8", "--plot", name]
        assert run("study", "detection", papers, *arguments).status == 0
    drawn = (tmp_path / "a.svg").read_bytes()
    for words in (b"8 bands of 2 rows", b"2 bands of 8 rows", b"at the measured similarity"):
        assert words in drawn
    assert (tmp_path / "b.svg").read_bytes() == drawn


def test_skipped_documents_are_reported_and_strict_fails(run: Run, papers: Path) -> None:
    (papers / "binary.txt").write_bytes(b"a\0b")
    result = run("study", "detection", papers, "--tries", 1, "--strict")
    assert result.status == 1
    assert "1 file skipped" in result.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--layouts", "0x5"], "bands is 0"),
        (["--layouts", "abc"], "'abc' is not bands x rows such as 50x2"),
        (["--layouts", "50x"], "is not bands x rows"),
        (["--layouts", "99999x99999"], "bands is 99999"),
        (["--shares", "1"], "less than 1"),
        (["--shares", "-0.1"], "at least 0"),
        (["--shares", "half"], "'half' is not a number"),
        (["--shares", "nan"], "less than 1"),
        (["--tries", "0"], "tries is 0"),
        (["--estimator", "guess"], "sketch"),
        (["--unit", "page"], "sentence"),
        (["--profile", "word:0"], "k is 0"),
        (["--seed", "-1"], "seed is -1"),
        (["--threads", "0"], "threads is 0"),
        (["--plot", "plot.doc"], "svg, png"),
        (["-o", "no/such/folder.txt"], "does not exist"),
    ],
)
def test_bad_options_are_reported_before_anything_is_read(
    run: Run, arguments: list[str], told: str
) -> None:
    result = run("study", "detection", "nowhere.txt", *arguments)
    assert result.status == 2
    assert told in result.err
    assert "nowhere" not in result.err


def test_collections_that_do_not_serve_are_reported(run: Run, papers: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    missing = run("study", "detection", "empty")
    assert (missing.status, missing.out) == (2, b"")
    assert "no documents" in missing.err
    by_lines = run("study", "detection", papers / "0.txt")
    assert by_lines.status == 2
    assert "0 of 19 documents have at least 5 lines" in by_lines.err
    assert "--unit sentence" in by_lines.err
