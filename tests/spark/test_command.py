"""`likewise dedup --engine spark`."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from likewise.cli.main import run
from likewise.spark import command
from tests.spark.corpora import edited_texts, rows_of


@pytest.fixture
def table(tmp_path: Path) -> Path:
    import pyarrow as pa

    texts = edited_texts(200, 21)
    path = tmp_path / "pages.parquet"
    pq.write_table(
        pa.table({"id": list(range(200)), "body": texts, "n": [i * 7 % 31 for i in range(200)]}),
        path,
    )
    return path


@pytest.mark.parametrize("measure", ["jaccard", "containment"])
def test_parquet_to_parquet(
    spark: Any, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], measure: str
) -> None:
    out, here = tmp_path / "out", tmp_path / "here.parquet"
    options = ["--keep", "column:n", "--annotate", "--measure", measure]
    report = tmp_path / "report.json"
    arguments = ["dedup", str(table), "-o", str(out), "--engine", "spark", *options]
    assert run([*arguments, "--report", str(report), "--examples", "2"]) == 0
    told = capsys.readouterr().err
    assert run(["dedup", str(table), "-o", str(here), *options]) == 0
    assert told.splitlines()[0] in capsys.readouterr().err.splitlines()
    found, expected = pq.read_table(out), pq.read_table(here)
    assert found.column_names == expected.column_names
    columns = ("id", "body", "n", "cluster", "kept", "similarity")
    assert rows_of(found, columns) == rows_of(expected, columns)
    about = json.loads(report.read_text())
    assert about["settings"]["engine"] == "spark"
    assert len(about["largest"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "here.parquet", "out", "pages.parquet", "report.json"
    ]  # fmt: skip

    assert run(arguments) == 2
    assert "already exists" in capsys.readouterr().err
    assert pq.read_table(out).num_rows == 200


@pytest.mark.slow
def test_csv_is_written_as_it_was_read(spark: Any, tmp_path: Path) -> None:
    rows = [
        ["001", 'a "quoted" text,\nof two lines', "9"],
        ["002", "A quoted text of two lines", "10"],
        ["003", "  something else altogether ", "1.0"],
    ]
    source, out = tmp_path / "in.csv", tmp_path / "out"
    with source.open("w", newline="") as file:
        csv.writer(file).writerows([["id", "text", "n"], *rows])
    out.mkdir()
    (out / "part-of-another-run").write_text("id,text,n\n0,x,1\n")
    arguments = ["dedup", str(source), "-o", str(out), "--engine", "spark", "--quiet"]
    assert run([*arguments, "--keep", "column:n", "--overwrite"]) == 0
    found = []
    for part in out.glob("part-*"):
        with part.open(newline="") as file:
            found += list(csv.reader(file))[1:]
    assert sorted(found) == [rows[1], rows[2]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--text", "none"], "no column 'none'"),
        (["--id", "none"], "no column 'none'"),
        (["--lines"], "--lines cannot be combined with --engine spark"),
    ],
)
def test_mistakes(
    spark: Any, table: Path, tmp_path: Path, options: list[str], message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    out = tmp_path / "out"
    assert run(["dedup", str(table), "-o", str(out), "--engine", "spark", *options]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_a_damaged_file_is_named(
    spark: Any, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(table.read_bytes())
    data[100:400] = bytes(300)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "damaged.parquet").write_bytes(data)
    (tmp_path / "tables" / "sound.parquet").write_bytes(table.read_bytes())
    out = tmp_path / "out"
    assert run(["dedup", str(tmp_path / "tables"), "-o", str(out), "--engine", "spark"]) == 2
    told = capsys.readouterr().err
    assert "damaged.parquet" in told
    assert len(told.splitlines()) < 4
    assert not out.exists()


def test_a_master_needs_the_engine(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["dedup", str(table), "-o", str(tmp_path / "o"), "--master", "local[1]"]) == 2
    assert "add --engine spark" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "out"),
    [
        ("in", "in"),
        ("in/a.parquet", "in"),
        ("in", "in/out"),
        ("in/*.parquet", "in"),
        ("in/*.parquet", "in/b.parquet"),
        ("in/{a,b}.parquet", "in/b.parquet"),
        ("in/a.parquet", "link"),
        ("in", "."),
    ],
)
def test_the_source_is_never_replaced(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, out: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("link").symlink_to("in")
    for name in ("a", "b"):
        Path(f"in/{name}.parquet").write_bytes(table.read_bytes())
    for place in (out, f"file://{tmp_path}/{out}"):
        assert run(["dedup", source, "-o", place, "--engine", "spark", "--overwrite"]) == 2
        told = capsys.readouterr().err
        assert "is inside it or contains it" in told or "that this command reads" in told
    assert sorted(os.listdir("in")) == ["a.parquet", "b.parquet"]


@pytest.mark.parametrize(
    ("source", "out"),
    [("in.parquet", "in.parquet.new"), ("in/*.parquet", "in/new"), ("s3a://b/in", "s3a://b/new")],
)
def test_places_side_by_side_are_apart(source: str, out: str) -> None:
    command._check_apart([source], out)
