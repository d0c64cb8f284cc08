"""Rows by their place, with texts, ids and one more column."""

import datetime
import decimal
import gzip
import json
import threading
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.tables.source import open_rows
from likewise.errors import ColumnError, SourceError, UsageError

from .conftest import AllRows

KINDS = ["parquet", "jsonl", "csv", "lines"]


def write_table(folder, kind, texts):
    """Write texts as a table of the kind; of lines and CSV, those without a line end or null."""
    if kind == "parquet":
        path = folder / "t.parquet"
        pq.write_table(pa.table({"text": pa.array(texts, pa.string())}), path, row_group_size=7)
    elif kind == "jsonl":
        path = folder / "t.jsonl"
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    else:
        path = folder / ("t.csv" if kind == "csv" else "t.txt")
        quoted = [text if kind == "lines" else f'"{text}"' for text in texts]
        path.write_text("".join(line + "\n" for line in ["text"][kind == "lines" :] + quoted))
    return path


def test_every_row_is_a_row_whether_it_has_a_text_or_not(write, rows):
    pq.write_table(pa.table({"text": ["a", None, ""]}), write("s/1.parquet", b""))
    write("s/2.jsonl", '{"text": "a"}\n\n[1]\n{"text": 5}\n{"text": null}\n{}\n{"text": "z"}')
    write("s/3.csv", 'text,n\na,1\n\nb\nc,2,3\n"x\ny",4\n"open,5\n')
    got = rows("s")
    assert got.texts == [
        ["a", None, ""],
        ["a", None, None, None, None, None, "z"],
        ["a", "", None, None, "x\ny", None],
    ]
    assert [file.count for file in got.source.files] == [3, 7, 6]
    assert got.source.bad_rows == 5
    assert got.bad == [
        "s/2.jsonl line 3: a list, where an object was expected",
        "s/2.jsonl line 4: 'text' is a number, where a string was expected",
        "s/3.csv row 2: 1 field instead of 2",
        "s/3.csv row 3: 3 fields instead of 2",
        "s/3.csv row 5: 1 field instead of 2; a quote is opened and never closed",
    ]
    list(got.source.batches())
    assert got.source.bad_rows == 5, "what is read again is not told again"


def test_files_come_in_the_order_of_their_paths_and_documents_side_by_side_are_one(write, rows):
    for name in ("b.txt", "a/z.txt", "a/c.jsonl", "Z.txt", "c.html"):
        write(f"s/{name}", '{"text": "row"}' if name.endswith("jsonl") else f"text of {name}")
    got = rows("s")
    files = [[origin.id for origin in file.origins] for file in got.source.files]
    assert files == [["Z.txt"], ["a/c.jsonl"], ["a/z.txt", "b.txt", "c.html"]]
    assert got.texts[2] == ["text of a/z.txt", "text of b.txt", "text of c.html\n"]
    assert got.source.display(1, 0) == "a/c.jsonl:0"
    assert got.source.display(2, 1) == "b.txt"
    assert not got.source.has_ids


@pytest.mark.parametrize(
    ("column", "strings"),
    [
        (pa.array(["b", None, "b", ""]), ["b", None, "b", ""]),
        (pa.array([10, 9, None, -1]), ["10", "9", None, "-1"]),
        (pa.array([1.0, 2.5, None, 1.0]), ["1", "2.5", None, "1"]),
        (pa.array(["x", None, "y", "x"]).dictionary_encode(), ["x", None, "y", "x"]),
        (pa.array([datetime.date(2020, 1, 2)] * 4), ["2020-01-02"] * 4),
        (pa.array([b"\xff\x00", None, b"", b"a"]), ["ff00", None, "", "61"]),
        (pa.array([b"ab"] * 4, pa.binary(2)), ["6162"] * 4),
        (pa.array([decimal.Decimal("1.50")] * 4), ["1.50"] * 4),
        (pa.array([None] * 4), [None] * 4),
        (
            pa.ExtensionArray.from_storage(
                pa.uuid(), pa.array([uuid.UUID(int=7).bytes, None] * 2, pa.binary(16))
            ),
            ["00000000-0000-0000-0000-000000000007", None] * 2,
        ),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_ids_of_parquet_may_be_of_any_type_missing_and_repeated(write, rows, column, strings):
    pq.write_table(pa.table({"id": column, "text": list("abcd")}), write("t.parquet", b""))
    assert rows("t.parquet").ids == [strings]


def test_ids_of_other_tables_may_be_anything_too(write, rows):
    values = [1, "a", None, 2.0, 2.5, True, [1, "é"], 10**30]
    path = write("t.jsonl", "".join(json.dumps({"id": v, "text": "x"}) + "\n" for v in values))
    assert rows(path).ids == [["1", "a", None, "2", "2.5", "true", '[1, "é"]', str(10**30)]]
    assert rows(write("t.csv", "id,text\n1,a\n,b\n1,c\n")).ids == [["1", None, "1"]]


def test_a_nested_id_is_refused_if_asked_for_and_else_passed_over(write, rows):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"id": [[1], [2]], "text": ["a", "b"]}), path)
    assert rows(path).ids == [None]
    with pytest.raises(ColumnError, match="list"):
        open_rows(path, id="id")


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([2**60 + 1, None, 3]), [2**60 + 1, None, 3]),
        (pa.array([1.5, float("nan"), None]), [1.5, None, None]),
        (pa.array([True, False, None]), [1, 0, None]),
        (pa.array([datetime.date(1970, 1, 2), None, None]), [86_400_000_000, None, None]),
        (pa.array(["b", None, "é"]).dictionary_encode(), ["b", None, "é"]),
        (pa.array([decimal.Decimal("1.50"), None, None]), [1.5, None, None]),
        (pa.array([None, None, None]), [None, None, None]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_one_more_column_of_parquet(write, rows, column, values):
    pq.write_table(pa.table({"more": column, "text": list("abc")}), write("t.parquet", b""))
    assert rows("t.parquet", column="more").values == [values]


def test_one_more_column_of_other_tables_has_numbers_or_strings(write, rows):
    write("n.jsonl", '{"text": "a", "n": 1}\n\n{"text": "b", "n": 0.5}\n{"text": "c"}\nbad\n')
    assert rows("n.jsonl", column="n").values == [[1.0, None, 0.5, None, None]]
    write("n.csv", "text,n\na,10\nb,9\nc,\nbad\nd, 1e3\n")
    assert rows("n.csv", column="n").values == [[10, 9, None, None, 1000]]
    write("s.csv", "text,n\na,10\nb,x\n")
    assert rows("s.csv", column="n").values == [["10", "x"]]


def test_a_column_of_mixed_types_is_an_error_that_names_the_row(write, rows):
    write("m.jsonl", '{"text": "a", "n": 1}\n{"text": "b", "n": "x"}\n')
    with pytest.raises(SourceError, match=r"m.jsonl line 2: 'n' is \"x\", .* numbers"):
        rows("m.jsonl", column="n")
    write("m.csv", "text,n\n" + "a,1\n" * 600_000 + "b,x\n")
    with pytest.raises(SourceError, match=r"m.csv row 600000: 'n' is 'x'"):
        rows("m.csv", column="n")
    write("two/1.jsonl", '{"text": "a", "n": 1}\n')
    write("two/2.csv", "text,n\na,b\n")
    with pytest.raises(ColumnError, match=r"numbers in two/1.jsonl and strings in two/2.csv"):
        open_rows("two", column="n")


def test_values_of_different_files_have_one_type(write):
    for number, column in enumerate([[1, 2], [0.5, None]]):
        path = write(f"s/{number}.parquet", b"")
        pq.write_table(pa.table({"n": column, "text": ["a", "b"]}), path)
    write("s/2.jsonl", "\n")
    source = open_rows("s", column="n")
    assert {str(batch.values.type) for batch in source.batches()} == {"double"}


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl", "t.csv"])
def test_a_column_that_is_not_there_is_an_error_before_reading(write, name):
    if name == "t.parquet":
        pq.write_table(pa.table({"text": ["a"]}), write(name, b""))
    else:
        write(name, '{"text": "a"}\n' if name == "t.jsonl" else "text,n\na,1\n")
    for options in ({"column": "score"}, {"id": "score"}, {"text": "score"}):
        with pytest.raises(ColumnError, match="no column 'score'"):
            open_rows(name, **options)


@given(st.data(), st.sampled_from(KINDS), st.booleans())
def test_any_rows_can_be_read_again(tmp_path_factory, data, kind, packed):
    folder = tmp_path_factory.mktemp("again")
    text = st.text(st.sampled_from("abé ,"), max_size=9)
    texts = data.draw(
        st.lists(st.one_of(st.none(), text) if kind in ("parquet", "jsonl") else text, max_size=40)
    )
    path = write_table(folder, kind, texts)
    if packed:
        (folder / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path = folder / f"{path.name}.gz"
    source = open_rows(
        path, text=None if kind == "lines" else "text", shape="lines" if kind == "lines" else "auto"
    )
    assert [text for batch in source.batches() for text in batch.texts.to_pylist()] == texts
    wanted = sorted(data.draw(st.sets(st.integers(0, max(0, len(texts) - 1)))) if texts else [])
    again = list(source.gather(0, np.array(wanted, np.int64)))
    assert [row for some in again for row in some.rows] == wanted
    assert [text for some in again for text in some.texts.to_pylist()] == [
        texts[row] for row in wanted
    ]


def test_documents_can_be_read_again(write):
    for number in range(5):
        write(f"s/{number}.html", f"<p>page {number}</p>")
    again = list(open_rows("s").gather(0, np.array([1, 4])))
    assert [text.strip() for some in again for text in some.texts.to_pylist()] == [
        "page 1",
        "page 4",
    ]


def test_rows_that_are_gone_are_an_error(write):
    source = open_rows(write("t.jsonl", '{"text": "a"}\n'))
    with pytest.raises(SourceError, match="has changed"):
        list(source.gather(0, np.array([3])))


def test_only_the_row_groups_that_are_wanted_are_read(write):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"text": [f"text {n}" for n in range(40)]}), path, row_group_size=10)
    _damage_group(path, 2)
    source = open_rows(path)
    assert [t for some in source.gather(0, np.array([5, 35])) for t in some.texts.to_pylist()] == [
        "text 5",
        "text 35",
    ]
    with pytest.raises(SourceError, match="row group 2"):
        list(source.gather(0, np.array([25])))


@given(st.integers(1, 12), st.integers(1, 40), st.sets(st.integers(0, 99)), st.integers(0, 9))
def test_row_groups_that_are_read_at_once_come_in_their_order(
    tmp_path_factory, threads, group, some, stop
):
    path = tmp_path_factory.mktemp("rows") / "t.parquet"
    texts = [None if n % 9 == 4 else f"text {n}" for n in range(100)]
    pq.write_table(pa.table({"text": texts, "id": range(100)}), path, row_group_size=group)
    source = open_rows(path, batch_bytes=1)
    source.reading.threads = threads
    batches = list(source.batches())
    assert [text for batch in batches for text in batch.texts.to_pylist()] == texts
    assert [row for batch in batches for row in batch.rows] == list(range(100))
    rows = np.array(sorted(some), np.int64)
    again = list(source.gather(0, rows))
    assert [row for batch in again for row in batch.rows] == rows.tolist()
    assert [text for batch in again for text in batch.texts.to_pylist()] == [
        texts[row] for row in rows
    ]
    started = source.batches()
    for _ in range(stop):
        next(started, None)
    started.close()
    assert not [one for one in threading.enumerate() if one.name == "likewise-ahead"]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_rows_before_a_damaged_row_group_are_given(write, threads):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"text": [f"text {n}" for n in range(60)]}), path, row_group_size=10)
    for group in (3, 4):
        _damage_group(path, group)
    source = open_rows(path, batch_bytes=1)
    source.reading.threads = threads
    got = []
    with pytest.raises(SourceError, match="row group 3 is damaged"):
        got.extend(batch.first for batch in source.batches())
    assert got == [0, 10, 20]
    assert not [one for one in threading.enumerate() if one.name == "likewise-ahead"]


def _damage_group(path, group, column=0):
    """Overwrite the pages of one column of one row group."""
    chunk = pq.ParquetFile(path).metadata.row_group(group).column(column)
    start = min(filter(None, (chunk.dictionary_page_offset, chunk.data_page_offset)))
    data = bytearray(path.read_bytes())
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(data)


def test_batches_begin_at_any_file_and_hold_as_much_as_asked_for(write):
    for number in range(3):
        write(f"s/{number}.jsonl", f'{{"text": "{"word " * 100}"}}\n' * 10_000)
    source = open_rows("s", batch_bytes=1 << 20)
    batches = list(source.batches(1, 3))
    assert {batch.file for batch in batches} == {1, 2}
    assert sum(map(len, batches)) == 20_000
    assert max(batch.texts.nbytes for batch in batches) < 5 << 20


def test_a_document_of_many_megabytes_is_one_row(write, rows):
    text = "word " * 2_000_000
    write("s/1.jsonl", json.dumps({"text": text}) + "\n" + json.dumps({"text": "short"}))
    write("s/2.csv", f'text,n\n"{text}",1\nshort,2\n')
    assert rows("s").texts == [[text, "short"], [text, "short"]]


def test_a_row_group_whose_texts_are_stored_once_comes_in_pieces(write):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"text": ["long " * 10_000] * 2500}), path)
    sizes = [batch.texts.nbytes for batch in open_rows(path, batch_bytes=1 << 20).batches()]
    assert max(sizes) < 60 << 20


def test_pipes_stdin_and_archives_are_refused(write):
    with pytest.raises(SourceError, match="read twice"):
        open_rows("-")
    write("s/a.zip", b"PK")
    with pytest.raises(SourceError, match="zip archive") as caught:
        open_rows("s")
    assert caught.value.hint == "unpack it, and name the folder"


def test_encodings_are_those_of_the_reader(write, rows):
    write("s/1.csv", "text\né\n".encode("cp1252"))
    write("s/2.jsonl", '{"text": "é"}\n'.encode("utf-16"))
    write("s/3.jsonl", b'\xef\xbb\xbf{"text": "\xc3\xa9"}\n')
    assert rows("s").texts == [["é"], ["é"], ["é"]]


class TestBadFiles:
    """Files that cannot be read: an error that names them, or left out if asked for."""

    @pytest.fixture
    def folder(self, write):
        for name in "abc":
            path = write(f"s/{name}.parquet", b"")
            pq.write_table(
                pa.table({"text": [f"{name} {n}" for n in range(30)], "n": range(30)}),
                path,
                row_group_size=10,
            )
        return path.parent

    def test_a_damaged_row_group_in_the_middle(self, folder):
        _damage_group(folder / "b.parquet", 1)
        with pytest.raises(SourceError, match=r"s/b.parquet: row group 1 is damaged"):
            AllRows("s")
        got = AllRows("s", skip_bad=True)
        assert [len(texts) for texts in got.texts] == [30, 0, 30]
        assert got.skipped[0].startswith("s/b.parquet: row group 1 is damaged")
        assert got.source.files[1].left_out

    def test_a_damaged_column_that_is_not_the_text_is_found_before_its_rows_count(self, folder):
        _damage_group(folder / "b.parquet", 1, column=1)
        assert len(AllRows("s").texts[1]) == 30
        assert AllRows("s", skip_bad=True).texts[1] == []

    def test_a_table_without_the_text(self, folder):
        pq.write_table(pa.table({"title": ["x"]}), folder / "b.parquet")
        with pytest.raises(ColumnError, match=r"s/b.parquet: no column"):
            open_rows("s")
        assert "s/b.parquet: no column" in AllRows("s", skip_bad=True).skipped[0]

    @pytest.mark.parametrize("name", ["d.parquet", "d.jsonl.gz", "d.jsonl.zst", "d.jsonl", "d.csv"])
    def test_files_that_are_something_else(self, folder, name):
        (folder / name).write_bytes(b"\x1f\x8b\0\0\0 something else")
        with pytest.raises(SourceError, match=rf"s/{name}"):
            AllRows("s")
        got = AllRows("s", skip_bad=True)
        assert [len(texts) for texts in got.texts] == [30, 30, 30, 0]
        assert f"s/{name}" in got.skipped[0]

    def test_packed_data_that_end_too_early(self, folder):
        packed = gzip.compress(b"".join(b'{"text": "%d"}\n' % n for n in range(9999)))
        (folder / "d.jsonl.gz").write_bytes(packed[:-20])
        with pytest.raises(SourceError, match=r"s/d.jsonl.gz: damaged gzip"):
            AllRows("s")
        assert AllRows("s", skip_bad=True).texts[3] == []

    def test_a_file_that_was_left_out_before_stays_out(self, folder):
        source = open_rows("s")
        source.leave_out(1, "it was damaged")
        assert {batch.file for batch in source.batches()} == {0, 2}
        assert [str(one) for one in source.skipped] == ["s/b.parquet: it was damaged"]

    def test_a_broken_document_is_a_row_without_a_text(self, write, rows):
        write("d/a.txt", "text")
        write("d/b.pdf", b"%PDF-1.7 broken")
        got = rows("d")
        assert got.texts == [["text", None]]
        assert got.bad[0].startswith("d/b.pdf: ")

    def test_a_column_that_is_to_be_added_must_not_be_there(self, folder, write):
        with pytest.raises(UsageError, match=r"s/a.parquet: already has a column 'n'"):
            open_rows("s", reserved=["kept", "n"])
        write("t.csv", "text,kept\na,b\n")
        with pytest.raises(UsageError, match="'kept'"):
            open_rows("t.csv", reserved=["kept"])
        write("t.jsonl", '{"text": "a"}\n' * 2000 + '{"text": "a", "kept": 1}\n')
        with pytest.raises(UsageError, match="'kept'"):
            list(open_rows("t.jsonl", reserved=["kept"], skip_bad=True).batches())


def test_a_file_in_which_every_text_is_null_is_rows_without_a_text(write, rows):
    pq.write_table(pa.table({"text": pa.nulls(3)}), write("s/a.parquet", b""))
    pq.write_table(pa.table({"text": ["a"]}), write("s/b.parquet", b""))
    assert rows("s").texts == [[None] * 3, ["a"]]


def test_what_programs_leave_beside_tables_is_passed_over(write, rows):
    pq.write_table(pa.table({"text": ["a"], "n": [1]}), write("s/n=1/part-0.parquet", b""))
    write("s/_SUCCESS", b"")
    write("s/_metadata", b"PAR1")
    write("s/README.md", "a document")
    got = rows("s", column="n")
    assert got.texts == [["a document"], ["a"]]
    assert got.values == [[None], [1]]
    assert [str(one).partition(":")[0] for one in got.skipped] == ["s/_metadata"]


def test_documents_alone_have_no_columns(write):
    write("s/a.txt", "text")
    with pytest.raises(ColumnError, match="no column 'n': none of the sources is a table"):
        open_rows("s", column="n")
