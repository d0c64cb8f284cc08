"""TEI, OSIS and USFM: what is read of an edition, and how its places are cited."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.documents import Document, read_document
from likewise.documents.formats import extract
from likewise.documents.references import MAX_MARKS
from likewise.documents.unreadable import UnreadableError
from likewise.errors import DocumentError
from tests.documents.editions import CLASSIC, GOSPEL, NOVEL, OSIS, PLAY, USFM, tei


def places(document: Document, *words: str) -> list[str]:
    """Where each of these words is cited."""
    return [
        document.reference(at, at + len(word))
        for word in words
        for at in (document.text.index(word),)
    ]


def reason(kind: str, data: bytes) -> UnreadableError:
    with pytest.raises(UnreadableError) as caught:
        extract(kind, data)
    return caught.value


# TEI


def test_a_play_is_cited_by_act_scene_and_line() -> None:
    play = extract("xml", PLAY)
    assert play.references is not None
    assert play.references.scheme == "lines"
    assert play.text.splitlines() == [
        "The Tragedy of the Miller", "To my patron", "My lord, this play is small.",
        "Yet it is yours.", "A miller", "His wife", "The Tragedy of the Miller", "Prologue",
        "Two mills, alike in water and in stone,",
        "stand by a brook that neither calls its own.", "ACT I", "SCENE I. The mill.",
        "Enter the MILLER and his WIFE.", "MILLER",
        "The wheel has stopped; the river has no breath,",
        "and silence is the miller’s little death.", "Say, is there flour?", "WIFE",
        "There is aside a little left.", "Of bread and hope we are not yet bereft.",
        "SCENE II. A road.", "CARRIER", "I carry what I am given to carry, sir, and ask no more.",
        "MILLER", "Then carry this.", "ACT II", "SCENE I. The brook.", "WIFE", "It runs again.",
    ]  # fmt: skip
    assert places(play, "My lord", "Two mills", "The wheel", "and silence", "Say, is", "There is",
                  "Of bread", "SCENE II", "Then carry", "ACT II", "It runs") == [
        "Dedication ¶ 1", "Prologue 1", "1.1.1", "1.1.2", "1.1.3", "1.1.3", "1.1.4", "1.2",
        "1.2.1", "2", "2.1.1",
    ]  # fmt: skip
    start = play.text.index("wheel")
    assert play.reference(start, play.text.index("There is")) == "1.1.1–3"
    assert play.reference(start, play.text.index("this.")) == "1.1.1–1.2.1"
    assert play.notes == ("1 note and 1 other reading excluded",)


def test_the_name_of_a_speaker_belongs_to_his_first_line() -> None:
    play = extract("xml", PLAY)
    at = play.text.index("MILLER\nThe wheel")
    assert play.reference(at, at + 10) == "1.1.1"


def test_a_gospel_with_milestones_is_cited_by_chapter_and_verse() -> None:
    gospel = extract("xml", GOSPEL)
    assert places(gospel, "In those days", "said", "This is", "A voice", "And all", "Then he") == [
        "Mt 3,1", "Mt 3,2", "Mt 3,3", "Mt 3,4", "Mt 3,4", "Mt 4,1",
    ]  # fmt: skip
    assert gospel.reference(gospel.text.index("said"), gospel.text.index("waste")) == "Mt 3,2–4"
    assert gospel.reference(gospel.text.index("waste"), len(gospel.text)) == "Mt 3,4–4,1"
    # The edition begins with page 12: a count of its pages would give others.
    assert gospel.page_starts is None


def test_prose_is_cited_by_its_headings_and_paragraphs() -> None:
    assert places(extract("xml", NOVEL), "It was", "Nobody", "On the") == [
        "In which nothing happens ¶ 1", "In which nothing happens ¶ 2", "Chapter 2",
    ]  # fmt: skip


def test_a_classic_is_cited_by_book_chapter_and_section() -> None:
    classic = extract("xml", CLASSIC)
    assert places(classic, "Insula", "Hi omnes") == ["1.1.1", "1.1.2"]


@pytest.mark.parametrize(
    ("body", "word", "place"),
    [
        ('<body><ab><lb n="1"/>DIS <lb n="2" break="no"/>MANIBVS</ab></body>', "MAN", "2"),
        ('<body><div type="canto" n="IV"><lg><l>a</l><l>b</l></lg></div></body>', "b", "4.2"),
        ('<body><lg n="2"><l>a</l></lg><lg n="3"><l>b</l><l>c</l></lg></body>', "c", "3.2"),
        ('<body><div><head>Ode</head><lg><l>a</l><l>b</l></lg></div></body>', "b", "Ode 2"),
        ('<body><div type="chapter" n="2"><ab n="7">a</ab><ab n="8">b</ab></div></body>', "b",
         "2,8"),
        ('<body><div type="chapter" n="2"><p><seg type="verse" n="7">a</seg> b</p></div></body>',
         "a", "2,7"),
        ('<body><div type="book" n="Gen"><div type="chapter" n="1"><div type="verse" n="3"><p>a'
         "</p></div></div></div></body>", "a", "Gen 1,3"),
        ('<body><p n="4">a</p><p n="5">b</p></body>', "b", "5"),
        ('<body><pb n="213"/><p>a</p><p>b <pb n="214"/>c</p></body>', "c", "p. 214"),
        ('<body><pb n="12r"/><p>a</p></body>', "a", "f. 12r"),
        ('<body><milestone unit="book" n="2"/><milestone unit="line" n="45"/>a</body>', "a",
         "2.45"),
        ('<group><text n="Ajax"><body><l n="3">a</l></body></text><text n="Electra"><body>'
         '<l n="4">b</l></body></text></group>', "b", "Electra 4"),
        ("<body><p>a</p><p>b</p></body>", "b", "¶ 2"),
    ],
)  # fmt: skip
def test_numbers_are_where_editors_put_them(body: str, word: str, place: str) -> None:
    assert places(extract("xml", tei(body)), word) == [place]


def test_a_word_that_a_line_or_page_cuts_is_whole() -> None:
    cut = 'con-<lb break="no"/>tinued with<lb/>out and con¬\n<pb break="no"/>fused'
    document = extract("xml", tei(f"<body><p>{cut}</p></body>"))
    assert document.text == "continued with\nout and confused\n"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('<p>one<pb break="yes"/>two<cb break="yes"/>three</p>', "one two three"),
        ('<p>fi<gb break="no"/>ve si<milestone unit="section" n="3" break="no"/>x</p>', "five six"),
        ('<p>Title<milestone unit="verse" n="1"/>Then</p>', "Title Then"),
        ("<p>lost<gap/>words<space/>apart</p>", "lost words apart"),
        ("<p><s>One</s><s>Two</s></p>", "One Two"),
        ("<p><cit><quote>Sing</quote><bibl>Hom.</bibl></cit> so</p>", "Sing Hom. so"),
        ("<listBibl><bibl>Alpha</bibl><bibl>Beta</bibl></listBibl>", "Alpha\nBeta"),
        ("<address><addrLine>High Street</addrLine><addrLine>Ely</addrLine></address>",
         "High Street\nEly"),
        ("<u>hello</u><u>yes</u>", "hello\nyes"),
        ("<castList><castItem><role>MOLL</role><roleDesc>a miller</roleDesc></castItem></castList>",
         "MOLL a miller"),
    ],
)  # fmt: skip
def test_words_that_the_file_does_not_part_are_apart(body: str, text: str) -> None:
    assert extract("xml", tei(f"<body>{body}</body>")).text == f"{text}\n"


def test_an_apparatus_that_is_apart_from_the_text_is_not_in_it() -> None:
    body = (
        '<body><p>In <anchor xml:id="a"/>the beginning<app from="#a"><lem>the</lem><rdg>a</rdg>'
        '</app> was</p><div type="apparatus"><app loc="1"><rdg>variant</rdg></app></div></body>'
    )
    document = extract("xml", tei(body))
    assert document.text == "In the beginning was\n"
    assert document.notes == ("2 other readings excluded",)


def test_a_song_in_a_novel_makes_no_poem_of_it() -> None:
    body = (
        '<body><div type="chapter" n="1"><head>In which<lb/>nothing happens</head><p>One day.</p>'
        "<p>He sang: <quote><lg><l>la la</l><l>lo lo</l></lg></quote> and slept.</p></div></body>"
    )
    novel = extract("xml", tei(body))
    title = "In which nothing happens"
    assert places(novel, "One", "lo lo", "slept") == [
        f"{title} ¶ 1",
        f"{title} ¶ 2",
        f"{title} ¶ 2",
    ]
    poem = "<body><lg><q><l>one</l><l>two</l></q><l>three</l></lg></body>"
    assert places(extract("xml", tei(poem)), "two", "three") == ["2", "3"]


def test_pages_are_counted_where_the_edition_counts_them_so() -> None:
    body = "<body><p>{}one</p><p>two{}three</p></body>"
    assert extract("xml", tei(body.format("<pb/>", "<pb/>"))).page_starts == (0, 7)
    assert extract("xml", tei(body.format('<pb n="1"/>', '<pb n="2"/>'))).page_starts == (0, 7)
    assert extract("xml", tei(body.format("", "<pb/>"))).page_starts == (0, 7)
    assert extract("xml", tei(body.format('<pb n="5"/>', '<pb n="6"/>'))).page_starts is None


def test_of_several_readings_the_first_is_read() -> None:
    body = (
        '<body><p>a <app><rdg wit="#A">one</rdg><rdg wit="#B">two</rdg></app> b <app><rdgGrp>'
        "<rdg>three</rdg><rdg>four</rdg></rdgGrp><rdgGrp><rdg>five</rdg></rdgGrp></app> "
        "<subst><del>old</del><add>new</add></subst> <choice><abbr>Dr</abbr><expan>Doctor</expan>"
        "</choice><del>gone</del></p></body>"
    )
    document = extract("xml", tei(body))
    assert document.text == "a one b three new Doctor\n"
    assert document.notes == ("3 other readings excluded",)


# Bibles


def test_osis_has_verses_as_elements_and_as_milestones() -> None:
    bible = extract("xml", OSIS)
    assert bible.text.splitlines() == [
        "MATTHEW", "The river", "In those days a man came to the river, and he said, Turn round.",
        "Then he was led up and was alone.", "For forty days.", "The beginning.",
    ]  # fmt: skip
    assert places(bible, "MATTHEW", "The river", "In those", "Turn", "Then", "alone", "forty",
                  "beginning") == [
        "Matt", "Matt 3", "Matt 3,1", "Matt 3,2", "Matt 4,1", "Matt 4,2–3", "Matt 4,2–3",
        "Mark 1,1",
    ]  # fmt: skip
    assert bible.reference(bible.text.index("alone"), len(bible.text)) == "Matt 4,2–3 – Mark 1,1"
    assert bible.notes == ("1 note excluded",)


def test_usfm_is_read_without_notes_and_markers() -> None:
    bible = extract("usfm", USFM.encode())
    assert bible.text.splitlines() == [
        "Matthew", "The river",
        "In those days a man came to the river, and he said, Turn round, for the day is near.",
        "A voice in the waste land:", "make the way straight.",
        "Then he was led up into the hills.", "The beginning.",
    ]  # fmt: skip
    assert places(bible, "Matthew", "In those", "Turn", "A voice", "straight", "Then",
                  "beginning") == [
        "Mt", "Mt 3,1", "Mt 3,2", "Mt 3,3–4", "Mt 3,3–4", "Mt 4,1", "Mark 1,1",
    ]  # fmt: skip
    assert bible.notes == ("2 notes excluded",)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\id MAT \c 1 \v 1 a\f + \ft never ends \v 2 b", "a b\n"),
        (r"\id MAT \c 1 \p \v 1 a \unknown b\unknown* c", "a b c\n"),
        (r"\id MAT \c 1 \p \v 1 a \w b|strong", "a b\n"),
        (r"\id MAT \c x \v y \p text", "x y\ntext\n"),
        (r"\id MAT \c 1 \p \v In the \v2 beginning", "In the beginning\n"),
        ('\\id MAT\\c 1\\v 1 a\\zaln-s | x="y"\\*b\\zaln-e\\*\\', "ab\\\n"),
    ],
)
def test_usfm_with_errors_keeps_its_words(source: str, text: str) -> None:
    found = extract("usfm", source.encode()).text
    assert found.split() == text.split() or found == text


def test_verses_of_usfm_that_are_put_together_are_a_range() -> None:
    bible = extract("usfm", rb"\id MAT \c 2 \p \v 4,5 one \v 6,7-9 two \v 10a three")
    assert places(bible, "one", "two", "three") == ["Matt 2,4–5", "Matt 2,6–9", "Matt 2,10a"]


def test_usfm_is_known_by_its_first_marker(tmp_path: Path) -> None:
    (tmp_path / "mat.txt").write_text(USFM, "utf-8")
    document, notes = read_document(tmp_path / "mat.txt", cache=False)
    assert places(document, "Turn") == ["Mt 3,2"]
    assert "a USFM Bible despite its name; read as USFM" in str(notes[0])


# What cannot be read


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"<article><p>text</p></article>", "neither TEI nor OSIS: its root is <article>"),
        (PLAY[:-200], "not well-formed XML: line "),
        (b"<TEI><text><p>a</text></TEI>", "line 1: mismatched tag"),
        (b"just text", "not well-formed XML: line 1: syntax error"),
        (b"", "not well-formed XML"),
        (tei("<body/>"), "no text"),
        (b'<?xml version="1.0" encoding="x-none"?><TEI/>', "unknown encoding"),
        (b"<TEI><text>" + b"<p>" * 1_000_000, "nested too deeply"),
        (
            b'<!DOCTYPE TEI [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><TEI><p>&b;</p></TEI>',
            "entity 'b' is long or contains other entities",
        ),
        (
            b'<!DOCTYPE TEI [<!ENTITY a "' + b"ha" * 10_000 + b'">]><TEI><p>&a;</p></TEI>',
            "entity 'a' is long",
        ),
        (
            b"<!DOCTYPE TEI [<!ENTITY % a \"<!ENTITY b '%c;'>\"> %a;]><TEI><p>&b;</p></TEI>",
            "line 1: illegal parameter entity reference",
        ),
    ],
)
def test_what_is_no_edition_is_refused(data: bytes, why: str) -> None:
    assert why in reason("xml", data).reason


def test_other_xml_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(b"<article><p>text</p></article>")
    with pytest.raises(DocumentError, match="neither TEI nor OSIS") as caught:
        read_document(tmp_path / "a.xml", cache=False)
    assert caught.value.hint == "convert it to TEI, or save its text as .txt"


def test_entities_are_letters_and_no_files(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", "utf-8")
    data = (
        f'<!DOCTYPE TEI SYSTEM "{secret.as_uri()}" [<!ENTITY thorn2 "&#xFE;"><!ENTITY other SYSTEM '
        f'"{secret.as_uri()}">]><TEI><text><p>&thorn2;e &mdash; &other;&none; end</p></text></TEI>'
    ).encode()
    document = extract("xml", data)
    assert document.text == "þe — end\n"
    assert document.notes == ("2 unresolved entity references excluded",)


def test_xhtml_called_xml_is_read_as_html() -> None:
    data = b'<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>T</h1><p>text</p></body></html>'
    assert extract("xml", data).text == "T\ntext\n"


def test_a_very_long_edition_keeps_its_words_and_not_all_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("likewise.documents.formats.marked_text.MAX_MARKS", 100)
    lines = "".join(f'<l n="{n}">line</l>' for n in range(1, 201))
    document = extract("xml", tei(f"<body>{lines}</body>"))
    assert document.text.count("line") == 200
    assert document.reference(0, len(document.text)) == "1–100"
    assert document.place(len(document.text) - 2).reference is None
    assert any("more than" in note for note in document.notes)


@pytest.mark.slow
def test_200_megabytes_are_read_or_refused_in_time(tmp_path: Path) -> None:
    line = '<l n="{}">And so the river ran, and ran, and ran, until the sea was all it knew.</l>\n'
    count = 200_000_000 // (len(line) + 4)
    data = tei("<body>" + "".join(line.format(n) for n in range(count)) + "</body>")
    (tmp_path / "long.xml").write_bytes(data)
    try:
        document, notes = read_document(tmp_path / "long.xml", cache=False)
    except DocumentError as error:
        if not error.reason.startswith("took longer than"):  # on a slow machine
            raise
        return
    assert document.text.count("\n") == count
    assert document.references is not None
    assert len(document.references.offsets) == MAX_MARKS + 1
    assert any("more than" in str(note) for note in notes)
