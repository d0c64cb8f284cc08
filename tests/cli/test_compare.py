"""`likewise compare` on real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text("the cat sat on the mat")
    b.write_text("the cat sat on the hat", encoding="utf-16")
    return a, b


def test_it_prints_every_measure(run: Run, files: tuple[Path, Path]) -> None:
    result = run("compare", *files)
    out = result.out.decode()
    assert result.status == 0
    for told in ("words", "shingles word:3", "0.6000", "cosine of word counts", "TF-IDF",
                 "word edits", "character edits", "95% interval"):  # fmt: skip
        assert told in out


def test_an_encoding_that_was_guessed_is_told(run: Run, tmp_path: Path) -> None:
    text = "Un élève a copié la leçon où l'on parle de la forêt, près de l'été."
    for name, encoding in (("old.txt", "cp1252"), ("new.txt", "utf-8")):
        (tmp_path / name).write_text(text, encoding=encoding)
    result = run("compare", "old.txt", "new.txt", "--format", "jsonl")
    assert json.loads(result.out)["identical"]
    assert "old.txt: read as cp1252" in result.err


def test_jsonl_is_one_object_with_numbers(run: Run, files: tuple[Path, Path]) -> None:
    found = json.loads(run("compare", *files, "--format", "jsonl").out)
    assert found["shingles"]["jaccard"] == 0.6
    assert found["word_edits"]["distance"] == 1


@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_other_formats_have_a_row_a_measure(
    run: Run, files: tuple[Path, Path], tmp_path: Path, format_: str
) -> None:
    import pyarrow.csv
    import pyarrow.parquet as pq

    out = tmp_path / f"out.{format_}"
    assert run("compare", *files, "--format", format_, "-o", out).status == 0
    read = pq.read_table if format_ == "parquet" else pyarrow.csv.read_csv
    table = {row["measure"]: row["value"] for row in read(out).to_pylist()}
    assert table["shingles.jaccard"] == "0.6"


def test_texts_may_be_given_literally_or_by_stdin(run: Run, files: tuple[Path, Path]) -> None:
    literal = run("compare", "--literal", "a b c d", "a b c e", "--format", "jsonl")
    assert json.loads(literal.out)["shingles"]["jaccard"] == pytest.approx(1 / 3)
    piped = run("compare", "-", files[0], "--format", "jsonl", stdin=b"the cat sat on the mat")
    assert json.loads(piped.out)["identical"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a.txt", "missing.txt"], "missing.txt: no such file"),
        (["-", "-"], "only one of the two can be stdin"),
        (["a.txt"], "B"),
        (["a.txt", "b.txt", "--level", "2"], "level is 2"),
        (["a.txt", "b.txt", "--values", "0"], "values is 0"),
        (["a.txt", "bad.bin"], "binary"),
    ],
)
@pytest.mark.usefixtures("files")
def test_bad_input_is_told(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "bad.bin").write_bytes(bytes(range(256)))
    result = run("compare", *arguments)
    assert result.status == 2
    assert told in result.err
    assert "Traceback" not in result.err


def test_empty_texts_have_nothing_in_common(run: Run) -> None:
    found = json.loads(run("compare", "--literal", "", "", "--format", "jsonl").out)
    assert found["identical"]
    assert found["shingles"]["jaccard"] == 0
