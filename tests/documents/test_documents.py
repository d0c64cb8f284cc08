"""Documents of every kind in a collection: what is read, what is told, what is skipped."""

import gzip
import os
import subprocess
import sys
import time

import pytest

from likewise.documents import Places, Reader, limits, read_document, read_text
from likewise.documents.extraction import prefetch, single_document
from likewise.documents.extraction.pool import Pool
from likewise.documents.single_file import TextBlocks
from likewise.errors import DocumentError, SourceError
from tests.documents.makers import (
    make_docx,
    make_epub,
    make_odt,
    make_pdf,
    make_zip,
    word_paragraph,
)

PDF = make_pdf([["printed"]])
DOCX = make_docx(word_paragraph("written"))
ODT = make_odt("<text:p>open</text:p>")
EPUB = make_epub({"a.html": "<p>bound</p>"})
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def test_a_folder_of_every_kind_is_read_in_order_with_its_pages(write, collect):
    write("d/a.pdf", make_pdf([["one"], ["two"]]))
    write("d/b.docx", DOCX)
    write("d/c.odt", ODT)
    write("d/d.epub", EPUB)
    write("d/e.html", "<h1>shown</h1>")
    write("d/f.md", "# kept *as it is*")
    write("d/g.jsonl", '{"text": "row"}\n')
    got = collect("d")
    assert got.by_id == {
        "a.pdf": "one\ntwo\n",
        "b.docx": "written\n",
        "c.odt": "open\n",
        "d.epub": "bound\n",
        "e.html": "shown\n",
        "f.md": "# kept *as it is*",
        "g.jsonl:0": "row",
    }
    (batch,) = got.batches
    assert batch.page_starts == [(0, 4), None, None, (0,), None, None, None]
    assert batch.places(0).at(5) == (2, 1)


def test_tables_and_texts_carry_no_pages(write, collect):
    write("d/a.txt", "a")
    write("d/b.csv", "text\nb\n")
    assert [batch.page_starts for batch in collect("d").batches] == [None]


def test_pages_stay_with_their_documents_however_batches_are_cut(write, collect):
    for number in range(6):
        write(f"d/{number}.pdf", make_pdf([["x" * number]] * (number + 1)))
        write(f"d/{number}.txt", "plain")
    whole = collect("d")
    for size in (1, 30, 60):
        pages = {
            id_: None if batch.page_starts is None else batch.page_starts[at]
            for batch in collect("d", batch_bytes=size).batches
            for at, id_ in enumerate(batch.ids)
        }
        (batch,) = whole.batches
        assert pages == dict(zip(batch.ids, batch.page_starts, strict=True))


def test_documents_come_in_order_whichever_is_done_first(write, collect, monkeypatch):
    pool = Pool(extract="tests.documents.awkward:extract", workers=2)
    for number in range(12):
        slow = "sleep 0.2" if number % 5 == 0 else "ok"
        write(f"d/{number:02}.pdf", f"%PDF-{slow}")
    # What is to happen stands behind the signature.
    submit = pool.submit
    monkeypatch.setattr(pool, "submit", lambda kind, data, encoding: submit(kind, data[5:]))
    monkeypatch.setattr("likewise.documents.extraction.pool.Pool", lambda: pool)
    assert collect("d").ids == [f"{number:02}.pdf" for number in range(12)]


def test_few_files_are_held_in_memory_ahead_of_their_turn(write, monkeypatch):
    for number in range(40):
        write(f"d/{number:02}.pdf", make_pdf([[f"text {number}"]]))
    loaded = []
    monkeypatch.setattr(
        prefetch,
        "load_document",
        lambda origin: loaded.append(1) or single_document.load_document(origin),
    )
    batches = iter(Reader("d", batch_bytes=1))
    next(batches)
    assert len(loaded) <= 4 * Pool().max_workers + 2
    batches.close()


# Names that lie


@pytest.mark.parametrize(
    ("name", "content", "text", "what", "kind"),
    [
        ("a.txt", PDF, "printed\n", "a PDF", "PDF"),
        ("a.md", DOCX, "written\n", "a Word document", "DOCX"),
        ("a", EPUB, "bound\n", "an EPUB", "EPUB"),
        ("a.docx", PDF, "printed\n", "a PDF", "PDF"),
        ("a.docx", ODT, "open\n", "an OpenDocument text", "ODT"),
        ("a.odt", DOCX, "written\n", "a Word document", "DOCX"),
        ("a.html", PDF, "printed\n", "a PDF", "PDF"),
        ("a.pdf", b"just text", "just text", "plain text", "text"),
        ("a.docx", b"just text", "just text", "plain text", "text"),
        ("a.pdf", b"\n<!DOCTYPE HTML><p>Please log in", "Please log in\n", "an HTML file", "HTML"),
    ],
)
def test_what_a_file_is_decides_and_not_its_name(write, collect, name, content, text, what, kind):
    write(f"d/{name}", content)
    got = collect("d")
    assert got.texts == [text]
    assert got.notes == [f"d/{name}: {what} despite its name; read as {kind}"]


def test_a_pdf_may_have_lines_before_its_signature(write, collect):
    write("a.pdf", b"HTTP/1.1 200 OK\n\n" + PDF)
    assert (collect("a.pdf").texts, collect("a.pdf").notes) == (["printed\n"], [])


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.pdf", b"", "an empty file"),
        ("a.docx", b"", "an empty file"),
        ("a.html", b"", "an empty file"),
        ("a.pdf", b"%PDF-1.4\n", "damaged or truncated"),
        ("a.txt", b"%PDF-1.4\n", "a PDF: damaged or truncated"),
        ("a.pdf", bytes(range(256)) * 9, "not a PDF: binary file (it has NUL bytes)"),
        ("a.pdf", b"\x89PNG\r\n\x1a\n", "not a PDF: binary file (PNG)"),
        ("a.pdf", make_pdf([[]]), "no text: scanned pages?"),
        ("a.pdf", make_pdf([["x"]], user="p"), "encrypted, needs a password"),
        ("a.docx", DOCX[:-40], "damaged or truncated"),
        ("a.docx", make_zip({"x.txt": ""}), "not a Word document: another kind of zip archive"),
        ("a.docx", make_zip({"xl/workbook.xml": ""}), "not a Word document: an Excel workbook"),
        ("a.docx", OLE, "unsupported file type: save .doc as .docx"),
        ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted, needs a password"),
        ("a.txt", make_zip({"x": "y"}), "binary file (zip, docx, odt or epub)"),
        ("a.html", b"<p>\0\1\2\3", "binary file (it has NUL bytes)"),
    ],
)
def test_what_gives_no_text_is_skipped_with_its_reason(write, collect, name, content, reason):
    write(f"d/{name}", content)
    write("d/z.txt", "good")
    got = collect("d")
    assert got.ids == ["z.txt"]
    assert got.skipped == [f"d/{name}: {reason}"]


def test_a_document_that_is_too_large_is_skipped(write, collect, monkeypatch):
    monkeypatch.setattr(limits, "MAX_DOCUMENT_BYTES", 1 << 10)
    write("d/a.pdf.gz", gzip.compress(PDF + b" " * 5000))
    write("d/b.pdf", make_pdf([["small"]]))
    got = collect("d")
    assert got.ids == ["b.pdf"]
    assert got.skipped == ["d/a.pdf.gz: larger than 1 KiB"]


def test_packed_documents_are_unpacked(write, collect):
    write("a.pdf.gz", gzip.compress(PDF))
    assert collect("a.pdf.gz").by_id == {"a.pdf.gz": "printed\n"}
    assert read_text("a.pdf.gz")[0] == "printed\n"


def test_whole_reads_documents_as_what_they_are_and_lines_as_plain_text(write, collect):
    write("d/a.pdf", PDF)
    write("d/b.html", "<p>one\n<p>two\n")
    assert collect("d", shape="whole").texts == ["printed\n", "one\ntwo\n"]
    got = collect("d", shape="lines")
    assert got.texts == ["<p>one", "<p>two"]
    assert got.skipped == ["d/a.pdf: binary file (PDF)"]


# One file alone


@pytest.mark.parametrize("name", ["a.pdf", "a.txt"])
def test_read_text_reads_documents(write, name):
    write(name, PDF)
    assert read_text(name)[0] == "printed\n"
    assert list(TextBlocks(name)) == ["printed\n"]


def test_read_document_gives_pages_too(write):
    write("a.pdf", make_pdf([["one"], [], ["three"]]))
    extracted, notes = read_document("a.pdf")
    assert Places(extracted.text, extracted.page_starts).at(5) == (3, 1)
    assert [str(note) for note in notes] == ["a.pdf: 1 of 3 pages has no text and may be scanned"]


def test_text_blocks_of_a_document_can_be_gone_through_again(write):
    write("a.docx", DOCX)
    blocks = TextBlocks("a.docx")
    assert list(blocks) == list(blocks) == ["written\n"]
    assert blocks.position == blocks.size


def test_a_bad_document_alone_is_an_error(write):
    write("a.pdf", make_pdf([["x"]], user="p"))
    with pytest.raises(DocumentError, match=r"^a\.pdf: encrypted, needs a password$"):
        read_text("a.pdf")
    with pytest.raises(SourceError, match=r"^a\.pdf: encrypted, needs a password$"):
        list(Reader("a.pdf"))


def test_reading_a_pdf_alone_loads_no_heavy_library_here(write):
    write("a.pdf", PDF)
    code = (
        "import sys; from likewise.documents import read_text; print(read_text('a.pdf')[0]);"
        "print([m for m in ('numpy', 'pyarrow', 'pypdfium2', 'lxml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "printed\n\n[]\n"


# Processes


def test_a_reader_that_is_left_ends_its_workers(write):
    for number in range(8):
        write(f"d/{number}.pdf", make_pdf([[f"text {number}"]]))
    reader = Reader("d", batch_bytes=1)
    batches = iter(reader)
    next(batches)
    started = reader._reading.extraction._pool.process_ids
    batches.close()
    time.sleep(0.05)
    assert started
    for one in started:
        with pytest.raises(ProcessLookupError):
            os.kill(one, 0)


def test_the_command_line_reads_documents_and_can_do_without_the_cache(write, cache_folder):
    text = "a text that is long enough to have some shingles of three words"
    write("d/a.pdf", make_pdf([[text]]))
    write("d/b.docx", make_docx(word_paragraph(text)))
    write("d/locked.pdf", make_pdf([["x"]], user="p"))
    command = [sys.executable, "-m", "likewise"]
    done = subprocess.run(
        [*command, "pairs", "d", "--no-cache", "--format", "csv"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].startswith("a.pdf,b.docx,1")
    assert "skipped d/locked.pdf: encrypted, needs a password" in done.stderr
    assert list(cache_folder.iterdir()) == []
    done = subprocess.run(
        [*command, "compare", "d/a.pdf", "d/b.docx", "--format", "jsonl", "--trials", "0"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert '"identical": true' in done.stdout
    assert list(cache_folder.iterdir())
