"""Text that was extracted before is not extracted again."""

import os
import subprocess
import sys
import time
from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import formats, read_text
from likewise.documents.document import Document
from likewise.documents.extraction import file_identity, single_document
from likewise.documents.extraction.cache import Cache, cache_key
from likewise.documents.extraction.cache import cache_folder as find_cache_folder
from likewise.documents.extraction.cache_entry import decode_outcome, encode_outcome
from likewise.documents.extraction.extraction import Extraction
from likewise.documents.extraction.pool import Pool
from likewise.documents.unreadable import UnreadableError
from tests.documents.makers import make_docx, make_pdf, word_paragraph


@pytest.fixture(autouse=True)
def files_are_new(monkeypatch):
    """Files count as just written however long a test takes; a settled file has one more entry."""
    monkeypatch.setattr(file_identity, "_SETTLED_SECONDS", 1e9)


@pytest.fixture
def no_workers(monkeypatch):
    """From here on a test fails if a worker is needed."""

    def forbid():
        def start(pool):
            raise AssertionError("a worker was started")

        monkeypatch.setattr(Pool, "_start", start)

    return forbid


def entries(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def folder_of_documents(write):
    write("d/a.pdf", make_pdf([["One"], [], ["Three"]]))
    write("d/b.docx", make_docx(word_paragraph("Two")))
    write("d/locked.pdf", make_pdf([["secret"]], user="1234"))
    write("d/plain.txt", "plain")
    return "d"


def tell(got):
    return got.by_id, got.notes, got.skipped, [batch.page_starts for batch in got.batches]


def test_a_second_run_needs_no_worker_and_tells_the_same(
    folder_of_documents, collect, no_workers, cache_folder
):
    first = collect(folder_of_documents)
    assert len(entries(cache_folder)) == 3  # the reason why one could not be read is kept as well
    no_workers()
    assert tell(collect(folder_of_documents)) == tell(first)
    assert first.skipped == ["d/locked.pdf: encrypted, needs a password"]
    assert first.notes == ["d/a.pdf: 1 of 3 pages has no text and may be scanned"]


def test_a_copy_under_another_name_is_known(write, collect, no_workers):
    data = make_pdf([["One"]])
    write("a.pdf", data)
    collect("a.pdf")
    no_workers()
    write("sub/b.pdf", data)
    assert collect("sub/b.pdf").by_id == {"b.pdf": "One\n"}
    assert read_text("sub/b.pdf")[0] == "One\n"


def test_a_changed_document_is_read_anew(write, collect):
    write("a.pdf", make_pdf([["One"]]))
    collect("a.pdf")
    write("a.pdf", make_pdf([["Two"]]))
    assert collect("a.pdf").texts == ["Two\n"]


def test_without_the_cache_nothing_is_kept_or_taken(write, collect, cache_folder):
    write("a.pdf", make_pdf([["One"]]))
    collect("a.pdf", cache=False)
    assert entries(cache_folder) == []
    collect("a.pdf")
    (entry,) = entries(cache_folder)
    entry.write_bytes(encode_outcome(Document("from the cache")))
    assert collect("a.pdf").texts == ["from the cache"]
    assert collect("a.pdf", cache=False).texts == ["One\n"]


@pytest.mark.parametrize("damage", [b"", b"junk", "cut", "flip"])
def test_a_damaged_entry_is_replaced(write, collect, cache_folder, damage):
    write("a.pdf", make_pdf([["One line of text"]]))
    collect("a.pdf")
    (entry,) = entries(cache_folder)
    good = entry.read_bytes()
    if damage == "cut":
        damage = good[:-3]
    elif damage == "flip":
        damage = good[:-8] + bytes([good[-8] ^ 255]) + good[-7:]
    entry.write_bytes(damage)
    assert collect("a.pdf").texts == ["One line of text\n"]
    assert entry.read_bytes() == good


def test_crashes_and_time_outs_are_not_kept(cache_folder):
    pool = Pool(extract="tests.documents.awkward:extract", workers=1, seconds=0.7)
    with Extraction(pool=pool) as extraction:
        for document in ("crash", "hang", "fail", "refuse it is encrypted", "ok"):
            ticket = extraction.submit("pdf", document.encode())
            if document == "ok":
                extraction.result(ticket)
                continue
            with pytest.raises(UnreadableError):
                extraction.result(ticket)
    assert len(entries(cache_folder)) == 2


@pytest.fixture
def settled(monkeypatch):
    """Files count as left alone at once, not after two seconds."""
    monkeypatch.setattr(file_identity, "_SETTLED_SECONDS", -1.0)


def test_a_file_that_nobody_has_touched_is_not_opened(
    folder_of_documents, collect, no_workers, settled, monkeypatch
):
    first = collect(folder_of_documents)
    no_workers()
    opened = []
    load = single_document.load_document

    def note_opened(origin, *reading):
        if origin.kind != "text":
            opened.append(origin.name)
        return load(origin, *reading)

    monkeypatch.setattr(single_document, "load_document", note_opened)
    assert tell(collect(folder_of_documents)) == tell(first)
    assert opened == []


def test_a_file_that_was_changed_is_read_whatever_its_times_say(write, collect, settled):
    path = write("a.pdf", make_pdf([["One"]]))
    before = os.stat(path)
    assert collect("a.pdf").texts == ["One\n"]
    time.sleep(0.05)  # the clock of the file system is coarse
    write("a.pdf", make_pdf([["Two"]]))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(path).st_size == before.st_size
    assert collect("a.pdf").texts == ["Two\n"]


def test_a_note_of_a_file_that_is_damaged_is_as_good_as_none(write, collect, settled, cache_folder):
    write("a.pdf", make_pdf([["One"]]))
    collect("a.pdf")
    (note,) = (path for path in entries(cache_folder) if "-seen" in path.name)
    for damage in (b"", b"\xff\xfe", b"pdf ../../../../etc/passwd", b"exe 00"):
        note.write_bytes(damage)
        assert collect("a.pdf").texts == ["One\n"]


def test_html_in_another_encoding_is_another_text(write, collect):
    write("a.html", "<p>é".encode("cp437"))
    assert collect("a.html", encoding="cp437").texts == ["é\n"]
    assert collect("a.html", encoding="cp1252").texts == ["‚\n"]


def test_the_key_depends_on_content_kind_and_version():
    keys = {
        cache_key(data, kind, version, encoding)
        for data in (b"a", b"b")
        for kind in ("pdf", "html")
        for version in ("1", "2")
        for encoding in (None, "utf-8")
    }
    assert len(keys) == 16


@pytest.mark.parametrize("place", ["a file", "not ours", "full"])
def test_a_folder_that_cannot_be_used_is_no_error(write, collect, monkeypatch, tmp_path, place):
    write("a.pdf", make_pdf([["One"]]))
    if place == "a file":
        monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "a.pdf"))
    elif place == "not ours":
        monkeypatch.setenv("LIKEWISE_CACHE", "/proc/nothing")
    else:

        def full(*arguments):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "replace", full)
    assert collect("a.pdf").texts == ["One\n"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    Cache(tmp_path).put("key", b"entry")
    assert entries(tmp_path) == []


def test_what_was_used_least_recently_goes_first(tmp_path):
    cache = Cache(tmp_path, max_bytes=1000)
    for number in range(9):
        cache.put(f"{number}-key", b"x" * 100)
    for number, path in enumerate(sorted(entries(tmp_path))):
        os.utime(path, (1000 + number, 1000 + number))
    assert cache.get("0-key") is not None  # used now
    cache.put("9-key", b"x" * 100)
    cache.put("a-key", b"x" * 100)
    cache.close()
    kept = {path.name[0] for path in entries(tmp_path)}
    assert kept == {"0", "3", "4", "5", "6", "7", "8", "9", "a"}


def test_what_a_killed_process_left_is_cleared_away_later(tmp_path):
    cache = Cache(tmp_path)
    cache.put("a-key", b"x")
    (entry,) = entries(tmp_path)
    old, new = entry.with_name("old.part"), entry.with_name("new.part")
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (time.time() - 9999, time.time() - 9999))
    cache.prune()
    assert sorted(entries(tmp_path)) == sorted([entry, new])


def test_only_the_owner_can_look_into_the_cache(tmp_path):
    Cache(tmp_path / "new").put("key", b"x")
    assert (tmp_path / "new/texts").stat().st_mode & 0o077 == 0


def test_several_processes_share_a_folder(tmp_path):
    code = (
        "import sys; from likewise.documents.extraction.cache import Cache\n"
        "c = Cache(sys.argv[1], 20_000)\n"
        "for i in range(400):\n"
        "    k = f'{i % 40:02}-key'; e = c.get(k)\n"
        "    assert e is None or e == k.encode() * 200, e\n"
        "    c.put(k, k.encode() * 200)\n"
        "    if i % 50 == 0: c.prune()\n"
    )
    programs = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(3)]
    assert [program.wait(timeout=60) for program in programs] == [0, 0, 0]
    Cache(tmp_path, 20_000).prune()
    assert 0 < sum(path.stat().st_size for path in entries(tmp_path)) <= 20_000


def test_the_folder_is_the_users(monkeypatch):
    monkeypatch.delenv("LIKEWISE_CACHE")
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert find_cache_folder() == "/home/ann/.cache/likewise"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert find_cache_folder() == "/home/ann/.cache/likewise"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache/ann")
    assert find_cache_folder() == "/var/cache/ann/likewise"
    monkeypatch.setenv("LIKEWISE_CACHE", "/elsewhere")
    assert find_cache_folder() == "/elsewhere"


@given(st.text(), st.none() | st.lists(st.floats(0, 1)), st.lists(st.text()))
def test_an_outcome_survives_its_bytes(text, pages, notes):
    starts = None if pages is None else tuple(sorted(int(at * len(text)) for at in pages))
    document = Document(text, starts, tuple(notes))
    assert decode_outcome(encode_outcome(document)) == document


@given(st.binary())
def test_any_bytes_are_an_outcome_or_a_value_error(data):
    for entry in (data, b"likewise text 1\n" + data):
        with pytest.raises(ValueError, match=r"damaged|not an entry|cut short"):
            decode_outcome(entry)


@pytest.mark.parametrize("library", ["pypdfium2", "lxml"])
def test_the_version_of_a_library_is_the_one_installed(library):
    assert formats._installed(library) == metadata.version(library)
