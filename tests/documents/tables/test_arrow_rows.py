"""Arrow IPC files and streams, and Feather: read, read again, and written back as they were."""

import io
import os
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, ipc

from likewise.documents.tables.arrow_messages import find_codec
from likewise.documents.tables.source import open_rows
from likewise.errors import SourceError

from .conftest import PACKERS, AllRows, unpack
from .test_writing_rows import ANNOTATIONS, annotate, annotations_of

CODECS = (None, "lz4", "zstd")
KINDS = ("file", "stream")
TEXT_TYPES = (
    pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())
)  # fmt: skip


def write(target, batches, kind="file", codec=None, **options):
    """Write batches with metadata of their own, in a file or a stream."""
    opened: Any = ipc.new_file if kind == "file" else ipc.new_stream
    packing = ipc.IpcWriteOptions(compression=codec)
    with opened(target, batches[0].schema, options=packing, **options) as writer:
        for number, batch in enumerate(batches):
            writer.write_batch(batch, {"batch": str(number)})


def read(path):
    """Batches with their metadata, the schema, and the codec."""
    data = unpack(path)
    if data.startswith(b"ARROW1"):
        opened: Any = ipc.open_file(data)
        batches = [
            opened.get_batch_with_custom_metadata(number)
            for number in range(opened.num_record_batches)
        ]
    else:
        opened = ipc.open_stream(data)
        batches = list(opened.iter_batches_with_custom_metadata())
    return (
        [one for one, _ in batches],
        [m for _, m in batches],
        opened,
        find_codec(io.BytesIO(data)),
    )


def batches_of(sizes, type_=None):
    """Batches with columns of many types and metadata."""
    type_ = type_ or pa.string()
    schema = pa.schema(
        [
            pa.field("id", pa.uint64(), metadata={"role": "id"}),
            pa.field("text", type_, nullable=True),
            pa.field("view", pa.string_view()),
            pa.field("kind", pa.dictionary(pa.int16(), pa.string(), ordered=True)),
            pa.field("list", pa.list_view(pa.int8())),
            pa.field("uuid", pa.uuid()),
        ],
        metadata={"source": "crawl", "é": "ü"},
    )
    words = [f"text {row} é" if row % 5 else None for row in range(sum(sizes))]
    indices = pa.array([row % 2 for row in range(sum(sizes))], pa.int16())
    whole = pa.record_batch(
        {
            "id": pa.array(range(sum(sizes)), pa.uint64()),
            "text": pa.array(words).dictionary_encode().cast(type_)
            if pa.types.is_dictionary(type_)
            else pa.array(words, type_),
            "view": pa.array(words, pa.string_view()),
            "kind": pa.DictionaryArray.from_arrays(indices, ["a", "b"], ordered=True),
            "list": pa.array([[row % 100] * (row % 3) for row in range(sum(sizes))],
                             pa.list_view(pa.int8())),
            "uuid": pa.ExtensionArray.from_storage(
                pa.uuid(), pa.array([os.urandom(16) for _ in range(sum(sizes))], pa.binary(16))
            ),
        },
        schema=schema,
    )  # fmt: skip
    starts = np.cumsum([0, *sizes])
    return [whole.slice(start, size) for start, size in zip(starts.tolist(), sizes, strict=False)]


@given(
    st.lists(st.integers(0, 7), min_size=1, max_size=4), st.sampled_from(TEXT_TYPES),
    st.sampled_from(KINDS), st.sampled_from(CODECS), st.sampled_from(sorted(PACKERS)), st.data(),
)  # fmt: skip
def test_batches_come_back_as_they_were_less_the_rows_left_out(
    tmp_path_factory, sizes, type_, kind, codec, packed, data
):
    folder = tmp_path_factory.mktemp("arrow")
    batches = batches_of(sizes, type_)
    written = io.BytesIO()
    write(written, batches, kind, codec)
    path = folder / f"t.arrow{packed}"
    path.write_bytes(PACKERS[packed](written.getvalue()))
    rows = AllRows(path)
    texts = [text for batch in batches for text in batch["text"].to_pylist()]
    ids = [str(one) for batch in batches for one in batch["id"].to_pylist()]
    assert rows.texts == [texts]
    assert (rows.ids[0] or []) == ids
    some = np.array(sorted(data.draw(st.sets(st.integers(0, max(0, len(texts) - 1))))), np.int64)
    some = some[some < len(texts)]
    again = [text.as_py() for batch in rows.source.gather(0, some) for text in batch.texts]
    assert again == [texts[row] for row in some]
    mask = [data.draw(st.booleans()) for _ in texts]
    out = folder / f"out.arrow{packed}"
    rows.keep(out, [mask])
    got, metadata, opened, found = read(out)
    kept, own, first = [], [], 0
    for number, batch in enumerate(batches):
        own_mask = mask[first : first + len(batch)]
        part = [row for row, keep in zip(batch.to_pylist(), own_mask, strict=True) if keep]
        first += len(batch)
        if part or not len(batch):
            kept.append(part)
            own.append({b"batch": str(number).encode()})
    assert [batch.to_pylist() for batch in got] == kept
    assert metadata == own
    assert opened.schema.equals(batches[0].schema, check_metadata=True)
    assert unpack(out).startswith(b"ARROW1") == (kind == "file")
    assert found == codec or not kept


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_is_read_and_written(tmp_path, compression):
    table = pa.table({"text": ["a", "b", "a"], "n": [1, 2, 3]})
    feather.write_feather(table, tmp_path / "t.feather", compression=compression, chunksize=2)
    rows = AllRows(tmp_path / "t.feather")
    assert rows.texts == [["a", "b", "a"]]
    rows.keep(tmp_path / "o.feather", [[True, False, True]])
    assert feather.read_table(tmp_path / "o.feather").to_pylist() == table.to_pylist()[::2]
    assert read(tmp_path / "o.feather")[3] == (
        compression if compression != "uncompressed" else None
    )


@pytest.mark.parametrize("kind", KINDS)
def test_annotations_are_columns(tmp_path, kind):
    batches = batches_of([3, 2])
    with open(tmp_path / "t.arrows", "wb") as file:
        write(file, batches, kind)
    source = open_rows(tmp_path / "t.arrows", reserved=ANNOTATIONS.names)
    annotate(source, tmp_path / "o.arrows", [5])
    got, _, opened, _ = read(tmp_path / "o.arrows")
    assert [len(batch) for batch in got] == [3, 2]
    table = pa.Table.from_batches(got)
    assert table.select(ANNOTATIONS.names).to_pylist() == annotations_of(5).to_pylist()
    assert table.select(batches[0].schema.names).equals(pa.Table.from_batches(batches))
    assert opened.schema.metadata == batches[0].schema.metadata


def test_dictionaries_that_grow_and_that_are_replaced(tmp_path):
    """Streams may have another dictionary for each batch."""
    type_ = pa.dictionary(pa.int8(), pa.string())
    batches = [
        pa.record_batch(
            {"text": pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), words)}
        )
        for words in (["a", "b"], ["a", "b", "c"], ["x", "y"])
    ]
    with open(tmp_path / "t.arrows", "wb") as file:
        write(file, batches, "stream")
    rows = AllRows(tmp_path / "t.arrows")
    assert rows.texts == [["a", "b", "a", "b", "x", "y"]]
    rows.keep(tmp_path / "o.arrows", [[True, False] * 3])
    got, _, opened, _ = read(tmp_path / "o.arrows")
    assert [batch["text"].to_pylist() for batch in got] == [["a"], ["a"], ["x"]]
    assert opened.schema.field("text").type == type_


def test_invalid_utf8_is_mended_for_comparison_and_kept_as_it_is(tmp_path):
    texts = pa.array([b"a \xff", b"b"]).view(pa.string())
    with open(tmp_path / "t.arrow", "wb") as file:
        write(file, [pa.record_batch({"text": texts, "other": texts})])
    rows = AllRows(tmp_path / "t.arrow")
    assert rows.texts == [["a \ufffd", "b"]]
    assert rows.notes == [
        f"{tmp_path}/t.arrow: 1 text is not valid UTF-8; invalid bytes were replaced by U+FFFD"
    ]
    rows.keep(tmp_path / "o.arrow", [[True, False]])
    (got,), *_ = read(tmp_path / "o.arrow")
    assert got["other"].view(pa.binary()).to_pylist() == [b"a \xff"]


def test_feather_version_1_is_refused(tmp_path):
    (tmp_path / "t.feather").write_bytes(b"FEA1\0\0\0\0 and so on FEA1")
    with pytest.raises(SourceError, match="Feather version 1, which is not read"):
        AllRows(tmp_path / "t.feather")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_damaged_is_an_error_that_says_where(tmp_path, kind):
    written = io.BytesIO()
    write(written, batches_of([50, 50]), kind)
    data = written.getvalue()
    path = tmp_path / "t.arrow"
    for content in (b"", b"no arrow at all", data[: len(data) // 2], data[:100]):
        path.write_bytes(content)
        with pytest.raises(SourceError, match=r"t\.arrow: (damaged, or not Arrow|batch \d is dam)"):
            AllRows(path)


def test_offsets_that_lead_out_of_a_column_are_damage(tmp_path):
    """Arrow itself does not look at them."""
    with open(tmp_path / "t.arrow", "wb") as file:
        write(file, [pa.record_batch({"text": ["a", "b", "c"]})], "stream")
    data = (tmp_path / "t.arrow").read_bytes()
    sound = np.array([0, 1, 2, 3], np.int32).tobytes()
    wrong = np.array([0, 99, 2, 3], np.int32).tobytes()
    assert data.count(sound) == 1
    (tmp_path / "t.arrow").write_bytes(data.replace(sound, wrong))
    with pytest.raises(SourceError, match="batch 0 is damaged"):
        AllRows(tmp_path / "t.arrow")


def test_nested_texts_are_read_and_cut(tmp_path):
    from likewise import deduplicate_files

    line = "a line that is long enough to be a repeated line"
    batch = pa.RecordBatch.from_pylist(
        [{"m": {"c": f"{line}\nown {n}", "n": n}} for n in range(3)] + [{"m": None}]
    )
    with open(tmp_path / "t.arrow", "wb") as file:
        write(file, [batch], codec="zstd")
    deduplicate_files(tmp_path / "t.arrow", tmp_path / "o.arrow", text="m.c", unit="line")
    (got,), _, _, codec = read(tmp_path / "o.arrow")
    assert got.to_pylist() == [
        {"m": {"c": f"{line}\nown 0", "n": 0}}, {"m": {"c": "own 1", "n": 1}},
        {"m": {"c": "own 2", "n": 2}}, {"m": None},
    ]  # fmt: skip
    assert codec == "zstd"
