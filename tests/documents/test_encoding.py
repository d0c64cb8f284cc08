"""Which encoding a text is in."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Note, Reader, encoding, read_text, stream
from likewise.errors import DocumentError, SourceError

FRENCH = "L'été dernier, Hélène a préféré déjeuner à la forêt ; c'était « très agréable ».\n"
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая — по-своему.\n"
JAPANESE = "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。\n"
SHAPES = ["lines", "whole"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding_and_is_no_part_of_the_text(
    write, collect, name, shape
):
    write("a.txt", (FRENCH + "日本").encode(name))
    got = collect("a.txt", shape=shape)
    assert "".join(got.texts) == (FRENCH.rstrip() if shape == "lines" else FRENCH) + "日本"
    assert got.notes == []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("text", "name"), [(FRENCH, "cp1252"), (RUSSIAN, "cp1251"), (JAPANESE, "cp932")]
)
def test_another_encoding_is_detected_and_told(write, collect, text, name, shape):
    write("a.txt", b"plain\n" * 9 + text.encode(name))
    got = collect("a.txt", shape=shape)
    assert "".join(got.texts).endswith(text.rstrip() if shape == "lines" else text)
    assert got.notes == [f"a.txt: read as {name}"]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_few_damaged_places_do_not_make_utf8_another_encoding(write, collect, shape):
    data = (FRENCH * 5).encode()
    write("a.txt", data + b"caf\xe9\n" + data)
    got = collect("a.txt", shape=shape)
    assert "caf\ufffd" in "".join(got.texts)
    assert "été" in "".join(got.texts)
    assert got.notes == ["a.txt: 1 place is not valid utf-8, and read as U+FFFD"]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_encoding_given_by_the_user_is_taken(write, collect, shape):
    write("a.txt", FRENCH.encode("cp437", "replace"))
    text = "".join(collect("a.txt", encoding="cp437", shape=shape).texts)
    assert text.startswith("L'été dernier")


@pytest.mark.parametrize("shape", SHAPES)
def test_bytes_that_are_not_in_the_encoding_given_are_an_error(write, shape):
    write("a.txt", FRENCH.encode("cp1252"))
    with pytest.raises(SourceError, match=r"a\.txt: not valid utf-8") as caught:
        list(Reader("a.txt", encoding="utf-8", shape=shape))
    assert "--encoding" in (caught.value.hint or "")


def test_utf16_without_a_mark_needs_to_be_named(write, collect):
    write("a.txt", FRENCH.encode("utf-16-le"))
    with pytest.raises(SourceError, match="binary file") as caught:
        list(Reader("a.txt"))
    assert "utf-16-le" in (caught.value.hint or "")
    assert collect("a.txt", encoding="utf-16-le").texts == [FRENCH.rstrip()]


def test_what_fits_no_encoding_is_skipped(write, collect):
    write("essays/a.txt", "a")
    write("essays/b.txt", bytes(range(128, 256)) * 20 + b"\x81\x8d\x8f\x90\xff\xfe" * 20)
    got = collect("essays")
    assert got.ids == ["a.txt"]
    assert got.skipped == ["essays/b.txt: not UTF-8, nor any encoding that is known"]


@pytest.mark.parametrize("at", [-3, -2, -1, 0, 1])
def test_a_character_cut_by_the_end_of_a_block_is_whole_again(write, collect, at):
    text = "x" * (stream.BLOCK + at) + "€uro😀"
    write("a.txt", text)
    assert collect("a.txt").texts == [text]


def test_late_bytes_of_another_encoding_are_read_in_it(write, collect):
    """ASCII is the same in both, so nothing read before was wrong."""
    write("a.txt", b"plain\n" * (stream.BLOCK // 3) + FRENCH.encode("cp1252"))
    got = collect("a.txt")
    assert got.texts[-1] == FRENCH.rstrip()
    assert got.notes[-1] == "a.txt: read as cp1252"


@pytest.mark.parametrize("before", ["x" * 1_000_000 + "\n", "plain " * 100_000])
def test_a_long_stretch_of_ascii_before_does_not_spoil_the_guess(write, collect, before):
    write("a.md", (before + FRENCH).encode("cp1252"))
    got = collect("a.md")
    assert got.texts == [before + FRENCH]
    assert got.notes == ["a.md: read as cp1252"]


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_all_text_in_utf8_is_read_as_it_is(text):
    if text[:1] != "\ufeff" and not text.startswith(("%PDF-", "BZh", "Rar!", "PAR1", "GIF8")):
        assert encoding.decode(text.encode(), "a") == (text, None)


@given(st.binary())
def test_bytes_give_a_text_or_a_document_error(data):
    try:
        text, _ = encoding.decode(data, "a")
    except DocumentError:
        return
    text.encode()


def test_read_text_gives_a_file_and_its_notes(write):
    write("a.txt", FRENCH.encode("cp1252"))
    assert read_text("a.txt") == (FRENCH, [Note("a.txt", "read as cp1252")])


def test_read_text_says_what_is_wrong(write):
    write("d/a.txt", b"\x89PNG")
    with pytest.raises(DocumentError, match=r"d/a\.txt: binary file \(PNG\)"):
        read_text("d/a.txt")
    with pytest.raises(SourceError, match="gone: no such file"):
        read_text("gone")
    with pytest.raises(SourceError, match="d: a folder"):
        read_text("d")


def test_read_text_loads_no_heavy_library(write):
    write("a.txt", "hello")
    code = (
        "import sys; from likewise.documents import read_text; print(read_text('a.txt')[0]);"
        "print([m for m in ('numpy', 'pyarrow', 'charset_normalizer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "hello\n[]\n"
