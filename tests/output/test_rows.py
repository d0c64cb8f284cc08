"""Rows in each text format."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Reader
from likewise.documents.metadata import MetadataTable
from likewise.output.rows import Rows, write_rows

TABLE = """\
id  share
a   0.5000
b   -
… and 3 more pairs
"""
CSV = "id,share\na,0.5\nb,\nc,1.0\nd,1.0\ne,1.0\n"
JSONL = """\
{"id": "a", "share": 0.5}
{"id": "b", "share": null}
{"id": "c", "share": 1.0}
{"id": "d", "share": 1.0}
{"id": "e", "share": 1.0}
"""


@pytest.mark.parametrize(
    ("format_", "expected"), [("table", TABLE), ("csv", CSV), ("jsonl", JSONL)]
)
def test_a_table_is_cut_and_files_have_all_rows(format_: str, expected: str) -> None:
    values = [("a", 0.5), ("b", None), ("c", 1.0), ("d", 1.0), ("e", 1.0)]
    rows = Rows(("id", "share"), values, 5, shown=2, many="pairs", kinds=(str, float))
    stream = io.BytesIO()
    write_rows(rows, format_, stream)
    lines = [line.rstrip() for line in stream.getvalue().decode().splitlines()]
    assert [" ".join(line.split()) for line in lines] == [
        " ".join(line.split()) for line in expected.splitlines()
    ]


@given(st.lists(st.text("'=+-@\t\r\n5a,\"", max_size=4), max_size=8), st.integers())
def test_no_cell_of_csv_is_a_formula_and_texts_can_be_restored(
    texts: list[str], number: int
) -> None:
    stream = io.BytesIO()
    write_rows(Rows(("id", "n"), [(text, number) for text in texts], len(texts)), "csv", stream)
    _, *cells = csv.reader(io.StringIO(stream.getvalue().decode(), newline=""))
    assert [n for _, n in cells] == [str(number)] * len(texts)
    assert not any(id_[:1] in set("=+-@\t\r\n") for id_, _ in cells)
    assert [re.sub(r"\A'('*[=+\-@\t\r\n])", r"\1", id_) for id_, _ in cells] == texts


def test_csv_in_a_file_is_marked_for_excel_and_read_back_exactly(tmp_path: Path) -> None:
    rows = Rows(("file", "author"), [("a.txt", "Jürgen Weiß"), ("b.txt", "王小明")], 2)
    marked, plain = io.BytesIO(), io.BytesIO()
    write_rows(rows, "csv", marked, to_file=True)
    write_rows(rows, "csv", plain)
    assert marked.getvalue() == b"\xef\xbb\xbf" + plain.getvalue()
    path = tmp_path / "rows.csv"
    path.write_bytes(marked.getvalue())
    (batch,) = Reader(path, text="author", id="file")
    assert list(batch.ids) == ["a.txt", "b.txt"]
    assert MetadataTable.read(path).find("b.txt") == {"author": "王小明"}
