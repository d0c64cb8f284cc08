"""Title, author, date and group, from a table beside the documents."""

import datetime
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likewise.documents.metadata import MetadataTable
from likewise.errors import SourceError

ROWS = [
    {"file": "a.pdf", "title": "On bees", "author": "Ann", "date": "2024-01-31", "group": "7b"},
    {"file": "sub/b.pdf", "title": "On ants", "author": "", "date": "", "group": "7b"},
]
FOUND = {
    "a.pdf": {"title": "On bees", "author": "Ann", "date": "2024-01-31", "group": "7b"},
    "sub/b.pdf": {"title": "On ants", "group": "7b"},
}


def as_lines(rows, delimiter):
    lines = [delimiter.join(rows[0]), *(delimiter.join(row.values()) for row in rows)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("kind", ["csv", "semicolons", "tsv", "jsonl", "parquet"])
def test_every_kind_of_table_gives_the_same(write, kind):
    if kind == "parquet":
        path = write("m.parquet", b"")
        pq.write_table(pa.Table.from_pylist([{**row, "n": 1} for row in ROWS]), path)
    elif kind == "jsonl":
        path = write("m.jsonl", "\n".join(json.dumps(row) for row in ROWS))
    elif kind == "tsv":
        path = write("m.tsv", as_lines(ROWS, "\t"))
    else:
        path = write("m.csv", as_lines(ROWS, "," if kind == "csv" else ";"))
    table = MetadataTable.read(path)
    assert len(table) == 2
    assert {id_: table.find(id_) for id_ in ("a.pdf", "sub/b.pdf")} == FOUND
    assert [note.message for note in table.notes] == [
        "2 of 2 documents described; file = column 'file', title = 'title', author = 'author', "
        "date = 'date', group = 'group'"
    ]


@pytest.mark.parametrize("column", ["id", "file", "filename", "name", "Filename", " NAME "])
def test_the_column_that_names_the_document_may_be_called_so(column):
    table = MetadataTable("m", [{column: "a.pdf", "Title": "T"}])
    assert table.find("a.pdf") == {"title": "T"}


def test_a_document_is_known_by_its_path_or_by_its_name_alone():
    table = MetadataTable("m", [{"file": ".\\sub\\a.pdf"}, {"file": "b.pdf"}])
    assert None not in map(table.find, ("sub/a.pdf", "deep/er/b.pdf"))
    assert table.find("other/a.pdf") is None


def test_a_name_that_fits_two_documents_is_an_error():
    table = MetadataTable("m.csv", [{"file": "a.pdf"}])
    table.find("x/a.pdf")
    with pytest.raises(SourceError, match=r"'a\.pdf' matches two documents: 'x/a\.pdf' and 'y/a"):
        table.find("y/a.pdf")


def test_rows_without_documents_and_documents_without_rows_are_counted():
    table = MetadataTable("m.csv", [{"id": str(i)} for i in range(6)])
    for id_ in ("0", "a", "b"):
        table.find(id_)
    assert [str(note) for note in table.notes] == [
        "m.csv: 1 of 3 documents described; file = column 'id'; "
        "5 rows match no document: '1', '2', '3', …",
    ]


def test_the_same_document_twice_is_an_error_that_names_both_rows():
    with pytest.raises(SourceError, match=r"m: duplicate 'a': in row 0 and in row 2"):
        MetadataTable("m", [{"id": "a"}, {"id": "b"}, {"id": " a "}]).settle()


def test_dates_and_numbers_become_text():
    table = MetadataTable("m", [{"id": 7, "date": datetime.date(2024, 1, 31), "group": 12}])
    assert table.find("7") == {"date": "2024-01-31", "group": "12"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "m.csv",
            "title,author\na,b\n",
            "no column names the documents; it has 'title', 'author'",
        ),
        ("m.csv", "id,title,title\na,b,c\n", "duplicate column 'title'"),
        ("m.csv", "", "no column names the documents; it has none"),
        ("m.jsonl", '{"id": 1}\n[2]\n', "line 2: not a JSON object"),
        ("m.jsonl", '{"id": 1\n', "line 1: not valid JSON"),
        ("m.parquet", "x", "damaged, or not Parquet"),
        ("m.txt", "id\n1\n", "not a table"),
        ("m.csv", b"\x89PNG", "binary file"),
    ],
)
def test_a_bad_table_is_an_error(write, name, content, message):
    with pytest.raises(SourceError, match=message):
        MetadataTable.read(write(name, content)).settle()


def test_a_table_that_is_not_there_is_an_error(write):
    with pytest.raises(SourceError, match="no such file"):
        MetadataTable.read("gone.csv")


def test_a_table_in_another_encoding_is_read(write):
    path = write("m.csv", "file,title\na.pdf,L'été dernier à la forêt\n".encode("cp1252"))
    assert MetadataTable.read(path).find("a.pdf") == {"title": "L'été dernier à la forêt"}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("m.jsonl", b'{"id": ' + b"[" * 100_000, r"m\.jsonl line 1: not valid JSON: nested too"),
        ("m.jsonl", b'{"id": ' + b"1" * 5000 + b"}", r"m\.jsonl line 1: not valid JSON: "),
        ("m.csv", b"id," + b"x" * 200_000 + b"\n1,2\n", r"m\.csv: cannot be read as CSV: field"),
    ],
)
def test_a_table_that_is_crafted_is_an_error(write, name, data, message):
    with pytest.raises(SourceError, match=message):
        MetadataTable.read(write(name, data))


@pytest.mark.parametrize("damage", [(b"title", b"tit\xffe"), (b"Ulysses", b"Uly\xffses")])
def test_parquet_that_is_not_utf8_is_an_error(write, damage):
    path = write("m.parquet", b"")
    table = pa.table({"id": ["a"], "title": ["Ulysses"]})
    pq.write_table(table, path, store_schema=False, use_dictionary=False, write_statistics=False)
    path.write_bytes(path.read_bytes().replace(*damage))
    with pytest.raises(SourceError, match=r"m\.parquet: damaged, or not Parquet"):
        MetadataTable.read(path)
