"""`likewise decontaminate` as a user runs it."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest
from pyarrow import parquet

import likewise
from tests.cli.conftest import Run
from tests.decontamination.made import documents, items, text, write_jsonl


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    benchmark, train = items(12), documents(40)
    train[7] = f"{text(30, 1)} {benchmark[2]} {text(30, 2)}"
    train[9] = benchmark[3]
    (tmp_path / "evals").mkdir()
    write_jsonl(tmp_path / "evals/quiz.jsonl", benchmark)
    write_jsonl(tmp_path / "train.jsonl", train)
    return train


def test_decontaminate(run: Run, tmp_path: Path, files: list[str]) -> None:
    result = run(
        "decontaminate", "train.jsonl", "--against", "evals", "-o", "clean.jsonl",
        "--report", "hits.csv", "--stats",
    )  # fmt: skip
    assert (result.status, result.out) == (0, b"")
    assert (
        "40 documents checked against 12 items of 1 benchmark: 2 documents with 2 hits"
        in result.err
    )
    assert "quiz: 2 of 12 items in 2 documents" in result.err
    assert "unrelated documents would give at most" in result.err
    assert "verbatim               100% (73.5% to 100%) of 12" in result.err
    assert "38 documents kept, 2 removed" in result.err
    assert "max_documents: 200" in result.err
    assert len((tmp_path / "clean.jsonl").read_text().splitlines()) == 38
    with (tmp_path / "hits.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["benchmark"], row["item"], row["document"]) for row in rows] == [
        ("quiz", "d2", "d7"), ("quiz", "d3", "d9"),
    ]  # fmt: skip
    start, end = map(int, rows[0]["places"].split("-"))
    assert files[7][start:end] == items(12)[2]
    assert sorted(os.listdir(tmp_path)) == ["clean.jsonl", "evals", "hits.csv", "train.jsonl"]


def test_the_command_is_the_function(run: Run, tmp_path: Path, files: list[str]) -> None:
    run("decontaminate", "train.jsonl", "--against", "evals", "-o", "a.jsonl", "--cut",
        "--report", "hits.parquet", "--planted", "5", "--min-words", "10", "--quiet")  # fmt: skip
    found = likewise.decontaminate_files(
        tmp_path / "train.jsonl", tmp_path / "b.jsonl", against=tmp_path / "evals", action="cut",
        planted=5, min_words=10,
    )  # fmt: skip
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert parquet.read_table(tmp_path / "hits.parquet").equals(found.to_arrow())


def test_annotate(run: Run, tmp_path: Path, files: list[str]) -> None:
    result = run("decontaminate", "train.jsonl", "--against", "evals", "-o", "noted.jsonl",
                 "--annotate", "--planted", "0", "--report", "hits.jsonl")  # fmt: skip
    assert result.status == 0
    assert "recall" not in result.err
    rows = [json.loads(line) for line in (tmp_path / "noted.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows if not row["kept"]] == ["d7", "d9"]
    assert len(rows) == 40


def test_quiet(run: Run, files: list[str]) -> None:
    result = run("decontaminate", "train.jsonl", "--against", "evals", "-o", "o.jsonl", "--quiet",
                 "--planted", "0")  # fmt: skip
    assert (result.status, result.err) == (0, "")


def test_strict(run: Run, tmp_path: Path, files: list[str]) -> None:
    with (tmp_path / "train.jsonl").open("a") as file:
        file.write('{"text": \n')
    given = ("decontaminate", "train.jsonl", "--against", "evals", "--planted", "0", "-o")
    result = run(*given, "a.jsonl")
    assert result.status == 0
    assert "rows that could not be read, kept unchanged: 1" in result.err
    assert run(*given, "b.jsonl", "--strict").status == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train.jsonl", "-o", "o.jsonl"], "--against"),
        (["train.jsonl", "--against", "evals"], "-o"),
        (["train.jsonl", "--against", "evals", "-o", "train.jsonl"], "train.jsonl"),
        (["train.jsonl", "--against", "evals", "-o", "evals/quiz.jsonl"], "this command reads"),
        (["train.jsonl", "--against", "evals", "-o", "o.csv"], "format of the source"),
        (["train.jsonl", "--against", "evals", "-o", "o.jsonl", "--report", "h.xlsx"], ".parquet"),
        (
            ["train.jsonl", "--against", "evals", "-o", "o.jsonl", "--report", "o.jsonl"],
            "overwrite",
        ),
        (
            ["train.jsonl", "--against", "evals", "-o", "o.jsonl", "--cut", "--annotate"],
            "--annotate",
        ),
        (["train.jsonl", "--against", "evals", "-o", "o.jsonl", "--max-p", "2"], "max_p is 2"),
        (["train.jsonl", "--against", "evals", "-o", "o.jsonl", "--item-text", "q"], "'q'"),
        (["-", "--against", "evals", "-o", "o.jsonl"], "cannot be read twice"),
        (["none.jsonl", "--against", "evals", "-o", "o.jsonl"], "none.jsonl"),
    ],
)
def test_mistakes(
    run: Run, tmp_path: Path, files: list[str], arguments: list[str], message: str
) -> None:
    before = sorted(os.listdir(tmp_path))
    result = run("decontaminate", *arguments)
    assert result.status in (1, 2)
    assert message in result.err
    assert "Traceback" not in result.err
    assert sorted(os.listdir(tmp_path)) == before
