"""RTF: text, encodings, what is left out, and input that nobody should have written."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.formats.rtf import MAX_DEPTH, extract_rtf
from likewise.documents.unreadable import UnreadableError


def rtf(body: str, head: str = r"\ansi\ansicpg1252") -> bytes:
    return rf"{{\rtf1{head} {body}}}".encode("latin-1")


def text_of(body: str, head: str = r"\ansi\ansicpg1252") -> str:
    return extract_rtf(rtf(body, head)).text


def test_paragraphs_are_lines():
    assert text_of(r"One {\b bold} word.\par Another\line line.\par") == (
        "One bold word.\nAnother\nline.\n"
    )


def test_lines_of_the_file_mean_nothing():
    assert text_of("so\r\n on and \nso on\\par\r\n") == "so on and so on\n"


@pytest.mark.parametrize(
    ("body", "head", "text"),
    [
        (r"caf\'e9 \'93so\'94", r"\ansi\ansicpg1252", "café “so”"),
        (r"\'c4\'e0", r"\ansi\ansicpg1251", "Да"),
        (r"\'8e", r"\mac", "é"),
        (r"{\fonttbl{\f0\fcharset0 A;}{\f7\fcharset204 B;}}a\f7\'c4\'e0\f0 b", r"\ansi", "aДаb"),
        (r"\'93\'fa\'96{}\'7b", r"\ansi\ansicpg932", "日"),
        (r"\'93\'fa\'96\'7b", r"\ansi\ansicpg932", "日本"),
        (r"\u8364? \u-10179?\u-8704? x", r"\ansi", "€ 😀 x"),
        (r"\uc0\u233 t\u233", r"\ansi", "été"),
        (r"\uc2\u26085\'93\'fa!", r"\ansi", "日!"),
        (r"{\uc0 \u233}\u233\'e9.", r"\ansi", "éé."),
        (r"a\emdash b\rquote s \{x\} \\ y\~z\_w\-v", r"\ansi", "a—b’s {x} \\ y\xa0z-wv"),
    ],
)
def test_signs_are_read_in_every_way_of_writing_them(body, head, text):
    assert text_of(body, head).startswith(text)


def test_what_is_no_text_of_the_document_is_left_out():
    body = (
        r"{\fonttbl{\f0 Arial;}}{\colortbl;\red1\green2\blue3;}{\stylesheet{\s0 Normal;}}"
        r"{\info{\title No}{\author Nobody}}{\*\generator Program 1.0;}{\header Head}{\footer Foot}"
        r"{\pict\pngblip 89504e47}{\field{\*\fldinst HYPERLINK x}{\fldrslt shown}} "
        r"{\listtext 1.\tab}text{\*\annotation comment} {\deleted gone}here"
    )
    assert text_of(body) == "shown text here\n"


def test_bytes_that_follow_bin_are_passed_over():
    assert extract_rtf(b"{\\rtf1 a{\\pict\\bin5 }}{{\\}b\\par}").text == "ab\n"


def test_footnotes_come_at_the_end():
    assert text_of(r"Text{\footnote A note.} goes on.\par") == "Text goes on.\nA note.\n"


def test_rows_of_tables_are_lines():
    row = r"\trowd\cellx1\cellx2\pard\intbl {}\cell {}\par more\cell\row "
    assert text_of(row.format("a", "b") + r"\pard end\par") == "a\tb more\nend\n"


def test_hidden_white_and_tiny_text_is_left_out_and_reported():
    body = (
        r"{\colortbl;\red255\green255\blue255;\red0\green0\blue0;}What everybody sees is here. "
        r"{\v hidden}{\cf1 white}{\fs3 tiny}{\cf1\highlight2 on black}{\cf2 black}\par"
    )
    found = extract_rtf(rtf(body))
    assert found.text == "What everybody sees is here. on blackblack\n"
    assert [(one.text, one.why) for one in found.hidden] == [
        ("hidden", "invisible"), ("white", "white"), ("tiny", "tiny"),
    ]  # fmt: skip


def test_deep_nesting_is_refused_and_a_file_that_is_cut_short_is_read():
    with pytest.raises(UnreadableError, match="nested too deeply"):
        extract_rtf(b"{\\rtf1 " + b"{" * (MAX_DEPTH + 1))
    found = extract_rtf(b"{\\rtf1 the beginning {\\b of")
    assert found.text == "the beginning of\n"
    assert found.notes == ("truncated; read up to its end",)


def test_a_file_without_text_says_so():
    with pytest.raises(UnreadableError, match="no text"):
        extract_rtf(rb"{\rtf1{\info{\title x}}\par}")


def test_rtf_is_known_by_its_content(write, collect):
    write("d/a.rtf", rtf(r"one\par"))
    write("d/b.doc", rtf(r"two\par"))
    write("d/c.txt", rtf(r"three\par"))
    got = collect("d")
    assert got.texts == ["one\n", "two\n", "three\n"]
    assert got.notes[0] == "d/b.doc: an RTF file despite its name; read as RTF"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufdd0\ufdd1")))
def test_any_text_written_as_unicode_is_read_as_it_is(text):
    units = text.encode("utf-16-le")
    body = "".join(
        rf"\u{int.from_bytes(units[at : at + 2], 'little', signed=True)}?"
        for at in range(0, len(units), 2)
    )
    assert text_of(body + "end") == text + "end\n"


@given(st.lists(st.sampled_from(
    ["{", "}", "\\par ", "\\u-5 ", "\\'e9", "x ", "\\*", "\\footnote ", "\\uc9 ", "\\bin3 ",
     "\\colortbl ", ";", "\\red9", "\\fonttbl ", "\\f99999999 ",
     "\\ansicpg7 ", "\\v ", "\\"])))  # fmt: skip
def test_odd_input_gives_a_text_or_a_reason(parts):
    with contextlib.suppress(UnreadableError):
        extract_rtf(b"{\\rtf1 " + "".join(parts).encode()).text.encode()
