"""Places that scholars use, on the command line: in every output, and through the index."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from likewise.index.index import Index
from tests.cli.conftest import Run
from tests.documents.editions import GOSPEL, tei

LUKE = (
    "Lk 3,2 And in those days a man came to the river, and he\n"
    "Lk 3,3 said, Turn round, for the day is near.\n"
)
MARK = (
    "\\id MRK\n\\c 1\n\\p\n\\v 4 In those days a man came to the river,\n"
    "\\v 5 and he said, Turn round, for the day is near.\n"
)
PLACES = {"luke.txt": "Lk 3,2–3", "mark.usfm": "Mark 1,4–5", "matthew.xml": "Mt 3,1–2"}


@pytest.fixture
def gospels(tmp_path: Path) -> Path:
    folder = tmp_path / "gospels"
    folder.mkdir()
    (folder / "luke.txt").write_text(LUKE, "utf-8")
    (folder / "mark.usfm").write_text(MARK, "utf-8")
    (folder / "matthew.xml").write_bytes(GOSPEL)
    return folder


def test_passages_are_cited_by_chapter_and_verse(run: Run, gospels: Path, tmp_path: Path) -> None:
    table = run("passages", gospels, "--places", "verses")
    assert (table.status, table.out.decode().count("passage:")) == (0, 3)
    for side, place in (("a", "Lk 3,2–3"), ("b", "Mark 1,4–5"), ("b", "Mt 3,1–2")):
        assert f"   {side}  {place}:  " in table.out.decode()
    lines = run("passages", gospels, "--places", "verses", "--format", "jsonl").out.splitlines()
    rows = list(map(json.loads, lines))
    assert [(row["a_place"], row["b_place"]) for row in rows] == [
        (PLACES[row["a"]], PLACES[row["b"]]) for row in rows
    ]
    assert rows[0]["a_text"].startswith("in those days")
    text = run("passages", gospels, "--places", "verses", "--format", "csv").out.decode()
    (head, *_) = table_rows = list(csv.DictReader(io.StringIO(text)))
    assert list(head)[-4:] == ["a_text", "b_text", "a_place", "b_place"]
    assert [row["a_place"] for row in table_rows] == [row["a_place"] for row in rows]
    run("passages", gospels, "--places", "verses", "--format", "parquet", "-o", "p.parquet")
    parquet = pq.read_table(tmp_path / "p.parquet")
    assert parquet.column("b_place").to_pylist() == [row["b_place"] for row in rows]


def test_without_places_there_are_lines(run: Run, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(LUKE, "utf-8")
    result = run("passages", "a.txt", "b.txt", "--format", "jsonl")
    (row,) = map(json.loads, result.out.splitlines())
    assert (row["a_place"], row["a_line"], row["a_text"][:6]) == (None, 1, "Lk 3,2")
    text = run("passages", "a.txt", "b.txt", "--format", "csv").out.decode()
    assert next(csv.DictReader(io.StringIO(text)))["a_place"] == ""


def test_two_texts_are_compared_with_their_places(run: Run, gospels: Path) -> None:
    files = gospels / "luke.txt", gospels / "matthew.xml"
    table = run("compare", *files, "--places", "verses").out.decode()
    assert "   a  Lk 3,2–3:  " in table
    (line,) = run("compare", *files, "--places", "verses", "--format", "jsonl").out.splitlines()
    (passage,) = json.loads(line)["passages"]
    assert (passage["a_place"], passage["b_place"]) == ("Lk 3,2–3", "Mt 3,1–2")
    (gospels / "long.txt").write_text(LUKE * 2000, "utf-8")
    files = gospels / "long.txt", gospels / "luke.txt"
    refused = run("compare", *files, "--places", "verses", "--memory", "16MiB")
    assert refused.status == 2
    assert "--places is not available for texts that need more than --memory" in refused.err


def test_an_index_keeps_places(run: Run, gospels: Path, tmp_path: Path) -> None:
    run("index", "create", "x.db")
    assert "3 added" in run("index", "add", "x.db", gospels, "--places", "verses").err
    run("index", "export", "x.db", "x.parquet")
    run("index", "create", "y.db")
    assert "3 added" in run("index", "import", "y.db", "x.parquet").err
    assert "3 unchanged" in run("index", "add", "y.db", gospels, "--places", "verses").err
    with Index(tmp_path / "x.db") as one, Index(tmp_path / "y.db") as other:
        assert list(one.documents()) == list(other.documents())
        assert other.verify() == []
        stored = other["matthew.xml"].to_document()
        at = stored.text.index("Turn round")
        assert str(stored.place(at).reference) == "Mt 3,2"
    found = run("index", "passages", "y.db", gospels / "mark.usfm", "--format", "jsonl").out
    assert {row["b"]: row["b_place"] for row in map(json.loads, found.splitlines())} == PLACES


def test_numbers_that_are_not_there_are_reported(run: Run, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("no numbers in this text\n" * 3, "utf-8")
    result = run("passages", "a.txt", "b.txt", "--places", "lines")
    assert result.status == 0
    assert "no line numbers found" in result.err
    assert "--places" in run("passages", "a.txt", "--places", "pages").err


def test_pages_of_the_edition_stand_behind_the_reference(run: Run, tmp_path: Path) -> None:
    body = (
        '<body><div type="act" n="1"><l n="7"><pb/>The wheel has stopped, the river has no breath,'
        "</l><pb/><l>and silence is the millers little death, and that is all of it.</l></div>"
        "</body>"
    )
    for name in ("a.xml", "b.xml"):
        (tmp_path / name).write_bytes(tei(body))
    assert "   a  1.7–8, p. 1:  " in run("passages", "a.xml", "b.xml").out.decode()
