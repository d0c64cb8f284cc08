"""The text inside documents, format by format."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Places
from likewise.documents.formats import FORMATS, extract
from likewise.documents.formats.pdf import join_halves
from likewise.documents.unreadable import UnreadableError
from tests.documents.makers import (
    make_docx,
    make_epub,
    make_odt,
    make_pdf,
    make_zip,
    word_paragraph,
)


def reason(kind, data):
    with pytest.raises(UnreadableError) as caught:
        extract(kind, data)
    return caught.value.reason


# PDF


def test_pdf_is_read_page_by_page_and_line_by_line():
    got = extract("pdf", make_pdf([["One line", "and another"], ["Second page"]]))
    assert got.text == "One line\nand another\nSecond page\n"
    assert got.page_starts == (0, 21)
    assert Places(got.text, got.page_starts).at(got.text.index("another")) == (1, 2)
    assert Places(got.text, got.page_starts).at(got.text.index("Second")) == (2, 1)


def test_text_on_a_page_of_no_size_is_read():
    data = make_pdf([["One line"]]).replace(b"[0 0 595 842]", b"[0 0 1 1]    ")
    assert extract("pdf", data).text == "One line\n"


def test_a_word_cut_at_the_end_of_a_line_is_whole_and_lines_can_still_be_counted():
    lines = ["This hy-", "phen goes, in Attribution-", "NonCommercial", "it stays. The end"]
    got = extract("pdf", make_pdf([lines]))
    assert got.text == "This hyphen\ngoes, in Attribution-NonCommercial\n\nit stays. The end\n"
    assert Places(got.text, got.page_starts).at(got.text.index("it stays")) == (1, 4)


@pytest.mark.parametrize(
    ("marked", "joined"),
    [
        ("with a hy\ufffephen here", "with a hyphen\nhere"),
        ("with a hy\x02\nphen here", "with a hyphen\nhere"),
        ("hy\ufffephen\nnext", "hyphen\n\nnext"),
        ("super\ufffecali\ufffefragil rest", "supercalifragil\n\nrest"),
        ("1914\ufffe1918 and", "1914-1918\nand"),
        ("stray \ufffe mark", "stray  mark"),
        ("at the end\ufffe", "at the end\n"),
        ("no mark\nat all", "no mark\nat all"),
    ],
)
def test_halves_of_words_are_joined(marked, joined):
    assert join_halves(marked) == joined


@given(st.text(st.sampled_from("abC1 .\n\ufffe\x02\0")))
def test_joining_loses_no_letter_and_leaves_no_mark(text):
    joined = join_halves(text)
    assert not set(joined) & set("\ufffe\x02\0")
    letters = [sign for sign in text if sign.isalnum() or sign == "."]
    assert [sign for sign in joined if sign.isalnum() or sign == "."] == letters
    assert joined.count("\n") >= text.count("\n")


def test_pages_without_text_are_reported_and_keep_their_number():
    got = extract("pdf", make_pdf([["One"], [], ["Three"], []]))
    assert got.notes == ("2 of 4 pages have no text and may be scanned",)
    assert Places(got.text, got.page_starts).at(got.text.index("Three")) == (3, 1)


def test_a_pdf_without_any_text_is_refused():
    assert reason("pdf", make_pdf([[], []])) == "no text: scanned pages?"


def test_an_encrypted_pdf_is_refused_unless_its_password_is_empty():
    assert reason("pdf", make_pdf([["secret"]], user="1234")) == "encrypted, needs a password"
    assert extract("pdf", make_pdf([["open"]], user="")).text == "open\n"


def test_a_damaged_pdf_is_refused():
    data = make_pdf([["One line"]])
    for broken in (b"%PDF-1.7", data[:300], data[:9] + bytes(len(data))):
        assert reason("pdf", broken) == "damaged or truncated"


# DOCX


def test_docx_gives_paragraphs_and_tables_in_order_and_notes_at_the_end():
    cell = "<w:tc><w:tcPr/>{}</w:tc>".format
    table = (
        "<w:tbl><w:tr>"
        + cell(word_paragraph("a1") + word_paragraph("a2"))
        + cell(word_paragraph("b"))
        + f"</w:tr><w:tr>{cell(word_paragraph('c'))}{cell('<w:p/>')}</w:tr></w:tbl>"
    )
    got = extract(
        "docx",
        make_docx(
            word_paragraph("First &amp; foremost") + table + word_paragraph("Last"),
            footnotes=f'<w:footnote w:type="separator">{word_paragraph("----")}</w:footnote>'
            f"<w:footnote>{word_paragraph('A footnote')}</w:footnote>",
            endnotes=f"<w:endnote>{word_paragraph('An endnote')}</w:endnote>",
            header1=word_paragraph("A header"),
        ),
    )
    assert got.text == "First & foremost\na1 a2\tb\nc\t\nLast\nA footnote\nAn endnote\n"
    assert got.page_starts is None


def test_docx_reads_what_a_reader_would_see():
    body = (
        '<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>'
        "<w:r><w:t>one</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t></w:r>"
        "<w:del><w:r><w:delText>gone</w:delText><w:tab/></w:r></w:del>"
        "<w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>"
        "<w:ins><w:r><w:t> four</w:t></w:r></w:ins>"
        "<w:r><w:instrText>PAGEREF</w:instrText><w:t>-</w:t><w:noBreakHyphen/></w:r></w:p>"
    )
    assert extract("docx", make_docx(body)).text == "one\ttwo\nthree four--\n"


def test_a_text_box_in_docx_is_read_once():
    box = f"<w:txbxContent>{word_paragraph('boxed')}</w:txbxContent>"
    body = (
        f"<w:p><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}"
        "</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>around</w:t></w:r></w:p>"
    )
    assert extract("docx", make_docx(body)).text == "boxed\naround\n"


def test_bad_docx_is_refused_with_a_reason():
    assert reason("docx", make_zip({"a.txt": "a"})).startswith(
        "not a Word document: another kind of zip archive"
    )
    assert reason("docx", make_docx("<w:p>")) == "damaged or truncated"
    assert reason("docx", make_docx(word_paragraph("a"))[:-30]) == "damaged or truncated"
    assert reason("docx", make_docx("<w:p/>")) == "no text"


@pytest.mark.parametrize(
    "entity",
    [
        '<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
    ],
)
def test_entities_in_xml_are_not_expanded(entity):
    xml = f"<!DOCTYPE w:d [{entity}]><w:d xmlns:w='w'><w:p><w:t>safe &b;</w:t></w:p></w:d>"
    data = make_zip({"[Content_Types].xml": "", "word/document.xml": xml})
    assert extract("docx", data).text == "safe \n"


# ODT


def test_odt_gives_paragraphs_and_tables_in_order_and_notes_at_the_end():
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>The note</text:p></text:note-body></text:note>"
    )
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>".format
    body = (
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
        f"<text:h>Title</text:h><text:p>One\n  two{note}<text:s text:c='2'/>three<text:tab/>"
        "<text:span>four</text:span><text:line-break/>five</text:p>"
        f"<table:table><table:table-row>{cell('a')}{cell('b')}</table:table-row></table:table>"
        "<text:p><text:s text:c='999999999999'/>end</text:p>"
    )
    got = extract("odt", make_odt(body))
    assert got.text.splitlines()[:4] == ["Title", "One two  three\tfour", "five", "a\tb"]
    assert got.text.splitlines()[4].strip() == "end"
    assert got.text.endswith("\nThe note\n")
    assert len(got.text) < 200


def test_bad_odt_is_refused_with_a_reason():
    locked = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    assert reason("odt", make_odt("x", locked)) == "encrypted, needs a password"
    assert reason("odt", make_zip({"a": "a"})).startswith("not an OpenDocument text")
    assert reason("odt", make_odt("<text:p/>")) == "no text"


# EPUB


def test_epub_follows_the_spine_and_each_part_is_a_page():
    page = "<?xml version='1.0'?><html><head><title/></head><body><p>{}</p></body></html>".format
    got = extract("epub", make_epub({"z.xhtml": page("One"), "a b.xhtml": page("Two&#160;2")}))
    assert got.text == "One\nTwo\xa02\n"
    assert got.page_starts == (0, 4)


def test_epub_parts_may_be_escaped_missing_or_not_quite_xml():
    parts = {"a%20b.html": "", "c.html": "<p>One<br>two &eacute;", "d.html": "<html/>"}
    got = extract("epub", make_epub(parts))
    assert got.text == "One\ntwo é\n"
    assert got.notes == ("1 of its 3 parts is missing",)
    assert got.page_starts == (0, 0, 10)


def test_a_locked_epub_is_refused_and_scrambled_fonts_do_no_harm():
    lock = '<encryption><EncryptedData><CipherReference URI="{}"/></EncryptedData></encryption>'
    parts = {"a.html": "<p>text</p>"}
    locked = make_epub(parts, encryption=lock.format("OPS/a.html"))
    assert reason("epub", locked) == "encrypted, needs a password"
    assert extract("epub", make_epub(parts, encryption=lock.format("OPS/f.otf"))).text == "text\n"


# HTML


def test_html_gives_what_a_browser_shows():
    page = b"""<!DOCTYPE html><html><head><title>Not this</title><style>p {}</style></head><body>
      <nav><a href="/">Home</a></nav><h1>The  <em>title</em></h1>
      <p>One
         paragraph &amp; <b>bold</b>,<br>two lines<script>no()</script></p>
      <ul><li>first<li>second</ul><!-- never -->
      <table><tr><td>a</td><td>b</td></tr></table>
      <pre>kept
  as it is</pre>end</body></html>"""
    assert extract("html", page).text.splitlines() == [
        "The title",
        "One paragraph & bold,",
        "two lines",
        "first",
        "second",
        "a\tb",
        "kept",
        "  as it is",
        "end",
    ]


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="utf-8">', "utf-8"),
        ('<meta charset="iso-8859-1">', "cp1252"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">', "cp1252"),
        ('<?xml version="1.0" encoding="utf-8"?>', "utf-8"),
        ("", "utf-8"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
        ('<meta charset="utf-8">', "utf-16"),
        # Pages that are wrong about themselves.
        ('<meta charset="utf-8">', "cp1252"),
        ('<meta charset="no-such-thing">', "utf-8"),
    ],
)
def test_the_encoding_of_html_is_found(head, encoding):
    text = "L'été dernier, Hélène a préféré déjeuner à la forêt ; c'était « très agréable »."
    got = extract("html", f"{head}<html><body><p>{text}</p></body></html>".encode(encoding))
    assert got.text == text + "\n"


def test_the_encoding_given_by_the_user_comes_first():
    assert extract("html", "<p>é".encode("cp437"), "cp437").text == "é\n"
    with pytest.raises(UnreadableError, match="not valid utf-8"):
        extract("html", b"<p>\xff", "utf-8")


def test_deep_html_is_read_and_html_nested_without_end_is_read_or_refused():
    assert extract("html", b"<div>" * 1000 + b"deep").text == "deep\n"
    with contextlib.suppress(UnreadableError):  # by newer versions of the parser
        assert extract("html", b"<div>" * 100_000 + b"deep").text == "deep\n"


def test_html_without_text_is_refused():
    assert reason("html", b"<html><head><title>x</title></head></html>") == "no text"
    assert reason("html", b"<!-- -->") == "no text"


# All of them


@pytest.mark.parametrize("kind", sorted(FORMATS))
@given(st.binary(max_size=60))
def test_any_bytes_give_a_text_or_a_reason(kind, data):
    with contextlib.suppress(UnreadableError):
        assert extract(kind, data).text.strip()
