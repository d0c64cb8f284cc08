"""`likewise study pair` and `likewise study chance` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

A = "the quick brown fox jumps over the lazy dog and the cat sleeps on the warm stone"
B = "the quick brown fox jumps over a sleeping cat and the lazy dog lies on the warm stone"


def test_help_lists_the_experiments(run: Run) -> None:
    told = run("study", "--help")
    assert told.status == 0
    for name in ("pair", "chance", "law", "estimators", "detection", "timing"):
        assert name in told.out.decode()
    assert run("study").status == 2
    unknown = run("study", "nothing")
    assert unknown.status == 2
    assert "unknown experiment 'nothing'" in unknown.err


def test_seven_steps(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(A)
    (tmp_path / "b.txt").write_text(B)
    found = run("study", "pair", "a.txt", "b.txt", "--profile", "word:2", "--plot", "pair.svg")
    assert found.status == 0
    steps = [line for line in found.lines if line[:1].isdigit()]
    assert [step[0] for step in steps] == list("1234567")
    assert "conclusion" in steps[5]
    assert b"<svg" in (tmp_path / "pair.svg").read_bytes()


@pytest.mark.parametrize("format_", ["csv", "jsonl"])
def test_seven_steps_for_programs(run: Run, format_: str) -> None:
    options = ("--literal", A, B, "--profile", "word:2", "--repeats", "5", "--format", format_)
    first = run("study", "pair", *options)
    assert first.out == run("study", "pair", *options).out
    if format_ == "jsonl":
        row = json.loads(first.out)
        assert row["low"] <= row["estimate"] <= row["high"]
        assert {"chance_words", "p_value_letters", "chance_urn"} <= row.keys()


def test_nulls_side_by_side(run: Run, tmp_path: Path) -> None:
    found = run("study", "chance", "--literal", A, B, "--profile", "word:2", "--trials", "99",
                "--plot", "chance.png")  # fmt: skip
    lines = found.out.decode()
    for null in ("urn", "letters", "words"):
        assert f"\n{null} " in lines
    assert (tmp_path / "chance.png").read_bytes().startswith(b"\x89PNG")


def test_a_collection_gives_the_fourth(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "essays"
    folder.mkdir()
    for i in range(15):
        (folder / f"{i}.txt").write_text(f"essay{i} on the cat{i} a{i} number {i * i}")
    found = run("study", "chance", "--literal", A, B, "--profile", "word:2", "--trials", "9",
                "--corpus", "essays", "--format", "jsonl")  # fmt: skip
    rows = [json.loads(line) for line in found.lines]
    assert [row["null"] for row in rows] == ["urn", "letters", "words", "corpus"]
    assert rows[3]["trials"] == 105
    assert rows[3]["smallest_p"] == pytest.approx(1 / 106)
    (folder / "14.txt").unlink()
    failed = run("study", "chance", "--literal", A, B, "--corpus", "essays")
    assert failed.status == 2
    assert "there are only 91 pairs; at least 100 unrelated pairs are needed" in failed.err


def test_the_urn_alone(run: Run) -> None:
    found = run("study", "chance", "--sizes", "69314", "94764", "--format", "jsonl")
    row = json.loads(found.out)
    assert 0.28 < row["expected"] < 0.34
    assert row["urn"] == 69314 + 94764
    large = run("study", "chance", "--sizes", "100,000,000", "100,000,000", "--format", "jsonl")
    assert json.loads(large.out)["expected"] == pytest.approx(1 / 3, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chance",), "two texts are needed"),
        (("chance", "--sizes", "5", "6", "--urn", "4"), "does not fit"),
        (("chance", "--sizes", "5", "-6"), "size_b"),
        (("chance", "a", "b", "--sizes", "5", "6"), "--sizes"),
        (("chance", "--literal", "a", "b", "--nulls", "corpus"), "--corpus"),
        (("chance", "--literal", "a", "b", "--trials", "0"), "trials"),
        (("chance", "--literal", "", "b"), "the first text has no shingles"),
        (("pair", "--literal", "...", "b"), "the first text has no shingles"),
        (("pair", "--literal", "a", "b", "--values", "0"), "values"),
        (("pair", "--literal", "a", "b", "--level", "1"), "level"),
        (("pair", "--literal", "a", "b", "--plot", "plot.txt"), "svg"),
        (("pair", "nowhere.txt", "b"), "nowhere.txt"),
    ],
)
def test_bad_input_is_reported(run: Run, arguments: tuple[str, ...], said: str) -> None:
    failed = run("study", *arguments)
    assert failed.status == 2
    assert said in failed.err
    assert failed.out == b""
