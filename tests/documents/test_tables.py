"""One document a row: JSON Lines, CSV and Parquet."""

import codecs
import csv
import gzip
import io
import json
import os
import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Reader, stream
from likewise.documents.tables.bytes import row_bytes
from likewise.documents.tables.csv_stream import good_rows
from likewise.documents.tables.records import cut_lines
from likewise.documents.tables.source import open_rows
from likewise.documents.texts import scrub
from likewise.errors import ColumnError, SourceError

KINDS = ["jsonl", "csv", "parquet"]


@pytest.fixture
def table(write):
    """Write rows as a table of the given kind; return its path."""

    def table(name, rows):
        if name.endswith(".parquet"):
            path = write(name, b"")
            pq.write_table(pa.Table.from_pylist(rows), path)
            return path
        if name.endswith(".jsonl"):
            return write(name, "".join(json.dumps(row) + "\n" for row in rows))
        out = io.StringIO()
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        return write(name, out.getvalue())

    return table


@pytest.mark.parametrize("kind", KINDS)
def test_rows_without_an_id_column_are_numbered_from_0(table, collect, kind):
    path = table(f"t.{kind}", [{"text": "one", "n": 1}, {"text": 'two\n"lines", é', "n": 2}])
    assert collect(path).by_id == {"0": "one", "1": 'two\n"lines", é'}


@pytest.mark.parametrize("kind", KINDS)
def test_the_column_called_id_is_the_id_and_numbers_become_strings(table, collect, kind):
    path = table(f"t.{kind}", [{"id": 17, "text": "one"}, {"id": 4, "text": "two"}])
    assert collect(path).by_id == {"17": "one", "4": "two"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_user_names_the_columns(table, collect, kind):
    path = table(f"t.{kind}", [{"text": "no", "key": "k1", "abstract": "yes"}])
    assert collect(path, text="abstract", id="key").by_id == {"k1": "yes"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["content", "body", "abstract"])
def test_the_text_may_be_called_otherwise_and_that_is_reported(table, collect, kind, name):
    path = table(f"t.{kind}", [{"id": "k", "year": 1999, name: "yes"}])
    got = collect(path)
    assert got.by_id == {"k": "yes"}
    assert got.notes[0].endswith(f"the text is taken from column {name!r}")


@pytest.mark.parametrize("kind", KINDS)
def test_where_no_column_must_be_the_text_the_error_lists_them(table, kind):
    path = table(f"t.{kind}", [{"title": "a", "abstract": "b"}])
    with pytest.raises(ColumnError, match="it has 'title', 'abstract'") as caught:
        list(Reader(path))
    assert "`text`" in (caught.value.hint or "")


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_is_not_there_is_an_error_that_lists_them(table, kind):
    path = table(f"t.{kind}", [{"id": "a", "text": "b"}])
    with pytest.raises(ColumnError, match="no column 'body'; it has 'id', 'text'"):
        list(Reader(path, text="body"))
    with pytest.raises(ColumnError, match="no column 'key'; it has 'id', 'text'"):
        list(Reader(path, id="key"))


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_text_column_without_strings_is_an_error(table, kind):
    path = table(f"t.{kind}", [{"n": 1, "text": "b"}])
    with pytest.raises(ColumnError, match="column 'n' does not contain strings"):
        list(Reader(path, text="n"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_id_twice_is_an_error_that_names_both_places(table, kind):
    path = table(f"t.{kind}", [{"id": i, "text": "x"} for i in ("a", "b", "c", "b")])
    places = {"jsonl": "line 2 and in .* line 4"}.get(kind, "row 1 and in .* row 3")
    with pytest.raises(SourceError, match=f"duplicate id 'b': in .* {places}"):
        list(Reader(path))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_id_in_two_files_is_an_error(table, kind):
    first = table(f"a.{kind}", [{"id": "x", "text": "1"}])
    second = table(f"b.{kind}", [{"id": "x", "text": "2"}])
    with pytest.raises(SourceError, match=r"duplicate id 'x': in .*a\..* and in .*b\."):
        list(Reader([first, second]))


@pytest.mark.parametrize("kind", KINDS)
def test_row_numbers_of_several_files_stand_behind_the_name(table, collect, kind):
    table(f"d/a.{kind}", [{"text": "1"}, {"text": "2"}])
    table(f"d/b.{kind}", [{"text": "3"}])
    expected = [f"a.{kind}:0", f"a.{kind}:1", f"b.{kind}:0"]
    assert collect(["d"]).ids == expected
    assert collect([f"d/*.{kind}"]).ids == expected
    assert collect([f"d/a.{kind}", f"d/b.{kind}"]).ids == expected


@pytest.mark.parametrize("order", [["a.jsonl", "b.jsonl"], ["b.jsonl", "a.jsonl"]])
def test_an_id_that_reads_like_another_files_row_is_refused_only_if_that_row_is_there(
    table, collect, order
):
    table("a.jsonl", [{"text": "1"}, {"text": "2"}])
    table("b.jsonl", [{"id": "a.jsonl:1", "text": "3"}])
    with pytest.raises(SourceError, match=r"duplicate id 'a\.jsonl:1'"):
        list(Reader(order))
    table("b.jsonl", [{"id": "a.jsonl:2", "text": "3"}, {"id": "a.jsonl:01", "text": "3"}])
    assert len(collect(order).ids) == 4


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_rows_without_text_or_id_are_skipped_and_keep_their_number(table, collect, kind):
    rows = [
        {"id": "a", "text": "1"},
        {"id": None, "text": "2"},
        {"id": "c", "text": None},
        {"id": "", "text": "4"},
        {"id": "e", "text": ""},
    ]
    got = collect(table(f"t.{kind}", rows))
    assert got.by_id == {"a": "1", "e": ""}
    assert [s.place for s in got.reader.skipped] == (
        ["line 2", "line 3", "line 4"] if kind == "jsonl" else ["row 1", "row 2", "row 3"]
    )
    assert [s.reason.split(" (")[0] for s in got.reader.skipped] == ["no id", "no text", "no id"]
    numbered = collect(table(f"u.{kind}", [{"text": "1"}, {"text": None}, {"text": "3"}]))
    assert numbered.ids == ["0", "2"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_packed_tables_read_like_plain_ones(table, write, collect, kind, packing):
    path = table(f"t.{kind}", [{"id": "a", "text": "1"}, {"id": "b", "text": "2"}])
    name = f"t.{kind}" + {"gzip": ".gz", "zstd": ".zst"}[packing]
    packed = write(name, pa.compress(path.read_bytes(), codec=packing, asbytes=True))
    assert collect(packed).by_id == {"a": "1", "b": "2"}


@pytest.mark.parametrize("kind", KINDS)
def test_packed_tables_cut_short_are_an_error(table, write, kind):
    path = table(f"t.{kind}", [{"id": str(i), "text": str(i * i)} for i in range(5000)])
    packed = write(f"t.{kind}.gz", gzip.compress(path.read_bytes())[:-100])
    with pytest.raises(SourceError, match="damaged gzip data"):
        list(Reader(packed))


def test_in_a_folder_a_table_without_a_text_column_is_skipped(table, write, collect):
    write("essays/a.txt", "a")
    table("essays/marks.csv", [{"name": "Ann", "mark": 3}])
    got = collect("essays")
    assert got.ids == ["a.txt"]
    assert got.skipped[0].startswith("essays/marks.csv: no column of strings called text")


# JSON Lines


def test_a_broken_line_is_skipped_and_named(write, collect):
    good = '{"text": "%s"}'
    lines = [good % "a", '{"text": "b"', "[1]", good % "c" + " x", '{"text": 5}', "{}", good % "d"]
    write("t.jsonl", "\n".join(lines))
    got = collect("t.jsonl")
    assert got.by_id == {"0": "a", "6": "d"}
    assert got.skipped == [
        "t.jsonl line 2: not valid JSON: Expecting ',' delimiter (column 13)",
        "t.jsonl line 3: a list, where an object was expected",
        "t.jsonl line 4: not valid JSON: Extra data (column 15)",
        "t.jsonl line 5: 'text' is a number, where a string was expected",
        "t.jsonl line 6: no text ('text' is null or missing)",
    ]


def test_blank_lines_in_jsonl_are_counted_but_are_no_documents(write, collect):
    write("t.jsonl", '\n{"text": "a"}\r\n  \n{"text": "b"}\n\n')
    got = collect("t.jsonl")
    assert (got.by_id, got.skipped) == ({"1": "a", "3": "b"}, [])


def test_other_fields_may_hold_anything(write, collect):
    rows = [{"x": 1}, {"x": "s"}, {"x": {"y": [1]}}, {"x": None}, {"x": [[]]}, {"z": 1e999}]
    write("t.jsonl", "".join(json.dumps({"text": "a", **row}) + "\n" for row in rows))
    assert collect("t.jsonl").texts == ["a"] * 6


def test_lone_surrogates_become_u_fffd_and_pairs_become_a_character(write, collect):
    write("t.jsonl", r'{"id": "\udfff", "text": "a\ud800b \ud83d\ude00"}')
    assert collect("t.jsonl").by_id == {"\ufffd": "a\ufffdb 😀"}


def test_control_characters_in_json_strings_are_let_through(write, collect):
    write("t.jsonl", '{"text": "a\tb"}')
    assert collect("t.jsonl").texts == ["a\tb"]


def test_a_line_nested_too_deeply_is_skipped(write, collect):
    write("t.jsonl", '{"text": "a"}\n{"text": "b", "x": ' + "[" * 200_000 + "]" * 200_000 + "}\n")
    assert collect("t.jsonl").skipped == ["t.jsonl line 2: not valid JSON: nested too deeply"]


def test_ids_of_other_types_are_strings(write, collect):
    write("t.jsonl", "".join(f'{{"id": {x}, "text": "a"}}\n' for x in ("1.5", "true", "[]", "9")))
    got = collect("t.jsonl")
    assert (got.ids, got.skipped) == (["1.5", "true", "[]", "9"], [])


def test_a_file_without_json_objects_is_an_error(write):
    write("t.jsonl", '[\n{"text": "a"},\n{"text": "b"},\n]\n')
    with pytest.raises(SourceError, match="no line of the first 4 is a JSON object"):
        list(Reader("t.jsonl"))


@given(st.lists(st.text(st.characters()), min_size=1))
def test_all_strings_survive_jsonl(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("j") / "t.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    got = [text for batch in Reader(path) for text in batch.texts.to_pylist()]
    assert got == [scrub(text) for text in texts]


# CSV


def test_rows_with_too_many_or_too_few_fields_are_skipped_and_counted(write, collect):
    write("t.csv", 'n,text\n0,a\n1\n2,"b\nc"\n3,d,e\n4,f\n')
    got = collect("t.csv")
    assert got.by_id == {"0": "a", "2": "b\nc", "4": "f"}
    assert got.skipped == [
        "t.csv row 1: 1 field instead of 2",
        "t.csv row 3: 3 fields instead of 2",
    ]


def test_bad_rows_do_not_shift_the_numbers_in_later_blocks(write, collect):
    rows = [f"{i}" if i % 1000 == 7 else f"{i},text {i}" for i in range(400_000)]
    write("t.csv", "n,text\n" + "\n".join(rows))
    got = collect("t.csv")
    assert len(got.skipped) == 400
    assert len(got.ids) == 399_600
    assert all(text == f"text {id_}" for id_, text in got.by_id.items())


def test_a_quote_that_is_never_closed_is_reported(write, collect):
    write("t.csv", 'n,text\n0,a\n1,"b\n2,c\n,\n')
    got = collect("t.csv", text="text")
    assert got.ids[0] == "0"
    write("t.csv", 'n,text,x\n0,a,x\n1,"b,x\n2,c,x\n')
    assert collect("t.csv").skipped == [
        "t.csv row 1: 2 fields instead of 3; a quote is opened and never closed"
    ]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_another_delimiter_is_found_in_the_header(write, collect, delimiter):
    write("t.csv", f"id{delimiter}text\r\nk{delimiter}a, b\r\n")
    assert collect("t.csv").by_id == {"k": "a, b"}


def test_tsv_is_split_at_tabs_only(write, collect):
    write("t.tsv", "id\ttext, or so\nk\ta, b\n")
    assert collect("t.tsv").by_id == {"k": "a, b"}


def test_a_csv_of_one_column_keeps_blank_lines_as_empty_documents(write, collect):
    write("t.csv", "text\na\n\nb\n")
    assert collect("t.csv").by_id == {"0": "a", "1": "", "2": "b"}


def test_csv_rows_without_an_id_are_skipped(write, collect):
    write("t.csv", "id,text\na,1\n,2\n\nd,4\n")
    got = collect("t.csv")
    assert got.by_id == {"a": "1", "d": "4"}
    assert got.skipped == [
        "t.csv row 1: no id ('id' is null, empty or missing)",
        "t.csv row 2: no id ('id' is null, empty or missing)",
    ]


def test_words_like_null_and_numbers_are_texts_in_csv(write, collect):
    write("t.csv", "text\nNULL\nNaN\n007\ntrue\n")
    assert collect("t.csv").texts == ["NULL", "NaN", "007", "true"]


def test_two_columns_of_the_same_name_are_an_error(write):
    write("t.csv", "text,text\na,b\n")
    with pytest.raises(SourceError, match="2 columns are called 'text'"):
        list(Reader("t.csv"))


def test_a_csv_in_another_encoding_is_read_and_reported_once(write, collect):
    write("t.csv", "text\nun café très agréable à Orléans\n".encode("cp1252"))
    got = collect("t.csv")
    assert got.texts == ["un café très agréable à Orléans"]
    assert got.notes == ["t.csv: read as cp1252"]


def test_a_row_longer_than_a_block_is_read_and_no_row_twice(write, collect):
    long = "x" * (2 * stream.BLOCK)
    rows = [f"{i},short" for i in range(300_000)]
    rows[3] = rows[249_999] = "bad"
    rows[250_000] = f'250000,"{long}"'
    write("t.csv", "id,text\n" + "\n".join(rows))
    got = collect("t.csv")
    assert got.ids == [str(i) for i in range(300_000) if i not in (3, 249_999)]
    assert got.by_id["250000"] == long
    assert [skipped.place for skipped in got.reader.skipped] == ["row 3", "row 249999"]


def test_a_csv_that_is_read_again_is_reported_once(write, collect):
    text = "un café très agréable à Orléans"
    write("t.csv", f"text\n{text}\n{'x' * 2 * stream.BLOCK}\n".encode("cp1252"))
    got = collect("t.csv")
    assert (got.texts[0], len(got.texts)) == (text, 2)
    assert got.notes == ["t.csv: read as cp1252"]


def test_a_pipe_is_read_like_a_file(write, collect, tmp_path):
    """As in `likewise pairs <(command)`, but with a name that tells the kind."""
    content = write("t.csv", "text\n" + "a\n" * 100_000).read_bytes()
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    got = collect("pipe.csv")
    writer.join()
    assert len(got.texts) == 100_000
    assert got.reader.total_bytes() is None


@given(st.lists(st.integers(0, 60), unique=True), st.lists(st.integers(1, 9), max_size=9))
def test_good_rows_get_the_numbers_that_bad_rows_leave(bad, sizes):
    numbers, first = [], 0
    for size in sizes:
        numbers.extend(good_rows(first, size, dict.fromkeys(bad, "")))
        first = numbers[-1] + 1
    assert numbers == [i for i in range(200) if i not in bad][: sum(sizes)]


# Parquet


@pytest.mark.parametrize(
    "type_",
    [
        pa.string(),
        pa.large_string(),
        pa.dictionary(pa.int32(), pa.string()),
    ],
)
def test_every_string_type_of_parquet_is_read(write, collect, type_):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"text": pa.array(["a", "b", "a"], pa.string()).cast(type_)}), path)
    assert collect(path).texts == ["a", "b", "a"]


def test_parquet_in_several_row_groups_is_numbered_through(write, collect):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"text": [str(i) for i in range(1000)]}), path, row_group_size=300)
    assert all(id_ == text for id_, text in collect(path).by_id.items())


def test_an_id_column_of_a_type_that_is_no_id_is_left_aside_unless_it_was_named(write, collect):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"id": [0.5], "text": ["a"]}), path)
    assert collect(path).ids == ["0.5"]
    pq.write_table(pa.table({"id": [[0.5]], "text": ["a"]}), path)
    got = collect(path)
    assert got.ids == ["0"]
    assert "rows are numbered instead" in got.notes[0]
    with pytest.raises(ColumnError, match="'id' is of type list"):
        list(Reader(path, id="id"))


def test_damaged_parquet_is_an_error(write):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"text": [str(i) for i in range(1000)]}), path)
    data = path.read_bytes()
    for broken in (b"", b"PAR1", data[:-30], b"x" * 100, data[:100] + b"\xff" * 200 + data[300:]):
        write("t.parquet", broken)
        with pytest.raises(SourceError, match=r"t\.parquet: (row group 0 is )?damaged"):
            list(Reader("t.parquet"))


def test_parquet_strings_that_are_not_utf8_are_mended(write, collect):
    path = write("t.parquet", b"")
    wrong = pa.array([b"caf\xe9", b"ok"], pa.binary())
    text = pa.Array.from_buffers(pa.string(), 2, wrong.buffers())
    pq.write_table(pa.table({"text": text}), path)
    got = collect(path)
    assert got.texts == ["caf\ufffd", "ok"]
    assert got.notes[0].endswith("1 text is not valid UTF-8; invalid bytes were replaced by U+FFFD")


def test_a_header_without_a_line_end_is_a_table_without_rows(write):
    write("t.csv", "text")
    with pytest.raises(SourceError, match="no documents"):
        list(Reader("t.csv"))


def test_a_uuid_is_an_id(write, collect):
    path = write("t.parquet", b"")
    ids = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(15) + b"\7"], pa.binary(16)))
    pq.write_table(pa.table({"id": ids, "text": ["a"]}), path)
    assert collect(path).ids == ["00000000-0000-0000-0000-000000000007"]


@pytest.mark.parametrize(
    "data",
    [b"x" * 200_000 + b",text\n1,a\n", b'"' + b"x\n" * 100_000 + b'",text\n1,a\n'],
)
def test_a_header_that_is_too_long_is_an_error(write, data):
    with pytest.raises(SourceError, match=r"t\.csv: its header cannot be read as CSV: field"):
        list(Reader(write("t.csv", data), text="text"))


def test_marks_before_the_header_are_no_part_of_it(write, collect):
    write("t.csv", "\ufeff\ufefftext\nsome words\n")
    assert collect("t.csv").texts == ["some words"]


def test_a_mark_at_the_beginning_of_a_text_is_there_when_it_is_read_again(write):
    source = open_rows(write("t.csv", "text\n\ufeffa\nb\n"), cache=False)
    (read,) = (batch.texts.to_pylist() for batch in source.batches())
    (again,) = (batch.texts.to_pylist() for batch in source.gather(0, np.arange(2)))
    assert again == read == ["\ufeffa", "b"]


def test_names_of_columns_that_are_not_utf8_are_an_error(write, tmp_path):
    path = write("t.parquet", b"")
    pq.write_table(pa.table({"text": ["a"], "title": ["b"]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"title", b"tit\xffe"))
    with pytest.raises(SourceError, match="damaged, or not Parquet"):
        list(Reader(path))


def test_rows_that_end_differently_are_read_again_one_by_one(write):
    source = open_rows(write("t.csv", b"text,n\na,1\rb,2\r\n\nc,3\n"), cache=False)
    read = [text for batch in source.batches() for text in batch.texts.to_pylist()]
    some = np.array([0, 2, 3])
    (again,) = (batch.texts.to_pylist() for batch in source.gather(0, some))
    assert read == ["a", "b", "", "c"]
    assert again == ["a", "", "c"]


@pytest.mark.parametrize(("mark", "rows"), [(b"", 2), (codecs.BOM_UTF8, 3)])
def test_lines_of_nul_bytes_are_written_if_they_were_read(write, mark, rows):
    source = open_rows(write("t.txt", mark + b"some\nwords\n\0\0\0"), cache=False, shape="lines")
    assert sum(map(len, source.batches())) == rows
    (file,) = source.files
    _, blocks = row_bytes(file.origin, source.reading, as_utf8=False)
    assert sum(len(cut.ends) for cut in cut_lines(blocks)) == rows


@pytest.mark.parametrize(("name", "data"), [("t.csv", b'text\na\n"b\r'), ("t.txt", b"a\nb\r")])
def test_the_end_of_a_file_is_read_again_as_it_is(write, name, data):
    source = open_rows(write(name, data), cache=False, shape="auto")
    read = [text for batch in source.batches() for text in batch.texts.to_pylist()]
    again = [text for batch in source.gather(0, np.arange(2)) for text in batch.texts.to_pylist()]
    assert again == read
