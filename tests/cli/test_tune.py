"""`likewise tune`: the layout that `pairs` takes, in numbers and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from likewise import Layout
from tests.cli.conftest import Run


def test_it_prints_the_layout_that_pairs_takes(run: Run) -> None:
    found = [
        json.loads(line) for line in run("tune", "--threshold", 0.8, "--format", "jsonl").lines
    ]
    at_threshold = next(row for row in found if row["similarity"] == 0.8)
    layout = Layout(at_threshold["bands"], at_threshold["rows"])
    assert at_threshold["found"] == layout.recall(0.8) >= 0.99
    assert at_threshold["found_by_rule_of_thumb"] == Layout(5, 7).recall(0.8)


@pytest.mark.parametrize(("name", "magic"), [("curve.svg", b"<?xml"), ("curve.png", b"\x89PNG")])
def test_the_curve_is_drawn_with_its_false_areas(
    run: Run, tmp_path: Path, name: str, magic: bytes
) -> None:
    assert run("tune", "--threshold", 0.7, "--plot", name).status == 0
    drawn = (tmp_path / name).read_bytes()
    assert drawn.startswith(magic)
    if name.endswith("svg"):
        assert b"false positives" in drawn
        assert b"false negatives" in drawn
        run("tune", "--threshold", 0.7, "--plot", "again.svg")
        assert (tmp_path / "again.svg").read_bytes() == drawn


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--threshold", "0.01"], "no bands of 128 values"),
        (["--threshold", "-1"], "greater than 0"),
        (["--plot", "curve.doc"], "svg, png"),
        (["--plot", "no/folder/curve.svg"], "does not exist"),
        (["--bands", "3"], "must be given together"),
        (["--bands", "30", "--rows", "30"], "need 900 values"),
        (["--bands", "20", "--rows", "5", "--threshold", "5"], "greater than 0"),
        (["--threshold", "nan"], "greater than 0"),
        (["--values", "99999999999"], "values is 99999999999"),
    ],
)
def test_bad_input_is_reported(run: Run, arguments: list[str], told: str) -> None:
    result = run("tune", *arguments)
    assert result.status == 2
    assert told in result.err
