"""One document per line."""

import gzip
import io
import sys

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Reader, stream
from likewise.documents.tables.lines import split_lines
from likewise.documents.tables.records import cut_at_lines
from likewise.errors import SourceError


def test_a_single_txt_file_is_one_document_a_line_and_says_so(write, collect):
    write("tweets.txt", "one\ntwo\n")
    got = collect(["tweets.txt"])
    assert got.by_id == {"0": "one", "1": "two"}
    assert got.notes == ["tweets.txt: one document per line (--whole reads it as one document)"]


def test_whole_makes_it_one_document_and_says_nothing(write, collect):
    write("tweets.txt", "one\ntwo\n")
    got = collect(["tweets.txt"], shape="whole")
    assert (got.by_id, got.notes) == ({"tweets.txt": "one\ntwo\n"}, [])


def test_lines_of_several_files_are_known_by_file_and_number(write, collect):
    write("a.md", "one\ntwo")
    write("b.txt", "three")
    assert collect(["a.md", "b.txt"], shape="lines").ids == ["a.md:0", "a.md:1", "b.txt:0"]


def test_blank_lines_are_empty_documents_and_are_counted(write, collect):
    write("a.txt", "\none\n\n\ntwo\n")
    assert collect("a.txt").by_id == {"0": "", "1": "one", "2": "", "3": "", "4": "two"}


def test_windows_line_ends_are_not_part_of_the_text_and_a_lone_return_is(write, collect):
    write("a.txt", "one\r\ntw\ro\r\nthree")
    assert collect("a.txt").texts == ["one", "tw\ro", "three"]


def test_a_file_without_a_line_has_no_documents(write):
    write("a.txt", "")
    with pytest.raises(SourceError, match=r"a\.txt: no documents"):
        list(Reader("a.txt"))


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_packed_files_read_like_plain_ones(write, collect, packing):
    content = b"one\ntwo\n" * 1000
    name = {"gzip": "a.txt.gz", "zstd": "a.txt.zst"}[packing]
    # Two members one after the other are one file, as from `cat a.gz b.gz`.
    write(name, 2 * pa.compress(content, codec=packing, asbytes=True))
    got = collect(name)
    assert got.texts == ["one", "two"] * 2000
    assert got.reader.bytes == 3 * 4000


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_packed_data_cut_short_are_an_error(write, packing):
    packed = pa.compress(b"".join(b"%d\n" % i for i in range(9999)), codec=packing, asbytes=True)
    name = {"gzip": "a.txt.gz", "zstd": "a.txt.zst"}[packing]
    write(name, packed[:-20])
    with pytest.raises(SourceError, match=f"{name}: damaged {packing} data"):
        list(Reader(name))
    write(name, b"nothing packed about this")
    with pytest.raises(SourceError, match=f"{name}: damaged {packing} data"):
        list(Reader(name))


def test_damaged_packed_data_in_the_middle_are_an_error(write):
    packed = bytearray(gzip.compress(b"".join(b"%d\n" % i for i in range(9999))))
    packed[2000:2100] = b"x" * 100
    write("a.txt.gz", bytes(packed))
    with pytest.raises(SourceError, match="damaged gzip data"):
        list(Reader("a.txt.gz"))


def test_stdin_is_one_document_a_line(write, collect, monkeypatch):
    with open(write("in", "one\ntwo\n")) as file:
        monkeypatch.setattr(sys, "stdin", file)
        got = collect("-")
    assert got.by_id == {"0": "one", "1": "two"}
    assert got.reader.total_bytes() is None
    assert got.notes[0].startswith("standard input: one document per line")


def test_stdin_whole_is_one_document(write, collect, monkeypatch):
    with open(write("in", "one\ntwo\n")) as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert collect("-", shape="whole").by_id == {"-": "one\ntwo\n"}


def test_a_line_longer_than_many_blocks_is_one_document(write, collect):
    long = "é" * (5 * stream.BLOCK)
    write("a.txt", f"short\n{long}\nshort")
    assert collect("a.txt").texts == ["short", long, "short"]


_ENDS = st.sampled_from(["\n", "\r\n"])
_LINE = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))


@given(st.lists(st.tuples(_LINE, _ENDS)), _LINE, st.integers(1, 50))
def test_any_lines_in_any_blocks_come_out_as_they_went_in(parts, last, size):
    data = ("".join(line + end for line, end in parts) + last).encode()
    blocks = (data[at : at + size] for at in range(0, len(data), size))
    got = [text for block in cut_at_lines(blocks) for text in split_lines(block).to_pylist()]
    assert got == [line for line, _ in parts] + ([last] if last else [])


def test_a_pipe_that_gives_little_at_a_time_is_read_in_full_blocks():
    class Trickle(io.BytesIO):
        def read(self, size=-1, /):
            return super().read(min(size, 1000))

    assert len(stream._read_full(Trickle(b"x" * (stream.BLOCK + 5)))) == stream.BLOCK
