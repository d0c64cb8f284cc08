from __future__ import annotations

import pytest

from likewise.documents import Hidden
from likewise.documents.document import Document
from likewise.documents.extraction.cache_entry import decode_outcome, encode_outcome
from likewise.documents.formats import extract
from likewise.documents.hidden_text import MAX_KEPT, Hiding
from tests.documents.makers import make_docx, make_drawn_pdf, make_odt, make_pdf, word_paragraph

PICTURE = (
    b"q 595 0 0 842 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q "  # grey, over all of the page
)


def line(text, y=700, before=b"0 g", size=12):
    return b"BT %s /F %g Tf 72 %d Td (%s) Tj ET " % (before, size, y, text)


# PDF


@pytest.mark.parametrize(
    ("before", "size", "why"),
    [
        (b"1 g", 12, "white"),
        (b"0.97 0.97 0.95 rg", 12, "white"),
        (b"0 g", 1.5, "tiny"),
        (b"0 g 3 Tr", 12, "invisible"),
        (b"0 g /G gs", 12, "transparent"),
    ],
)
def test_text_that_is_not_seen_in_a_pdf_is_left_out_and_reported(before, size, why):
    page = line(b"Above it", 750) + line(b"never seen", 700, before, size)
    data = make_drawn_pdf([page + b"/N gs " + line(b"Below it", 650, b"0 g 0 Tr")])
    got = extract("pdf", data)
    assert got.text.split() == ["Above", "it", "Below", "it"]
    (hidden,) = got.hidden
    assert hidden[1:] == ("never seen", why, 10)
    assert got.text[: hidden.offset].split() == ["Above", "it"]
    assert got.notes == (f"9 characters of {why} text, excluded",)


def test_white_text_on_a_dark_ground_is_seen():
    ground = b"0.1 g 60 680 300 60 re f "
    got = extract("pdf", make_drawn_pdf([ground + line(b"white on dark", 700, b"1 g")]))
    assert (got.text, got.hidden, got.notes) == ("white on dark\n", (), ())


def test_white_text_on_a_white_box_on_a_dark_ground_is_not():
    boxes = b"0.1 g 40 640 400 150 re f 1 g 60 680 300 60 re f "
    page = boxes + line(b"white on white", 700, b"1 g") + line(b"Seen", 100)
    got = extract("pdf", make_drawn_pdf([page]))
    assert got.text.strip() == "Seen"
    assert [hidden.text for hidden in got.hidden] == ["white on white"]


def test_white_letters_in_the_place_of_spaces_keep_words_apart():
    page = b"BT /F 12 Tf 72 700 Td (one) Tj 1 g (x) Tj 0 g (two) Tj 1 g (y) Tj 0 g ( three) Tj ET"
    got = extract("pdf", make_drawn_pdf([page]))
    assert got.text == "one two three\n"
    assert [hidden[:3] for hidden in got.hidden] == [(3, "x", "white"), (7, "y", "white")]


def test_text_recognised_over_a_picture_of_a_page_is_its_text():
    recognised = line(b"recognised text of the page", 700, b"3 Tr")
    stamp = line(b"from a library", 40, b"0 g 0 Tr")
    got = extract("pdf", make_drawn_pdf([PICTURE + recognised + stamp]))
    assert got.text.split("\n")[0] == "recognised text of the page"
    assert got.hidden == ()


def test_a_page_of_hidden_text_alone_is_kept_and_reported():
    got = extract("pdf", make_drawn_pdf([line(b"One"), line(b"only white text", 700, b"1 g")]))
    assert got.text == "One\nonly white text\n"
    assert got.hidden == ()
    assert got.notes == ("1 of 2 pages has only invisible text; kept",)


def test_text_beside_the_page_is_reported():
    beside = b"BT 0 g /F 12 Tf -900 600 Td (far away from what anybody sees) Tj ET"
    got = extract("pdf", make_drawn_pdf([line(b"Seen") + beside]))
    assert got.text.strip() == "Seen"
    assert got.notes == ("26 characters of text outside the page, excluded",)


def test_hidden_text_on_a_later_page_has_its_place_in_the_whole_text():
    second = line(b"Two", 700) + line(b"gone", 650, b"1 g") + line(b"Three", 600)
    got = extract("pdf", make_drawn_pdf([line(b"One"), second]))
    (hidden,) = got.hidden
    assert got.text[: hidden.offset].split() == ["One", "Two"]
    assert got.text[hidden.offset :].split() == ["Three"]
    assert got.page_starts == (0, 4)


def test_an_ordinary_pdf_has_nothing_hidden():
    assert extract("pdf", make_pdf([["One line"], ["Two"]])).hidden == ()


# DOCX


def run(text, properties=""):
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


WHITE = '<w:color w:val="FFFFFF"/>'
DARK = '<w:shd w:val="clear" w:fill="202020"/>'


@pytest.mark.parametrize(
    ("properties", "why"),
    [("<w:vanish/>", "invisible"), (WHITE, "white"), ('<w:sz w:val="2"/>', "tiny"),
     ('<w:rStyle w:val="Ghost"/>', "white"), ('<w:color w:val="FDFDFD"/>', "white")],
)  # fmt: skip
def test_text_that_is_not_seen_in_a_docx_is_left_out_and_reported(properties, why):
    styles = (
        '<w:style w:type="character" w:styleId="Ghost"><w:basedOn w:val="Base"/></w:style>'
        f'<w:style w:type="character" w:styleId="Base"><w:rPr>{WHITE}</w:rPr></w:style>'
    )
    body = f"<w:p>{run('Seen ')}{run('not this', properties)}{run(' again')}</w:p>"
    got = extract("docx", make_docx(body, styles=styles))
    assert got.text == "Seen  again\n"
    assert got.hidden == (Hidden(5, "not this", why, 8),)
    assert got.notes == (f"7 characters of {why} text, excluded",)


def test_hidden_paragraphs_and_what_is_shown_in_them():
    styles = '<w:style w:type="paragraph" w:styleId="P"><w:rPr><w:vanish/></w:rPr></w:style>'
    hidden = '<w:p><w:pPr><w:pStyle w:val="P"/></w:pPr>{}</w:p>'.format
    shown = '<w:vanish w:val="0"/>'
    body = word_paragraph("One") + hidden(run("gone") + run("two", shown)) + word_paragraph("Three")
    got = extract("docx", make_docx(body, styles=styles))
    assert got.text == "One\ntwo\nThree\n"
    assert got.hidden == (Hidden(4, "gone", "invisible", 4),)


@pytest.mark.parametrize(
    "body",
    [
        f"<w:p>{run('white', WHITE + DARK)}</w:p>",
        f'<w:p>{run("white", WHITE + """<w:highlight w:val="black"/>""")}</w:p>',
        f"<w:p><w:pPr>{DARK}</w:pPr>{run('white', WHITE)}</w:p>",
        f"<w:tbl><w:tr><w:tc><w:tcPr>{DARK}</w:tcPr>"
        f"<w:p>{run('white', WHITE)}</w:p></w:tc></w:tr></w:tbl>",
        '<w:tbl><w:tblPr><w:tblStyle w:val="T"/></w:tblPr><w:tr><w:tc>'
        f"<w:p>{run('white', WHITE)}</w:p></w:tc></w:tr></w:tbl>",
        f"<w:p><w:r><w:txbxContent><w:p>{run('white', WHITE)}</w:p></w:txbxContent></w:r></w:p>",
        f'<w:background w:color="003366"/><w:p>{run("white", WHITE)}</w:p>',
    ],
)
def test_white_text_on_a_ground_in_a_docx_is_seen(body):
    styles = (
        '<w:style w:type="table" w:styleId="T"><w:tblStylePr w:type="firstRow"><w:tcPr>'
        f"{DARK}</w:tcPr></w:tblStylePr></w:style>"
    )
    more = word_paragraph("and the rest of the document, which is seen as well")
    got = extract("docx", make_docx(body + more, styles=styles))
    assert "white" in got.text
    assert got.hidden == ()


def test_a_docx_of_hidden_text_alone_is_kept():
    got = extract("docx", make_docx(f"<w:p>{run('all of it', WHITE)}</w:p>"))
    assert (got.text, got.hidden) == ("all of it\n", ())


# ODT


def test_text_that_is_not_seen_in_an_odt_is_left_out_and_reported():
    styles = "".join(
        f'<style:style style:name="{name}"><style:text-properties {look}/></style:style>'
        for name, look in (
            ("W", 'fo:color="#ffffff"'),
            ("D", 'fo:color="#ffffff" fo:background-color="#000000"'),
            ("T", 'fo:font-size="1pt"'),
            ("H", 'text:display="none"'),
        )
    )
    spans = "".join(
        f'<text:span text:style-name="{name}">{text}</text:span> '
        for name, text in (("W", "white"), ("D", "dark"), ("T", "tiny"), ("H", "hidden"))
    )
    names = 'xmlns:style="style" xmlns:fo="fo"'
    data = make_odt(f"<text:p>Seen {spans}again</text:p><text:x {names}>{styles}</text:x>")
    got = extract("odt", data)
    assert got.text.split() == ["Seen", "dark", "again"]
    assert [(hidden.text, hidden.why) for hidden in got.hidden] == [
        ("white", "white"), ("tiny", "tiny"), ("hidden", "invisible"),
    ]  # fmt: skip


# On the way


def test_hidden_text_outlives_the_cache_and_earlier_entries_can_be_read():
    extracted = Document("one two\n", (0,), ("a note",), (Hidden(3, "x\ud800y", "white", 3),))
    back = decode_outcome(encode_outcome(extracted))
    assert back.hidden == (Hidden(3, "x\ufffdy", "white", 3),)
    assert decode_outcome(encode_outcome(Document("one\n"))) == Document("one\n")


def test_batches_carry_what_is_hidden(write, collect):
    write("d/a.txt", "plain")
    write("d/b.docx", make_docx(f"<w:p>{run('Seen ')}{run('not this', WHITE)}</w:p>"))
    write("d/c.docx", make_docx(word_paragraph("seen")))
    for _ in range(2):  # the second time from the cache
        got = collect("d")
        (batch,) = got.batches
        assert batch.hidden == [(), (Hidden(5, "not this", "white", 8),), ()]
        assert got.notes == ["d/b.docx: 7 characters of white text, excluded"]
    write("e/a.docx", make_docx(word_paragraph("seen")))
    assert [batch.hidden for batch in collect("e").batches] == [None]


def test_what_is_kept_is_bounded_and_all_is_counted():
    hiding = Hiding()
    text = "".join(f"seen {hiding.mark('y' * 300, 'tiny')} text\n" for _ in range(500))
    seen = hiding.settle("many words that are seen " * 1000 + text)
    assert seen.count("seen  text") == 500
    assert len(hiding.hidden) == MAX_KEPT
    assert {(len(hidden.text), hidden.length) for hidden in hiding.hidden} == {(200, 300)}
    assert hiding.notes() == ["150000 characters of tiny text, excluded"]
