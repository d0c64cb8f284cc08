"""Section and paragraph of documents with headings."""

from __future__ import annotations

import pytest

from likewise.documents import Document
from likewise.documents.formats import extract
from likewise.documents.formats.outline import Outline
from tests.documents.makers import make_docx, make_epub, make_odt, make_zip, word_paragraph


def places(document: Document, *words: str) -> list[str]:
    """Where each of these words is cited."""
    return [
        document.reference(at, at + len(word))
        for word in words
        for at in (document.text.index(word),)
    ]


def styled(style: str, text: str) -> str:
    """A paragraph of a Word document with a style."""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


# As Word writes them: German names of styles, English names of what they are.
STYLES = (
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/>'
    '<w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/>'
    '<w:basedOn w:val="berschrift2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Outlined"><w:name w:val="Outlined"/>'
    '<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Round"><w:name w:val="r"/><w:basedOn w:val="Round"/>'
    "</w:style>"
)


def test_headings_of_docx_are_those_of_its_styles() -> None:
    body = (
        word_paragraph("An abstract.")
        + styled("berschrift1", "Methods")
        + word_paragraph("First.")
        + word_paragraph("")
        + word_paragraph("Second.")
        + styled("berschrift2", "Sampling")
        + word_paragraph("Third.")
        + styled("Mine", "Measuring")
        + f"<w:tbl><w:tr><w:tc>{word_paragraph('Cell')}</w:tc></w:tr></w:tbl>"
        + styled("Round", "Fourth.")
        + styled("Outlined", "Results")
        + word_paragraph("Fifth.")
        + '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>By hand</w:t></w:r></w:p>'
        + word_paragraph("Sixth.")
    )
    note = f'<w:footnote w:id="1">{word_paragraph("A note.")}</w:footnote>'
    document = extract("docx", make_docx(body, styles=STYLES, footnotes=note))
    assert places(document, "An abstract", "Methods", "First", "Second", "Third", "Cell", "Fourth",
                  "Fifth", "Sixth", "A note") == [
        "¶ 1", "Methods", "Methods ¶ 1", "Methods ¶ 2", "Methods › Sampling",
        "Methods › Measuring ¶ 1", "Methods › Measuring ¶ 2", "Results", "Results › By hand", "",
    ]  # fmt: skip
    text = document.text
    assert document.reference(text.index("First"), text.index("Second") + 3) == "Methods ¶ 1–2"
    assert document.reference(text.index("Second"), text.index("Third") + 3) == (
        "Methods ¶ 2 – Methods › Sampling"
    )


def test_hidden_text_moves_no_reference() -> None:
    hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen words</w:t></w:r></w:p>"
    title = styled("berschrift1", "Methods").replace(
        "</w:p>", "<w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r></w:p>"
    )
    body = hidden + title + word_paragraph("Enough text that is seen.") * 9
    document = extract("docx", make_docx(body + hidden * 2 + word_paragraph("Last"), styles=STYLES))
    assert "unseen" not in document.text
    assert document.references is not None
    assert [document.text[at:].split()[0] for at in document.references.offsets[:3]] == [
        "Methods", "Enough", "Enough",
    ]  # fmt: skip
    assert places(document, "Last") == ["¶ 10"]


def test_text_that_is_nearly_all_hidden_keeps_its_references() -> None:
    hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{}</w:t></w:r></w:p>"
    long = hidden.format("words that nobody sees " * 20)
    body = (
        styled("berschrift1", "A") + long + word_paragraph("b")
        + styled("berschrift1", "C") + word_paragraph("d")
    )  # fmt: skip
    document = extract("docx", make_docx(body, styles=STYLES))
    assert "nobody" in document.text
    assert places(document, "b\n", "d\n") == ["A", "C"]


def test_headings_of_odt_have_levels() -> None:
    body = (
        '<text:h text:outline-level="1">One</text:h><text:p>First.</text:p><text:p>Second.</text:p>'
        '<text:h text:outline-level="2">Two</text:h><text:p>Third.<text:note><text:note-body>'
        "<text:p>A note.</text:p></text:note-body></text:note></text:p>"
        "<text:h>Three</text:h><text:p>Fourth.</text:p>"
    )
    assert places(extract("odt", make_odt(body)), "First", "Second", "Third", "Fourth", "note") == [
        "One ¶ 1", "One ¶ 2", "One › Two", "Three", "",
    ]  # fmt: skip


def test_headings_of_html_give_sections() -> None:
    page = """<!doctype html><title>T</title><body><h1>The <i>river</i></h1><p>Before.</p>
    <h2>Upper<br>course</h2><p>One<br>two.</p><ul><li>Three.</li></ul>
    <h2>Lower course</h2><div>Four.</div><h3></h3><h3>Delta</h3><p>Five.</p></body>"""
    assert places(extract("html", page.encode()), "Before", "One", "two", "Three", "Four",
                  "Five") == [
        "¶ 1", "Upper course ¶ 1", "Upper course ¶ 1", "Upper course ¶ 2", "Lower course",
        "Lower course › Delta",
    ]  # fmt: skip


def test_headings_of_epub_go_on_from_part_to_part() -> None:
    book = make_epub(
        {
            "cover.xhtml": "<html><body><h1>A book</h1></body></html>",
            "1.xhtml": "<html><body><h2>Chapter One</h2><p>It was.</p><p>It is.</p></body></html>",
            "1b.xhtml": "<html><body><p>It will be.</p></body></html>",
            "2.xhtml": "<html><body><h2>Chapter Two</h2><h3>Night</h3><p>Dark.</p></body></html>",
        }
    )
    document = extract("epub", book)
    assert places(document, "It was", "It is", "It will", "Dark") == [
        "Chapter One ¶ 1", "Chapter One ¶ 2", "Chapter One ¶ 3", "Chapter Two › Night",
    ]  # fmt: skip
    assert str(document.place(document.text.index("Dark"))) == "Chapter Two › Night, page 4"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("html", b"<p>One.</p><p>Two.</p>"),
        ("docx", make_docx(word_paragraph("One.") + word_paragraph("Two."))),
        ("odt", make_odt("<text:p>One.</text:p>")),
        ("epub", make_epub({"a.xhtml": "<html><body><p>One.</p></body></html>"})),
    ],
)
def test_without_headings_there_are_pages_and_lines(kind: str, data: bytes) -> None:
    assert extract(kind, data).references is None


def test_styles_that_cannot_be_read_are_no_headings() -> None:
    main = make_docx(styled("berschrift1", "Methods") + word_paragraph("First."))
    assert extract("docx", main).references is None
    broken = {"word/document.xml": "<w:document xmlns:w='w'><w:body><w:p><w:r><w:t>x</w:t></w:r>"
              "</w:p></w:body></w:document>", "word/styles.xml": "<broken",
              "[Content_Types].xml": "<Types/>"}  # fmt: skip
    assert extract("docx", make_zip(broken)).text == "x\n"


def test_a_single_heading_is_a_title_and_no_section() -> None:
    outline = Outline()
    outline.heading(1, "The river", 0)
    for position in (10, 20, 30):
        outline.paragraph(position)
    found = outline.references()
    assert found is not None
    assert found.between(10, 25) == "¶ 1–2"


def test_headings_of_one_level_are_all_sections() -> None:
    outline = Outline()
    for number, title in enumerate(("One", "Two")):
        outline.heading(1, title, 20 * number)
        outline.paragraph(20 * number + 10)
    found = outline.references()
    assert found is not None
    assert [str(found.at(at)) for at in (10, 30)] == ["One", "Two"]
