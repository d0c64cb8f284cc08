"""Parquet written back: all columns, types, metadata, codecs and row groups."""

import datetime
import decimal
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.documents.tables.source import open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import SourceError

from .conftest import AllRows, Masks
from .test_reading_rows import _damage_group
from .test_writing_rows import ANNOTATIONS, annotate, annotations_of

COLUMNS = {
    "text": lambda n: pa.array(
        [None if i % 5 == 3 else f"text {i}" for i in range(n)], pa.string()
    ),
    "id": lambda n: pa.array(range(n), pa.uint64()),
    "large": lambda n: pa.array([f"large {i}" for i in range(n)], pa.large_string()),
    "coded": lambda n: pa.array([f"c{i % 3}" for i in range(n)], pa.string()).dictionary_encode(),
    "list": lambda n: pa.array(
        [None if i % 4 == 1 else [i, None] for i in range(n)], pa.list_(pa.int32())
    ),
    "struct": lambda n: pa.array(
        [{"a": i, "b": [{"c": "x"}]} for i in range(n)],
        pa.struct([("a", pa.int16()), ("b", pa.list_(pa.struct([("c", pa.string())])))]),
    ),
    "map": lambda n: pa.array([[("k", i)] for i in range(n)], pa.map_(pa.string(), pa.int64())),
    "time": lambda n: pa.array(
        [datetime.datetime(2020, 1, 1 + i % 28) for i in range(n)],
        pa.timestamp("us", "Europe/Paris"),
    ),
    "nano": lambda n: pa.array(range(n), pa.timestamp("ns")),
    "date": lambda n: pa.array([datetime.date(2020, 1, 1)] * n, pa.date32()),
    "money": lambda n: pa.array([decimal.Decimal(i) / 4 for i in range(n)], pa.decimal128(20, 2)),
    "bytes": lambda n: pa.array([bytes([i % 256]) * 16 for i in range(n)], pa.binary(16)),
    "nothing": lambda n: pa.nulls(n),
    "yes": lambda n: pa.array([i % 2 == 0 for i in range(n)], pa.bool_()),
    "view": lambda n: pa.array([f"view {i}" * 3 for i in range(n)], pa.string_view()),
    "a.b": lambda n: pa.array([i / 3 for i in range(n)], pa.float32()),
}


def make_table(count, columns=COLUMNS):
    table = pa.table({name: COLUMNS[name](count) for name in columns})
    fields = [field.with_metadata({"of": field.name}) for field in table.schema]
    return table.cast(pa.schema(fields, {"made by": "a test", "é": "ü"}))


@given(
    st.data(),
    st.sets(st.sampled_from(sorted(COLUMNS))).map(lambda names: sorted({"text", *names})),
    st.sampled_from(["none", "snappy", "gzip", "zstd", "lz4", "brotli"]),
    st.integers(1, 30),
)
@settings(max_examples=80)
def test_any_subset_of_rows_is_what_it_was(tmp_path_factory, data, columns, codec, group):
    folder = tmp_path_factory.mktemp("parquet")
    count = data.draw(st.integers(0, 40))
    table = make_table(count, columns)
    pq.write_table(table, folder / "t.parquet", compression=codec, row_group_size=group)
    table = pq.read_table(folder / "t.parquet")
    mask = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    AllRows(folder / "t.parquet").keep(folder / "out.parquet", [mask])
    got = pq.read_table(folder / "out.parquet")
    assert got.schema.equals(table.schema, check_metadata=True)
    before = table.to_pylist()
    assert got.to_pylist() == [row for row, keep in zip(before, mask, strict=True) if keep]
    got.validate(full=True)


def test_row_groups_codecs_and_settings_are_kept(write, rows):
    path = write("t.parquet", b"")
    pq.write_table(
        make_table(100),
        path,
        row_group_size=30,
        compression={"text": "zstd", "id": "gzip"},
        use_dictionary=["coded"],
        sorting_columns=[pq.SortingColumn(1)],
        write_page_index=True,
    )
    rows(path).keep("out.parquet", [[n % 10 < 3 for n in range(100)]])
    before, after = pq.ParquetFile(path), pq.ParquetFile("out.parquet")
    groups = [after.metadata.row_group(group) for group in range(after.num_row_groups)]
    assert [group.num_rows for group in groups] == [9, 9, 9, 3]
    for at in range(before.metadata.num_columns):
        old, new = before.metadata.row_group(0).column(at), groups[0].column(at)
        assert (new.path_in_schema, new.compression) == (old.path_in_schema, old.compression)
        assert new.has_dictionary_page == old.has_dictionary_page
        assert new.is_stats_set == old.is_stats_set
        assert new.has_column_index == old.has_column_index
    assert groups[0].sorting_columns == before.metadata.row_group(0).sorting_columns
    assert after.schema_arrow.equals(before.schema_arrow, check_metadata=True)


def test_large_row_groups_are_cut_at_the_same_rows_whatever_the_memory(write):
    """And however many files are written at once."""
    table = pa.table({"text": ["x" * 4000 + str(n) for n in range(40_000)]})
    for name in "abc":
        pq.write_table(table, write(f"s/{name}.parquet", b""))
    source = open_rows("s")
    masks = [np.arange(40_000) % 7 > 0] * 3
    for number, (threads, room) in enumerate([(1, 1), (1, 1 << 30), (3, 1 << 30), (16, 200 << 20)]):
        out = f"out{number}"
        write_rows(source, Target(source, out), Masks(masks), threads=threads, room=room)
        for name in "abc":
            with open(f"{out}/{name}.parquet", "rb") as file, open("out0/a.parquet", "rb") as first:
                assert file.read() == first.read()
    got = pq.ParquetFile("out0/a.parquet")
    sizes = [got.metadata.row_group(group).num_rows for group in range(got.num_row_groups)]
    assert len(sizes) == 3
    assert all(60 << 20 < 4000 * rows < 70 << 20 for rows in sizes[:-1])
    assert got.read() == table.filter(masks[0])


def test_a_file_of_which_nothing_is_removed_is_copied(write, rows):
    path = write("t.parquet", b"")
    pq.write_table(make_table(100), path, row_group_size=30, data_page_version="2.0")
    rows(path).keep("out.parquet", [[True] * 100])
    with open("out.parquet", "rb") as file:
        assert file.read() == path.read_bytes()


def test_files_of_other_programs_keep_their_types(write, rows):
    """Files without Arrow's own schema, with old timestamps and old names of lists."""
    path = write("t.parquet", b"")
    columns = {name: COLUMNS[name] for name in ("text", "list", "nano", "struct", "map")}
    pq.write_table(
        make_table(10, columns),
        path,
        store_schema=False,
        use_deprecated_int96_timestamps=True,
        use_compliant_nested_type=False,
    )
    rows(path).keep("out.parquet", [[True] * 10])
    before, after = pq.ParquetFile(path), pq.ParquetFile("out.parquet")
    assert str(after.schema).partition("\n")[2] == str(before.schema).partition("\n")[2]
    assert after.metadata.metadata == before.metadata.metadata
    assert after.read() == before.read()


def test_each_file_of_a_folder_keeps_its_own_schema(write, rows):
    for name, columns in {"a": ["text", "id"], "b": ["money", "text"]}.items():
        pq.write_table(make_table(6, columns), write(f"s/{name}.parquet", b""))
    rows("s").keep("out", [[True] * 3 + [False] * 3] * 2)
    for name in "ab":
        assert pq.read_table(f"out/{name}.parquet").equals(pq.read_table(f"s/{name}.parquet")[:3])


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_packed_file_is_packed_again(write, rows, suffix):
    from .conftest import PACKERS, unpack

    path = write("t.parquet", b"")
    pq.write_table(make_table(20), path)
    packed = path.with_name(f"t.parquet{suffix}")
    packed.write_bytes(PACKERS[suffix](path.read_bytes()))
    out = path.with_name(f"out.parquet{suffix}")
    rows(packed).keep(out, [[True] * 5 + [False] * 15])
    assert pq.read_table(pa.BufferReader(unpack(out))) == pq.read_table(path)[:5]


@given(st.integers(0, 30), st.integers(1, 12))
@settings(max_examples=40)
def test_annotations_are_more_columns(tmp_path_factory, count, group):
    folder = tmp_path_factory.mktemp("parquet")
    pq.write_table(make_table(count), folder / "t.parquet", row_group_size=group)
    annotate(open_rows(folder / "t.parquet"), folder / "out.parquet", [count])
    got = pq.read_table(folder / "out.parquet")
    table = pq.read_table(folder / "t.parquet")
    before = got.select(table.schema.names)
    assert before.schema.equals(table.schema, check_metadata=True)
    assert before.to_pylist() == table.to_pylist()
    assert got.select(ANNOTATIONS.names).to_pylist() == annotations_of(count).to_pylist()


def test_annotations_are_packed_like_the_text(write):
    path = write("t.parquet", b"")
    pq.write_table(make_table(5, ["text"]), path, compression="zstd")
    annotate(open_rows(path), "out.parquet", [5])
    group = pq.ParquetFile("out.parquet").metadata.row_group(0)
    assert {group.column(at).compression for at in range(group.num_columns)} == {"ZSTD"}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("removed", [0, 1])
@pytest.mark.parametrize("column", [0, 1])
def test_a_damaged_column_is_named_and_nothing_is_left(write, column, removed, threads):
    path = write("s/t.parquet", b"")
    pq.write_table(make_table(30, ["text", "id"]), path, row_group_size=10)
    for other in ("a", "z"):
        pq.write_table(make_table(30, ["text", "id"]), write(f"s/{other}.parquet", b""))
    source = open_rows("s")
    _damage_group(path, 2, column)
    masks = Masks([np.arange(30) >= removed] * 3)
    with pytest.raises(SourceError, match=r"s/t.parquet: row group 2 is damaged"):
        write_rows(source, Target(source, "out"), masks, threads=threads)
    assert os.listdir() == ["s"]


def test_a_file_with_more_rows_than_before_is_an_error(write):
    path = write("t.parquet", b"")
    pq.write_table(make_table(10), path)
    source = open_rows(path)
    pq.write_table(make_table(11), path)
    with pytest.raises(SourceError, match="has changed"):
        write_rows(source, Target(source, "out"), Masks([np.ones(10, np.bool_)]))
    assert os.listdir() == ["t.parquet"]


def test_the_same_rows_give_the_same_bytes(write, rows):
    path = write("t.parquet", b"")
    pq.write_table(make_table(300), path, row_group_size=100)
    got = rows(path)
    for out in ("1", "2"):
        got.keep(out, [[n % 3 > 0 for n in range(300)]])
    with open("1", "rb") as one, open("2", "rb") as two:
        assert one.read() == two.read()


def test_a_damaged_footer_is_an_error_and_no_crash(write, tmp_path):
    # In a process of its own: Arrow used to end it.
    pq.write_table(pa.table({"text": ["some words", "others"]}), tmp_path / "t.parquet")
    program = """
from likewise.documents import Reader
from likewise.errors import LikewiseError

data = open("t.parquet", "rb").read()
footer = int.from_bytes(data[-8:-4], "little")
for at in range(len(data) - 8 - footer, len(data) - 8):
    for value in (data[at] ^ 1, (data[at] + 16) % 256):
        with open("damaged.parquet", "wb") as file:
            file.write(data[:at] + bytes([value]) + data[at + 1:])
        try:
            list(Reader("damaged.parquet"))
        except LikewiseError:
            pass
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
