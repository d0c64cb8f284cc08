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

from likewise.documents import Reader
from likewise.documents.code_pages import guess_encoding, is_nearly_ascii
from likewise.documents.encoding import is_mostly_utf8
from likewise.documents.extraction import single_document
from likewise.documents.extraction.cache_entry import decode_outcome
from likewise.documents.extraction.file_type import container_kind
from likewise.documents.single_file import read_text
from likewise.documents.zipped import Zipped
from likewise.errors import DocumentError, SourceError
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
    monkeypatch.setattr(single_document, "MAX_DOCUMENT_BYTES", 1 << 10)


@pytest.mark.usefixtures("small_limit")
def test_plain_text_has_the_limit_of_documents_packed_or_not(write, collect):
    write("a/long.txt", "word " * 1000)
    write("a/packed.txt.gz", gzip.compress(b"word " * 100_000))
    write("a/short.txt", "a few words")
    found = collect("a")
    assert found.ids == ["short.txt"]
    assert found.skipped == [
        "a/long.txt: larger than 256 MiB",
        "a/packed.txt.gz: larger than 256 MiB",
    ]


@pytest.mark.usefixtures("small_limit")
def test_a_single_text_has_the_limit_too(write):
    write("long.txt", "word " * 1000)
    with pytest.raises(DocumentError, match="larger than"):
        read_text("long.txt")


def test_damaged_utf8_takes_little_more_than_its_own_size():
    data = "Это предложение на русском языке. ".encode() * 40_000 + b"\xff"
    assert is_mostly_utf8(data)
    assert peak(is_mostly_utf8, data) < len(data)


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
