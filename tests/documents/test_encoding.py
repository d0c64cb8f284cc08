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
def test_another_encoding_is_detected_and_reported(write, collect, text, name, shape):
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
    assert got.notes == ["a.txt: 1 place is not valid utf-8 and was replaced by U+FFFD"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("quotes", [1, 9])
@pytest.mark.parametrize("stray", [b"\x93", b"\x96", b"\xff"])
def test_a_stray_byte_among_a_few_curly_quotes_does_not_make_utf8_another_encoding(
    write, collect, quotes, stray, shape
):
    words = "the captain’s log said nothing of the storm " * quotes
    write("a.txt", words.encode() + stray + b"again and again")
    got = collect("a.txt", shape=shape)
    assert got.texts == [words + "\ufffdagain and again"]
    assert got.notes[-1] == "a.txt: 1 place is not valid utf-8 and was replaced by U+FFFD"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("L’école et l’été d’Élise, à côté", "mac_roman"),
        ("l’école où il était", "mac_roman"),
        ("CAFÉ’S menu — “isn’t it”", "cp1252"),
        ("её ёлка объём", "koi8-r"),
        ("Гість «Європа» її", "cp1251"),
        ("るたるたてで、そして", "shift_jis"),
        ("人人生而自由在尊严和权利上", "gb18030"),
        ("人人生而自由在尊嚴和權利上", "big5"),
        ("모든 인간은 태어날 때부터", "euc-kr"),
        ("Zażółć gęślą jaźń", "cp1250"),
    ],
)
def test_short_text_in_another_encoding_is_not_taken_for_damaged_utf8(words, name):
    assert not encoding.is_mostly_utf8(words.encode(name))


ASCII = "There was nothing special about the house on the hill, and nobody lived in it. " * 20


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("odd", "read", "more"),
    [
        (b"\x81", "\ufffd", "; 1 place is not valid cp1252 and was replaced by U+FFFD"),
        (b"\xa9", "©", ""),
        (b"\xb3\xc4", "³Ä", ""),
    ],
)
def test_a_few_odd_bytes_do_not_make_ascii_east_asian(write, collect, odd, read, more, shape):
    write("a.txt", ASCII.encode() + b"sp" + odd + b"cial")
    got = collect("a.txt", shape=shape)
    assert got.texts == [ASCII + f"sp{read}cial"]
    notes = "; ".join(note.removeprefix("a.txt: ") for note in got.notes if "per line" not in note)
    assert notes == f"read as cp1252, but some bytes look wrong{more}"


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
    assert "`encoding`" in (caught.value.hint or "")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, JAPANESE])
def test_utf16_without_a_mark_is_recognised(write, collect, text, name, shape):
    write("a.txt", text.encode(name))
    got = collect("a.txt", shape=shape)
    assert "".join(got.texts).rstrip() == text.rstrip()
    assert got.notes == [f"a.txt: read as {name}"]


WESTERN = {
    "French": "L’été dernier, Hélène a préféré déjeuner : « C’est très agréable », dit-elle — où ?",
    "German": "„Schöne Grüße“, sagte die Ärztin – die Straße führt über Münster; Größe zählt.",
    "Spanish": "El niño preguntó: «¿Cuántos años tiene el señor Muñoz?» Después corrió — ¡sí!",
    "English": "It’s “quite” a long — very long — sentence, isn’t it? The café’s façade…",
    "Portuguese": "A educação não é só informação; é também coração. São João está lá, às três.",
    "Italian": "Perché la città è così bella? Però non c’è più tempo, né libertà: può darsi.",
    "Swedish": "Åsa och Örjan åkte till Malmö för att köpa några böcker på måndag.",
}


@pytest.mark.parametrize("name", ["cp1252", "latin-1", "mac_roman"])
@pytest.mark.parametrize("text", WESTERN.values(), ids=WESTERN)
def test_western_text_is_not_taken_for_another_code_page(text, name):
    data = text.encode(name, "ignore")
    assert encoding.decode(data, "a")[0] == data.decode(name)


@given(st.integers(0, 200), st.integers(1, 200), st.sampled_from(sorted(WESTERN)))
def test_a_part_of_a_text_in_cp1252_is_read_as_such(begin, length, language):
    text = " ".join((WESTERN[language] + " ").split()[begin % 10 :])[:length]
    data = text.encode("cp1252")
    if not data.isascii() and b"\x97" not in data:  # "a — b" alone might be "a ó b"
        assert encoding.decode(data, "a")[0] == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (RUSSIAN.replace("—", "-"), "koi8-r"),
        (RUSSIAN, "cp1251"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        ("人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心。", "gb18030"),
        ("人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心。", "big5"),
        ("這本書的作者在序言裏說，他花了二十年的時間蒐集資料，才把這段歷史寫完。", "cp950"),
        ("모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.", "cp949"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "cp1250"),
        ("Zażółć gęślą jaźń. Wszyscy ludzie rodzą się wolni i równi.", "iso8859-2"),
    ],
)
def test_other_languages_are_read_in_their_encodings(text, name):
    assert encoding.decode(text.encode(name), "a")[0] == text


def test_a_single_odd_byte_does_not_make_a_file_foreign():
    words = "It is the only quotation mark in this file of twenty words and it isn\u2019t"
    text, note = encoding.decode(words.encode("cp1252"), "a")
    assert (text, note) == (words, "read as cp1252")


@pytest.mark.parametrize("shape", SHAPES)
def test_stray_nul_bytes_are_removed_and_reported(write, collect, shape):
    write("a.txt", b"so it \0 goes and goes on " * 5 + b"\0" * 3000)
    got = collect("a.txt", shape=shape)
    assert got.texts == ["so it  goes and goes on " * 5]
    assert "a.txt: 3,005 NUL bytes were removed" in got.notes


@given(st.binary(min_size=200, max_size=400))
def test_random_bytes_are_refused(data):
    if len(set(data)) > 100:
        with pytest.raises(DocumentError):
            encoding.decode(data, "a")


@given(st.lists(st.integers(0, 400), max_size=8))
def test_stray_nul_bytes_anywhere_leave_the_text_as_it_was(places):
    text = "The quick brown fox jumps over the lazy dog, as it always did. " * 6
    data = bytearray(text.encode())
    for place in places:
        data.insert(min(place, len(data)), 0)
    if bytes(data[:512]).count(0) <= 0.05 * 400:
        assert encoding.decode(bytes(data), "a")[0] == text


def test_what_fits_no_encoding_is_skipped(write, collect):
    write("essays/a.txt", "a")
    write("essays/b.txt", bytes(range(128, 256)) * 20 + b"\x81\x8d\x8f\x90\xff\xfe" * 20)
    got = collect("essays")
    assert got.ids == ["a.txt"]
    assert got.skipped == ["essays/b.txt: unknown encoding: save it as UTF-8 or use `encoding`"]


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
    with pytest.raises(SourceError, match="d: is a folder"):
        read_text("d")


def test_read_text_loads_no_heavy_library(write):
    write("a.txt", "hello")
    code = (
        "import sys; from likewise.documents import read_text; print(read_text('a.txt')[0]);"
        "print([m for m in ('numpy', 'pyarrow', 'charset_normalizer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "hello\n[]\n"
