"""Rows in each text format."""

from __future__ import annotations

import io

import pytest

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
