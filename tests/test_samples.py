"""The samples hold what their table says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import likewise

SAMPLES = Path(__file__).parents[1] / "samples"

# Word 3-shingle Jaccard that each kind of copying leaves.
EXPECTED = {
    "verbatim": (0.95, 1.0),
    "light": (0.55, 0.9),
    "heavy": (0.1, 0.4),
    "mosaic": (0.1, 0.4),
    "look-alike": (0.03, 0.12),
}


@pytest.fixture(scope="module")
def found() -> dict[frozenset[str], float]:
    paths = sorted((SAMPLES / "essays").glob("*.txt"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    pairs = likewise.find_pairs(texts, ids=[p.name for p in paths], threshold=0.03, exact=True)
    return {frozenset((pair.a, pair.b)): pair.jaccard for pair in pairs}


@pytest.fixture(scope="module")
def planted() -> list[dict[str, str]]:
    with (SAMPLES / "planted.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_every_planted_copy_is_as_similar_as_its_kind(
    found: dict[frozenset[str], float], planted: list[dict[str, str]]
) -> None:
    for row in planted:
        low, high = EXPECTED[row["kind"]]
        assert low <= found[frozenset((row["copy"], row["source"]))] <= high, row


def test_nothing_else_is_similar(
    found: dict[frozenset[str], float], planted: list[dict[str, str]]
) -> None:
    assert found.keys() == {frozenset((row["copy"], row["source"])) for row in planted}


def test_the_journal_is_made_of_the_essays(found: dict[frozenset[str], float]) -> None:
    """What was set as PDF and read again has the words of the essay, and little else."""
    from likewise.documents import read_text

    for path in sorted((SAMPLES / "journal" / "2017").glob("*.pdf")):
        text, _ = read_text(path, cache=False)
        essay = (SAMPLES / "essays" / f"{path.stem}.txt").read_text(encoding="utf-8")
        assert likewise.compare(essay, text).shingles.containment_a > 0.95
