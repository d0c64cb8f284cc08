"""`likewise passages --families`: what several documents share, on real files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import networkx
import pyarrow.parquet as pq
import pytest
from lxml import etree

from likewise.passages.families.results import COLUMNS
from tests.cli.conftest import Run
from tests.passages.families.planted import Collection


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four texts: x, y and z share 50 words, and x and y 30 others, of which y changes one."""
    made = Collection(1)
    made.plant("x.txt", "y.txt", "z.txt", count=50)
    made.plant("x.txt", "y.txt", count=30)
    made.write_random("w.txt", count=200)
    words = made.documents["y.txt"]
    words[len(words) - 60 - 15] = "another"
    folder = tmp_path / "texts"
    folder.mkdir()
    for id_, words in made.documents.items():
        (folder / id_).write_text(" ".join(words))
    return folder


def test_each_family_is_shown_with_its_witnesses(run: Run, folder: Path) -> None:
    result = run("passages", folder, "--families")
    assert result.status == 0
    first, second = result.out.decode().split("\n\n")
    assert first.startswith("1  3 documents, verbatim: 50 words in common, longest common run 50\n")
    assert "unrelated texts of these lengths: less than 1 in a million" in first
    assert "x.txt line 1: 50 of 50 words shared" in first
    assert second.startswith("2  2 documents, verbatim: 29 words in common, longest common run 15")
    assert "29 of 30 words shared" in second
    assert "2 families in 3 documents; the widest is in 3 documents" in result.err


def test_differences_from_the_first_witness(run: Run, folder: Path) -> None:
    result = run("passages", folder, "--families", "--differences", "--not-by", "z.txt")
    assert "differences from x.txt, [-only there-] {+only here+}" in result.out.decode()
    assert "{+another+}" in result.out.decode()


def test_filters_by_witnesses(run: Run, folder: Path) -> None:
    def families(*options: str) -> int:
        found = run("passages", folder, "--families", "--format", "jsonl", *options)
        return len({json.loads(line)["family"] for line in found.out.splitlines()})

    assert families("--shared-by", "x.txt", "y.txt") == 2
    assert families("--shared-by", "z.txt") == 1
    assert families("--not-by", "z.txt") == 1
    assert families("--shared-by", "x.txt", "--not-by", "y.txt") == 0
    assert families("--top", "1") == 1


def test_a_row_for_each_witness_in_every_format(run: Run, folder: Path, tmp_path: Path) -> None:
    csv_rows = list(
        csv.DictReader(io.StringIO(
            run("passages", folder, "--families", "--format", "csv").out.decode()
        ))
    )  # fmt: skip
    assert [(row["family"], row["document"], row["common"]) for row in csv_rows] == [
        ("1", "x.txt", "50"), ("1", "y.txt", "50"), ("1", "z.txt", "50"),
        ("2", "x.txt", "29"), ("2", "y.txt", "29"),
    ]  # fmt: skip
    for row in csv_rows:
        text = (folder / row["document"]).read_text()
        assert row["text"] == text[int(row["start"]) : int(row["end"])]
    out = tmp_path / "families.parquet"
    assert run("passages", folder, "--families", "--format", "parquet", "-o", out).status == 0
    table = pq.read_table(out)
    assert table.column_names[: len(COLUMNS)] == list(COLUMNS)
    assert table["matched"].to_pylist() == [int(row["matched"]) for row in csv_rows]


def test_an_edition_and_networks(run: Run, folder: Path) -> None:
    tei = run("passages", folder, "--families", "--format", "tei")
    assert etree.fromstring(tei.out).tag == "{http://www.tei-c.org/ns/1.0}TEI"
    pairs = networkx.parse_graphml(run("passages", folder, "--format", "graphml").out.decode())
    assert pairs.number_of_edges() == 3
    families = run("passages", folder, "--families", "--format", "graphml", "--top", "1")
    assert networkx.parse_graphml(families.out.decode()).number_of_edges() == 3


def test_the_earliest_by_the_metadata(run: Run, folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "about.csv"
    table.write_text("file,date\nx.txt,1920\ny.txt,1611\nz.txt,\n")
    result = run("passages", folder, "--families", "--metadata", table)
    assert "y.txt 1611, line 1: 50 of 50 words shared, earliest date" in result.out.decode()
    assert result.out.count(b"earliest date") == 2


def test_families_of_two_collections(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text((folder / "x.txt").read_text())
    result = run(
        "passages", folder, "--against", tmp_path / "x.txt", "--families", "--format", "jsonl"
    )
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert {(row["side"], row["document"]) for row in rows} == {
        ("a", "x.txt"), ("a", "y.txt"), ("a", "z.txt"), ("b", "x.txt"),
    }  # fmt: skip


def test_an_index_has_families_of_new_texts_with_stored_ones(run: Run, folder: Path) -> None:
    database, new = folder.parent / "all.db", folder.parent / "new.txt"
    new.write_text((folder / "x.txt").read_text())
    assert run("index", "create", database, folder).status == 0
    result = run("index", "passages", database, new, "--families", "--format", "jsonl")
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert {row["document"] for row in rows if row["family"] == rows[0]["family"]} == {
        "new.txt", "x.txt", "y.txt", "z.txt",
    }  # fmt: skip


def test_no_families(run: Run, folder: Path) -> None:
    result = run("passages", folder / "w.txt", folder / "z.txt", "--families")
    assert result.out == b"no families\n"
    assert "0 families in 0 documents" in result.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--families", "--scores"], "use one of them"),
        (["--shared-by", "x.txt"], "--shared-by requires --families"),
        (["--not-by", "x.txt"], "--not-by requires --families"),
        (["--families", "--shared-by", "q.txt"], "no document has the id 'q.txt'"),
        (["--families", "--differences", "--format", "csv"], "--differences is not available"),
        (["--format", "tei"], "--format tei requires --families"),
        (["--format", "graphml", "--scores"], "--scores is not available with --format graphml"),
    ],
)
def test_wrong_options(run: Run, folder: Path, options: list[str], message: str) -> None:
    result = run("passages", folder, *options)
    assert result.status == 2
    assert message in result.err
    assert result.out == b""
