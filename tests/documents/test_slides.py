"""PPTX: slides, tables, notes; what is left out; what is damaged."""

import pytest

from likewise.documents.formats.pptx import extract_pptx
from likewise.documents.unreadable import UnreadableError
from tests.documents.makers import make_pptx, make_zip, slide_shape


def test_slides_come_in_the_order_of_the_presentation_and_are_pages():
    slides = {"slide2": slide_shape("Title", "First point"), "slide1": slide_shape("Second")}
    found = extract_pptx(make_pptx(slides))
    assert found.text == "Title\nFirst point\nSecond\n"
    assert found.page_starts == (0, 18)


def test_notes_follow_their_slide():
    slides = {"a": slide_shape("One"), "b": slide_shape("Two")}
    notes = {"a": slide_shape("what to say") + slide_shape("1", kind="sldNum")}
    assert extract_pptx(make_pptx(slides, notes)).text == "One\nwhat to say\nTwo\n"


def test_rows_of_tables_are_lines():
    cell = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"
    rows = "".join(f"<a:tr>{cell.format(a)}{cell.format(b)}</a:tr>" for a, b in ("ab", "cd"))
    slide = f"<p:graphicFrame><a:graphic><a:tbl>{rows}</a:tbl></a:graphic></p:graphicFrame>"
    assert extract_pptx(make_pptx({"s": slide})).text == "a\tb\nc\td\n"


def test_footers_dates_and_numbers_of_slides_are_left_out():
    slide = slide_shape("Text") + "".join(
        slide_shape("no text", kind=kind) for kind in ("ftr", "dt", "sldNum", "hdr")
    )
    slide += '<p:sp><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:sp>'
    assert extract_pptx(make_pptx({"s": slide})).text == "Text\n"


def test_hidden_shapes_are_hidden_text():
    slide = slide_shape("What is seen by everybody") + slide_shape("secret", hidden="1")
    found = extract_pptx(make_pptx({"s": slide}))
    assert found.text.strip() == "What is seen by everybody"
    assert [(one.text, one.why) for one in found.hidden] == [("secret", "invisible")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (make_pptx({"s": ""}), "no text"),
        (make_pptx({"s": slide_shape("x")})[:-30], "damaged"),
        (make_pptx({"s": "<a:p>"}), "damaged"),
        (make_pptx({"s": "<x>" * 400 + "</x>" * 400}), "damaged"),
        (make_zip({"a": "b"}), "not a PowerPoint presentation"),
        (make_pptx({"s": slide_shape("x" * 3_000_000)}), "zip bomb"),
        (
            make_zip({"ppt/presentation.xml": '<a xmlns:r="r"><sldId r:id="1"/></a>'}),
            "damaged",
        ),
    ],
)
def test_what_cannot_be_read_says_why(data, reason):
    with pytest.raises(UnreadableError, match=reason):
        extract_pptx(data)


def test_a_presentation_is_read_by_its_content_and_its_name(write, collect):
    slides = make_pptx({"s": slide_shape("Some words")})
    write("d/a.pptx", slides)
    write("d/b.pdf", slides)
    got = collect("d")
    assert got.by_id == {"a.pptx": "Some words\n", "b.pdf": "Some words\n"}
    assert got.notes == ["d/b.pdf: a PowerPoint presentation despite its name; read as PPTX"]
