"""`likewise study estimators`: the table, the rows, the plot, and what is told of bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from likewise.study.estimators import ESTIMATORS
from tests.cli.conftest import Run

QUICK = ("--repeats", 6, "--values", 32, "--draws", 50)


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, str]:
    lines = [" ".join(f"w{7 * i + j}" for j in range(9)) for i in range(60)]
    (tmp_path / "a.txt").write_text("\n".join(lines[:40]))
    (tmp_path / "b.txt").write_text("\n".join(lines[20:]))
    return "a.txt", "b.txt"


def test_the_table_tells_what_is_sound(run: Run, texts: tuple[str, str]) -> None:
    result = run("study", "estimators", *texts, *QUICK)
    assert result.status == 0
    out = result.out.decode()
    assert "a  a.txt: " in out
    assert "exact similarity 33." in out
    start = next(i for i, line in enumerate(result.lines) if line.startswith("estimator "))
    table = [line.split() for line in result.lines[start + 1 : start + 1 + len(ESTIMATORS)]]
    assert [row[0] for row in table] == list(ESTIMATORS)
    for row in table:
        assert row[-1] == ("yes" if ESTIMATORS[row[0]].sound else "NO")
    assert "NO: does not estimate the similarity" in out
    assert "blind to the texts" in out


def test_rows_are_the_same_again_but_for_the_time(run: Run, texts: tuple[str, str]) -> None:
    made = []
    for _ in range(2):
        result = run("study", "estimators", *texts, *QUICK, "--format", "jsonl", "--seed", 9)
        made.append([json.loads(line) for line in result.lines])
        for row in made[-1]:
            assert row.pop("seconds") >= 0
    assert made[0] == made[1]
    by_name = {row["estimator"]: row for row in made[0]}
    assert list(by_name) == list(ESTIMATORS)
    exact = by_name["exact"]
    assert exact["mean"] == exact["exact"] == pytest.approx(187 / 561, abs=0.01)
    assert exact["bias"] == exact["deviation"] == 0
    assert exact["coverage"] == 1
    assert by_name["rum-published"]["coverage"] is None
    assert by_name["rum-published"]["sound"] == "no"
    assert by_name["minhash"]["repeats"] == 6
    assert by_name["minhash"]["values"] == 32
    assert by_name["sampling-corrected"]["draws"] == 50


def test_chosen_estimators_only(run: Run, texts: tuple[str, str]) -> None:
    chosen = ("--estimator", "sketch,exact", "--estimator", "minhash")
    result = run("study", "estimators", *chosen, *texts, *QUICK, "--format", "csv")
    assert [line.split(",")[0] for line in result.lines[1:]] == ["sketch", "exact", "minhash"]


def test_the_help_names_every_estimator(run: Run) -> None:
    told = run("study", "estimators", "--help").out.decode()
    named = told[told.index("The estimators: ") + 16 : told.index(".\n\nA and B")]
    assert named.replace("\n", " ").split(", ") == list(ESTIMATORS)


def test_the_plot_is_drawn(run: Run, texts: tuple[str, str], tmp_path: Path) -> None:
    result = run("study", "estimators", *texts, *QUICK, "--plot", "all.svg")
    assert result.status == 0
    drawn = (tmp_path / "all.svg").read_text()
    assert "rum-published" in drawn
    assert "exact similarity 33." in drawn


def test_published_hashes_have_a_table_of_their_own(run: Run, texts: tuple[str, str]) -> None:
    result = run("study", "estimators", *texts, *QUICK, "--hashes", "--estimator", "exact")
    out = result.out.decode()
    assert "80 lines of both texts" in out
    row = next(line for line in result.lines if "(Papers)" in line and "bands" in line).split()
    agree, brought_up, in_vain = (int(cell.replace(",", "")) for cell in row[-3:])
    assert agree >= 20  # the twenty lines that are in both texts
    assert brought_up == agree + in_vain
    assert in_vain > 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--literal", "", ""], "the first text has no shingles"),
        (["--literal", "a b c", "..."], "the second text has no shingles"),
        (["--literal", "a", "b", "--estimator", "simhash"], "no estimator 'simhash'"),
        (["--literal", "a", "b", "--repeats", "1"], "repeats is 1"),
        (["--literal", "a", "b", "--draws", "0"], "draws is 0"),
        (["--literal", "a", "b", "--hashes", "--format", "csv"], "only as a table"),
        (["--literal", "a", "b", "--plot", "x.doc"], "svg, png"),
        (["none.txt", "b.txt"], "none.txt"),
        (["only.txt"], "required"),
    ],
)
def test_bad_input_is_reported(run: Run, arguments: list[str], told: str) -> None:
    result = run("study", "estimators", *arguments)
    assert result.status == 2
    assert told in result.err
    assert "Traceback" not in result.err
