"""`likewise study law`: the law in words, rows and a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from likewise.statistics.affine import affine_mod, agreement, arranged
from likewise.statistics.binomial import BinomialLaw
from likewise.statistics.intervals import METHODS, dice_estimate, interval
from tests.cli.conftest import Run

Found = dict[tuple[str, str, str], dict[str, float]]


def rows(run: Run, *arguments: object) -> Found:
    result = run("study", "law", *arguments, "--format", "jsonl")
    assert result.status == 0, result.err
    found = [json.loads(line) for line in result.lines]
    return {(row["topic"], row["item"], row["method"]): row for row in found}


def test_the_law_is_reported_in_words(run: Run) -> None:
    result = run("study", "law", "--similarity", 0.8, "--values", 256)
    assert result.status == 0
    text = result.out.decode()
    assert "Binomial(256, 0.8)" in text
    assert "standard deviation of 0.0250" in text
    low, high = BinomialLaw(256, 0.8).central(0.95)
    assert f"between {low:.4f} and {high:.4f}" in text
    # Only what was asked for.
    assert "Clopper" not in text
    assert "Affine" not in text


def test_the_law_in_rows(run: Run) -> None:
    found = rows(run, "--similarity", 0.3, "--values", 100, "--level", 0.9)
    law = BinomialLaw(100, 0.3)
    assert found["law", "deviation", "exact"]["value"] == law.deviation
    estimates = found["law", "estimates", "exact"]
    assert (estimates["low"], estimates["high"]) == law.central(0.9)
    assert found["within", "0.05", "exact"]["value"] == law.within(0.05)
    assert found["within", "0.05", "gaussian"]["value"] == law.gaussian_within(0.05)
    assert found["within", "0.05", "chebyshev"]["value"] == 1 - law.chebyshev(0.05)


def test_how_many_values(run: Run) -> None:
    found = rows(run, "--epsilon", 0.1, "--similarity", 0.5)
    assert found["values", "0.1", "exact"]["value"] == 100
    assert found["values", "0.1", "gaussian"]["value"] == 97
    assert found["values", "0.1", "hoeffding"]["value"] == 185
    assert found["values", "0.1", "chebyshev"]["value"] == 500
    text = run("study", "law", "--epsilon", 0.1, "--delta", 0.01).out.decode()
    assert "To be off by more than 0.1 in at most 1% of all cases, take 1" in text


def test_intervals_of_a_count(run: Run) -> None:
    found = rows(run, "--values", 128, "--agreeing", 96, "--sizes", 1000, 1100)
    for method in METHODS:
        jaccard = interval(96, 128, 0.95, method)
        for name, estimate in (("jaccard", jaccard), ("dice", dice_estimate(jaccard))):
            row = found["interval", name, method]
            ends = estimate.value, estimate.low, estimate.high
            assert (row["value"], row["low"], row["high"]) == ends
    first = found["interval", "first in second", "wilson"]["value"]
    second = found["interval", "second in first", "wilson"]["value"]
    assert first == pytest.approx(0.75 * 2100 / 1.75 / 1000)
    assert second == pytest.approx(first * 1000 / 1100)
    text = run("study", "law", "--agreeing", 0, "--values", 64).out.decode()
    assert "0 of 64 values agree" in text
    assert "first in second" not in text


def test_affine_functions(run: Run) -> None:
    found = rows(run, "--similarity", 1 / 3, "--affine", 64, "--seed", 5)
    a, b = arranged(64, 1 / 3, "scattered", 5)
    expected = float(agreement(affine_mod(64), a, b))
    assert found["affine", "scattered", "minima agree"]["value"] == expected
    assert found["affine", "all rows", "values of their own"]["value"] == 0.5
    text = run("study", "law", "--similarity", 1 / 3, "--affine", 64).out.decode()
    assert "Over all 4,096 of them" in text
    assert "64 = 2 · 32 is not prime" in text
    prime = run("study", "law", "--affine", 20, "--prime", 23).out.decode()
    assert "((x·i + y) mod 23) mod 20" in prime
    assert "not prime" not in prime


def test_the_plot_shows_the_law_and_is_the_same_each_time(run: Run, tmp_path: Path) -> None:
    asked = ("study", "law", "--agreeing", 70, "--epsilon", 0.1)
    assert run(*asked, "--plot", "law.svg").status == 0
    drawn = (tmp_path / "law.svg").read_bytes()
    assert b"estimate from 128 values" in drawn
    assert b"interval of the count" in drawn
    assert b"off by at most 0.1" in drawn
    run(*asked, "--plot", "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == drawn


@pytest.mark.parametrize("similarity", [0, 1])
@pytest.mark.parametrize("values", [1, 65_536])
def test_the_ends_are_no_trouble(run: Run, similarity: int, values: int) -> None:
    result = run(
        "study", "law", "--similarity", similarity, "--values", values, "--epsilon", 0.2,
        "--agreeing", values * similarity, "--affine", 8, "--plot", "law.png",
    )  # fmt: skip
    assert result.status == 0, result.err
    assert f"The estimate is {similarity}.0000 on average" in result.out.decode()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--values", "0"], "values is 0"),
        (["--level", "1"], "level is 1.0"),
        (["--level", "0", "--agreeing", "5"], "level is 0.0"),
        (["--similarity", "1.2"], "similarity is 1.2"),
        (["--similarity", "nan"], "similarity is nan"),
        (["--epsilon", "0.0001"], "below 0.002"),
        (["--epsilon", "0"], "epsilon is 0.0"),
        (["--delta", "0"], "delta is 0.0"),
        (["--agreeing", "129"], "129 of 128 values cannot agree"),
        (["--agreeing", "-1"], "agreeing is -1"),
        (["--agreeing", "9", "--sizes", "0", "5"], "size is 0"),
        (["--sizes", "5", "5"], "--sizes requires --agreeing"),
        (["--prime", "7"], "--prime requires --affine"),
        (["--affine", "7"], "n is 7"),
        (["--affine", "0"], "n is 0"),
        (["--affine", "1000000"], "the limit is 100,000,000"),
        (["--affine", "1000", "--prime", "1009"], "the limit is 100,000,000"),
        (["--affine", "10", "--prime", "1"], "p is 1"),
        (["--plot", "law.doc"], "svg, png"),
        (["extra"], "extra"),
    ],
)
def test_bad_input_is_reported(run: Run, arguments: list[str], told: str) -> None:
    result = run("study", "law", *arguments)
    assert result.status == 2
    assert told in result.err
    assert len(result.err.splitlines()) <= 2
