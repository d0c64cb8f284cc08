"""One limit for documents of every format, and memory that follows the size of the input."""

from __future__ import annotations

import gzip
import io
import json
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from likewise.cli import main
from likewise.documents import Reader, limits, stream
from likewise.documents.code_pages import guess_encoding, is_nearly_ascii
from likewise.documents.encoding import is_mostly_utf8
from likewise.documents.extraction.cache_entry import decode_outcome
from likewise.documents.extraction.file_type import container_kind
from likewise.documents.extraction.pool import Pool
from likewise.documents.single_file import read_text
from likewise.documents.tables import csv_stream
from likewise.documents.zipped import Zipped
from likewise.errors import DocumentError, SourceError, UsageError
from tests.documents.makers import make_zip


def peak(function, *arguments):
    """Return the most memory that a call takes, in bytes."""
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr(limits, "MAX_DOCUMENT_BYTES", 1 << 10)


@pytest.mark.usefixtures("small_limit")
def test_plain_text_has_the_limit_of_documents_packed_or_not(write, collect):
    write("a/long.txt", "word " * 1000)
    write("a/packed.txt.gz", gzip.compress(b"word " * 100_000))
    write("a/short.txt", "a few words")
    found = collect("a")
    assert found.ids == ["short.txt"]
    assert found.skipped == [
        "a/long.txt: larger than 1 KiB",
        "a/packed.txt.gz: larger than 1 KiB",
    ]


@pytest.mark.usefixtures("small_limit")
def test_a_single_text_has_the_limit_too(write):
    write("long.txt", "word " * 1000)
    with pytest.raises(DocumentError, match="larger than"):
        read_text("long.txt")


def test_damaged_utf8_takes_little_more_than_its_own_size():
    data = "Это предложение на русском языке. ".encode() * 20_000 + b"\xff"
    assert is_mostly_utf8(data)
    assert peak(is_mostly_utf8, data) < 4 << 20


def test_a_guess_takes_little_more_than_the_size_of_the_text():
    data = b"\xe9a\n" * 1_000_000
    assert not is_nearly_ascii(data)
    assert peak(is_nearly_ascii, data) < 2 * len(data)
    data = b"a\n" * 1_000_000 + b"caf\xe9\n"
    assert guess_encoding(data) == "cp1252"
    assert peak(guess_encoding, data) < 2 * len(data)


def test_only_the_first_bytes_of_a_mimetype_are_read():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("mimetype", b"a" * (8 << 20))
    package = Zipped(out)
    assert container_kind(package) == "zip"
    assert peak(container_kind, package) < 1 << 20


def test_an_archive_that_counts_other_members_than_it_lists_is_damaged(write, collect):
    archive = bytearray(make_zip({"a.txt": "first", "b.txt": "second"}))
    end = archive.rfind(b"PK\5\6")
    struct.pack_into("<4H2I", archive, end + 4, 0, 0, 0, 0, 0, end)
    write("folder/archive.zip", bytes(archive))
    write("folder/essay.txt", "some words")
    found = collect("folder")
    assert found.ids == ["essay.txt"]
    assert len(found.skipped) == 1
    assert found.skipped[0].startswith("folder/archive.zip: ")


@pytest.mark.parametrize(
    "header",
    [
        "[" * 100_000,
        json.dumps(["notes", "pages"]),
        '{"pages": [1e999], "notes": []}',
        '{"pages": [0, 99], "notes": []}',
        '{"pages": [3, 1], "notes": []}',
        '{"pages": [-1], "notes": []}',
    ],
)
def test_a_crafted_cache_entry_is_refused(header):
    entry = b"likewise text 1\n" + zlib.compress(header.encode() + b"\n" + b"a text")
    with pytest.raises(ValueError):  # noqa: PT011
        decode_outcome(entry)


def test_an_archive_alone_that_is_damaged_is_an_error(write):
    archive = bytearray(make_zip({"a.txt": "first"}))
    end = archive.rfind(b"PK\5\6")
    struct.pack_into("<2H", archive, end + 8, 7, 7)
    write("archive.zip", bytes(archive))
    with pytest.raises(SourceError, match="damaged or truncated"):
        list(Reader("archive.zip"))


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"text": "a"}\n' * 3 + '{"text": "' + "b" * 5000, "line 4 is larger than"),
        ("a.txt", "a\n" * 3 + "b" * 5000, "line 4 is larger than 1 KiB"),
        ("a.csv", 'text\na\n"' + "b\n" * 5000, "a row after row 1 is larger than 1 KiB"),
    ],
)
def test_a_row_has_the_limit_of_documents_packed_or_not(write, monkeypatch, name, content, message):
    monkeypatch.setattr(stream, "BLOCK", 512)
    monkeypatch.setattr(csv_stream, "BLOCK", 16)
    path = write(name, content)
    packed = write(f"{name}.gz", gzip.compress(content.encode()))
    for one in (path, packed):
        with pytest.raises(SourceError, match=message):
            list(Reader(one, shape="lines" if name == "a.txt" else "auto"))


@pytest.mark.parametrize(
    "name", ["punycode", "idna", "utf-7", "unicode_escape", "rot13", "x" * 999]
)
def test_only_encodings_of_texts_are_accepted(write, name):
    write("a.txt", "some words")
    with pytest.raises(UsageError, match="unknown encoding"):
        Reader("a.txt", encoding=name)


def test_a_page_that_declares_another_codec_is_read_as_text(write, collect):
    write("d/a.html", '<meta charset="punycode"><p>words-abc')
    assert collect("d").texts == ["words-abc\n"]


def test_long_text_in_another_encoding_is_decoded_by_a_worker(write, collect, monkeypatch):
    submitted = []
    submit = Pool.submit

    def note(pool, kind, *arguments):
        submitted.append(kind)
        return submit(pool, kind, *arguments)

    monkeypatch.setattr(Pool, "submit", note)
    write("d/other.txt", ("слово " * 300_000).encode("cp1251"))
    write("d/short.txt", "слово ".encode("cp1251") * 20)
    write("d/utf8.txt", "слово " * 300_000)
    found = collect("d", encoding=None)
    assert submitted == ["text"]
    assert found.texts[0] == found.texts[2]
    assert found.notes[0] == "d/other.txt: read as cp1251"


def test_the_hint_of_a_long_text_survives_its_worker(write):
    write("a.txt", b"\xff" * (2 << 20))
    with pytest.raises(SourceError, match="not valid utf-8") as caught:
        list(Reader("a.txt", shape="whole", encoding="utf-8"))
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("use another")


def test_text_without_blanks_is_guessed_from_its_beginning():
    data = "北京大学出版社".encode("gb18030") * 300_000
    assert guess_encoding(data) == "gb18030"


def test_a_damaged_archive_is_an_error_with_strict(write, capsys):
    write("d/archive.zip", make_zip({}))
    write("d/essay.txt", "some words of an essay")
    assert main.run(["pairs", "d", "--strict"]) == 1
    assert "d/archive.zip: the archive contains no documents" in capsys.readouterr().err
    assert main.run(["pairs", "d"]) == 0
