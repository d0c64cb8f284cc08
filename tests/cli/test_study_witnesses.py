"""`likewise study witnesses` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.study.test_witnesses import BOOKS, A, B, C

QUICK = ("--trials", 5, "--min-words", 8)


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    for name, text in zip("abc", (A, B, C), strict=True):
        (tmp_path / f"{name}.txt").write_text(text)
    books = tmp_path / "books"
    books.mkdir()
    for number, text in enumerate(BOOKS):
        (books / f"{number}.txt").write_text(text)
    return ["a.txt", "b.txt", "c.txt"]


def test_three_texts_and_their_levels(run: Run, texts: list[str]) -> None:
    result = run("study", "witnesses", *texts, *QUICK, "--unrelated", "books")
    assert result.status == 0
    lines = result.lines
    assert lines[0] == "a  a.txt: 880 words"
    titles = [line.split(":")[0] for line in lines if line.split(":")[0] in
              ("words", "shingles", "run", "order")]  # fmt: skip
    assert titles[:4] == ["words", "shingles", "run", "order"]
    text = result.out.decode()
    assert "a b c  " in text
    assert "1 in " in text
    for null in ("words", "sentences", "lines", "unrelated"):
        assert f"\n{null}: " in text
    assert "No p for" in text


def test_rows_for_programs(run: Run, texts: list[str]) -> None:
    arguments = ("study", "witnesses", *texts, *QUICK, "--nulls", "words", "lines")
    result = run(*arguments, "--format", "jsonl")
    assert result.out == run(*arguments, "--format", "jsonl").out
    rows = [json.loads(line) for line in result.lines]
    assert len(rows) == 2 * (7 + 7 + 4 + 3 + 3)
    first = rows[0]
    assert (first["measure"], first["texts"], first["null"]) == ("words", "abc", "words")
    assert first["observed"] > 70 > first["mean"]
    assert first["p_value"] is None
    shingles = next(row for row in rows if row["measure"] == "shingles")
    assert shingles["p_value"] == pytest.approx(1 / 6)
    assert next(row for row in rows if row["measure"] == "run")["run_p"] < 1e-5
    assert run(*arguments, "--format", "csv").lines[0].startswith("measure,texts,observed,run_p")


def test_a_plot_and_two_texts(run: Run, texts: list[str], tmp_path: Path) -> None:
    result = run("study", "witnesses", *texts[:2], *QUICK, "--plot", "words.svg")
    assert result.status == 0
    assert b"<svg" in (tmp_path / "words.svg").read_bytes()


def test_five_texts_without_anything_in_common(run: Run, tmp_path: Path) -> None:
    names = []
    for i in range(5):
        names.append(f"{i}.txt")
        (tmp_path / names[-1]).write_text(" ".join(f"t{i}w{j}" for j in range(30)))
    result = run("study", "witnesses", *names, "--trials", 1)
    text = result.out.decode()
    assert result.status == 0
    assert "a b c d e" in text
    assert "\norder: " not in text
    assert "lines: not tried; too few lines in a, b, c, d, e." in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.txt",), "the number of texts is 1"),
        (("a.txt", "nowhere.txt"), "nowhere.txt"),
        (("-", "-"), "only one of the texts can be stdin"),
        (("a.txt", "b.txt", "--nulls", "unrelated"), "give --unrelated SOURCE"),
        (("a.txt", "b.txt", "--trials", "0"), "trials"),
        (("a.txt", "b.txt", "--unrelated", "a.txt"), "0 words"),
        (("a.txt", "b.txt", "-o", "a.txt"), "reads"),
        (("a.txt", "b.txt", "--profile", "nothing"), "profile"),
    ],
)
def test_bad_input_is_reported(
    run: Run, texts: list[str], arguments: tuple[str, ...], said: str
) -> None:
    failed = run("study", "witnesses", *arguments)
    assert failed.status == 2
    assert said in failed.err
    assert failed.out == b""
