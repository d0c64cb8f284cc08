"""Batches, counts, and what is told in the end."""

import pickle

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Batch, Reader
from likewise.documents.batch import RowBatch
from likewise.documents.ids import RowIds, join_ids
from likewise.documents.notice import Note, note_lines
from likewise.documents.packer import Packer
from likewise.errors import DocumentError, LikewiseError, SourceError, UsageError


def test_batches_hold_large_strings_and_as_many_ids(write, collect):
    write("a.txt", "one\ntwo\n")
    (batch,) = collect("a.txt").batches
    assert (len(batch), batch.texts.type, batch.text_bytes) == (2, pa.large_string(), 6)
    with pytest.raises(ValueError, match="1 ids for 2 texts"):
        Batch(["a"], batch.texts)


def test_the_size_of_a_batch_changes_nothing_but_the_batches(write, collect):
    write("d/a.txt", "x" * 50)
    write("d/b.jsonl", "".join(f'{{"text": "{"y" * i}"}}\n' for i in range(60)))
    write("d/c.csv", "id,text\n" + "".join(f"c{i},{'z' * i}\n" for i in range(60)))
    whole = collect("d")
    assert len(whole.batches) == 1
    for size in (1, 40, 100, 1000):
        small = collect("d", batch_bytes=size)
        assert small.by_id == whole.by_id
        assert all(len(b) == 1 or b.text_bytes + 8 * len(b) <= size for b in small.batches)


def test_the_reader_counts_documents_and_bytes(write, collect):
    write("a.txt", "é\n\nabc\n")
    reader = collect("a.txt").reader
    assert (reader.documents, reader.bytes) == (3, 5)


def test_a_reader_can_be_read_again_and_tells_the_same(write):
    write("d/a.txt", "caf\xe9 tr\xe8s agr\xe9able".encode("latin-1"))
    write("d/b.jpeg", "x")
    reader = Reader("d")
    first = [list(b.ids) for b in reader], list(reader.notes), list(reader.skipped)
    again = [list(b.ids) for b in reader], list(reader.notes), list(reader.skipped)
    assert first == again
    assert reader.documents == 1


def test_progress_rises_to_the_size_of_the_files(write):
    write("d/a.txt", "x" * 100)
    write("d/b.jsonl", '{"text": "a"}\n' * 200_000)
    write("d/c.txt.gz", pa.compress(b"abc" * 1000, codec="gzip", asbytes=True))
    seen: list[int] = []
    reader = Reader("d", progress=seen.append)
    list(reader)
    assert seen == sorted(seen)
    assert seen[-1] == reader.total_bytes()
    assert len(seen) > 3


def test_a_binary_file_is_an_error_if_it_is_all_there_is_and_skipped_among_others(write, collect):
    write("a.txt", b"a\0b")
    write("b.txt", "b")
    with pytest.raises(SourceError, match=r"^a\.txt: binary file"):
        list(Reader("a.txt"))
    assert collect(["a.txt", "b.txt"]).skipped == ["a.txt: binary file (it has NUL bytes)"]


def test_a_collection_of_which_all_is_skipped_is_an_error(write):
    write("d/a.txt", b"a\0b")
    write("d/b.txt", b"a\0b")
    with pytest.raises(SourceError, match=r"d: no documents \(2 skipped: d/a\.txt: binary"):
        list(Reader("d"))


def test_a_packed_text_that_is_damaged_is_skipped_in_a_folder(write, collect):
    write("d/a.txt", "a")
    write("d/b.txt.gz", "not packed")
    assert collect("d").skipped[0].startswith("d/b.txt.gz: damaged gzip data")


def test_a_damaged_table_in_a_folder_is_an_error(write):
    write("d/a.txt", "a")
    write("d/b.parquet", "not a table")
    with pytest.raises(SourceError, match=r"d/b\.parquet: damaged, or not Parquet"):
        list(Reader("d"))


@given(st.lists(st.lists(st.text(max_size=12), max_size=8), max_size=8), st.integers(1, 80))
def test_how_documents_are_cut_into_pieces_does_not_show_in_batches(pieces, size):
    def pack(pieces):
        packer = Packer(size)
        batches, start = [], 0
        for piece in pieces:
            texts = pa.array(piece, pa.large_string())
            rows = range(start, start + len(piece))
            batches += packer.add(RowIds("", rows), RowBatch(rows, texts))
            start += len(piece)
        batches += packer.finish()
        return [(list(batch.ids), batch.texts.to_pylist()) for batch in batches]

    assert pack(pieces) == pack([[text for piece in pieces for text in piece]])


def test_row_ids_are_made_when_asked_for():
    ids = RowIds("a.txt:", range(10**12))
    assert len(ids) == 10**12
    assert ids[-1] == "a.txt:999999999999"
    assert list(ids[5:7]) == ["a.txt:5", "a.txt:6"]


@given(st.lists(st.lists(st.integers(0, 99), min_size=1), min_size=1), st.booleans())
def test_joined_ids_are_those_of_the_parts(parts, one_file):
    numbers = sorted({n for part in parts for n in part})
    ids = [RowIds("" if one_file else f"{n % 2}:", [n]) for n in numbers]
    assert list(join_ids(ids)) == [id_ for part in ids for id_ in part]


@pytest.mark.parametrize(
    "error",
    [
        LikewiseError("a", hint="b"),
        UsageError("a"),
        DocumentError("essay.txt", "binary file", place="line 3", hint="b"),
    ],
)
def test_errors_keep_message_and_hint_between_processes(error):
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.hint) == (type(error), str(error), error.hint)


def test_what_is_said_of_many_files_is_said_once():
    notes = [Note(f"{n}.pdf", f"running header removed from {n} pages: “{n} x”") for n in range(40)]
    assert note_lines([*notes, Note("a.txt", "read as cp1252")]) == [
        "40 files, such as 0.pdf: running header removed from 0 pages: “0 x”",
        "a.txt: read as cp1252",
    ]
    assert note_lines(notes[:3]) == list(map(str, notes[:3]))


def test_notes_about_different_encodings_are_not_merged():
    names = ["cp932", "cp1252", "cp1250", "utf-16-le", "iso8859_15", "iso8859_2"]
    notes = [Note(f"{n}.txt", f"read as {name}") for n, name in enumerate(names)]
    assert note_lines(notes) == list(map(str, notes))


def test_notes_that_differ_in_a_plural_are_merged():
    notes = [Note("a", "page numbers removed from 1 page")]
    notes += [Note(f"{n}", f"page numbers removed from {n} pages") for n in range(2, 9)]
    assert note_lines(notes) == ["8 files, such as a: page numbers removed from 1 page"]


def test_a_single_text_is_one_document_in_the_shape_of_files_and_a_table_is_many(write, collect):
    write("a.txt", "one\ntwo\n")
    write("t.csv", "text\none\ntwo\n")
    assert collect("a.txt", shape="files").texts == ["one\ntwo\n"]
    assert collect("t.csv", shape="files").texts == ["one", "two"]
    assert collect("a.txt").texts == ["one", "two"]
