from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import Profile, UsageError
from likewise._core import Texts, prepared_text
from likewise.text.obfuscation import find_tricks
from likewise.text.obfuscation.lookalikes import LOOKALIKES
from likewise.text.obfuscation.tricks import MAX_FLAGS
from tests.strategies import texts

ALIKE = "".join(side for pair in LOOKALIKES.values() for side in pair)
mixtures = st.lists(
    st.one_of(
        st.text(st.sampled_from(ALIKE), min_size=1, max_size=6),
        st.text(st.sampled_from("bdlmrtz жшщяб λθωβ մջ"), min_size=1, max_size=8),
        st.text(st.sampled_from("аеорсухaeopcyxαοikκк\u200b\u0301"), min_size=1, max_size=6),
        st.sampled_from(["the world and all that is in it", "всё, что было в начале", "στη χώρα"]),
    ),
    max_size=12,
).map(" ".join)


def shown(text):
    return [flag.shown for flag in find_tricks(text).flags]


def disguise(text, **letters):
    return text.translate(str.maketrans(letters))


# Look-alike letters


def test_look_alikes_in_words_of_another_script_are_put_right_and_reported():
    plain = "The people of the valley spoke a language of their own, a very old one."
    text = disguise(plain, a="а", e="е", o="о", p="р", y="у", T="Т")
    found = find_tricks(text)
    assert found.mended == plain
    assert found.flags[0] == ("look-alike", 0, 3, "The")
    assert found.counts == {"look-alike": found.total} == {"look-alike": len(found.flags)}


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("pаper", "paper"),  # nothing around to go by
        ("Вот Cтатья на русском языке", "Вот Статья на русском языке"),
        ("Η Eλλάδα είναι μια ωραία χώρα", "Η Ελλάδα είναι μια ωραία χώρα"),
        ("Thе words are Zoёl and Noёl, naïve", "The words are Zoël and Noël, naïve"),
        ("Հայաստանը լեռնային երկիր է, oրենք", "Հայաստանը լեռնային երկիր է, օրենք"),
        ("the w\u200bоrd is cut in two", "the w\u200bord is cut in two"),
        ("they heard the vо\u2060ісе of the people", "they heard the vo\u2060ice of the people"),
    ],
)
def test_every_direction_is_mended(text, mended):
    assert find_tricks(text).mended == mended


@pytest.mark.parametrize(
    "text",
    [
        "He quoted «Всё смешалось в доме Облонских» and went on; the word ухо means ear.",
        "ΔT = 5 K, hν, TNFα and NFκB, a resistance of 3 kΩ, 5 μm and 5 µm, Hα, νmax, ΔH, sinαcosβ",
        "The angles α and β, with ρ and ν as before, and Ο(n) of them.",
        "В XX веке он писал в facebookе, слал PDFки и SMSки; CO и pH, вектор x, число a.",
        "Η εταιρεία Apple και το iPhone, στη Νέα Υόρκη",
        "東京タワーのWi-Fi と LAN、Русский язык и English",
        "한국어 ABC кириллица",
        "Straße, naïve, œuvre, Þórr, ŋ, ə, ɑ",
    ],
)
def test_true_mixtures_are_left_alone(text):
    found = find_tricks(text)
    assert (found.mended, found.total) == (text, 0)
    assert not found


def test_a_word_of_look_alikes_alone_is_mended_only_where_the_text_has_others():
    rest = " and the children of the town drank it in the morning with bread"
    assert shown("some сосо" + rest) == []
    assert shown("sоme сосо" + rest) == ["some", "coco"]
    # Where Russian is around, it may well be Russian.
    assert shown("sоme хорошее ухо" + rest) == ["some"]


def test_greek_small_letters_are_mended_only_inside_words():
    assert shown("We hαve thαt, αnd whαt is more: it rains.")[:3] == ["have", "that", "and"]
    assert shown("the α of this and the α of that, α and α, cosαsin and sinαtan") == []


@given(mixtures | texts)
def test_mended_text_has_the_same_places_and_mending_twice_changes_nothing(text):
    found = find_tricks(text)
    assert len(found.mended) == len(text)
    again = find_tricks(found.mended)
    assert again.mended == found.mended
    assert again.counts.get("look-alike", 0) == 0
    changed = {at for at, (a, b) in enumerate(zip(text, found.mended, strict=True)) if a != b}
    flagged = set()
    for kind, start, end, word in found.flags:
        assert 0 <= start < end <= len(text)
        if kind == "look-alike":
            assert found.mended[start:end] == word != text[start:end]
            flagged |= set(range(start, end))
    assert changed <= flagged
    assert list(found.flags) == sorted(found.flags, key=lambda flag: flag[1:3])


@pytest.mark.parametrize(
    "letters", ["abcexyzéß", "абвгдеёжорсх", "αβγδοικ", "աբգդօհ", "אבגד", "中文字", "กขค"]
)
def test_texts_in_one_script_are_unchanged(letters):
    @given(st.text(st.sampled_from(letters + " .,-\n12")))
    def check(text):
        assert find_tricks(text) == type(find_tricks(""))(text)

    check()


# Invisible characters


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("pa\u200bper", ("zero-width", 2, 3, "U+200B")),
        ("pa\u200d\u200cper", ("zero-width", 2, 4, "U+200D U+200C")),
        ("so\u00adft", ("soft hyphen", 2, 3, "U+00AD")),
        ("le\u200eft", ("bidi", 2, 3, "U+200E")),
        ("a \u202etxet\u202c b", ("bidi", 2, 3, "U+202E")),
        ("wo\u2060rd", ("invisible", 2, 3, "U+2060")),
        ("wo\ufe0frd", ("invisible", 2, 3, "U+FE0F")),
        ("wo\u3164rd", ("invisible", 2, 3, "U+3164")),
        ("wo\u034frd", ("invisible", 2, 3, "U+034F")),
        ("읽\u200b기", ("zero-width", 1, 2, "U+200B")),
        ("مد\u200bرسة", ("zero-width", 2, 3, "U+200B")),
        ("so \U000e0061\U000e0062 it", ("invisible", 3, 5, "U+E0061 U+E0062")),
    ],
)
def test_invisible_characters_inside_words_are_reported(text, flag):
    found = find_tricks(text)
    assert found.flags == (flag,)
    assert found.mended == text


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian
        "क्\u200dष र\u200c",
        "ไทย\u200bภาษา ខ្មែរ\u200bភាសា",
        "👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3",
        "葛\U000e0100城",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # a flag
        "\ufeffa text with a byte order mark",
        "עברית\u200f (abc)\u200e",
        "a word\u200b, and\u00ad another",
    ],
)
def test_invisible_characters_where_they_belong_are_not_reported(text):
    assert not find_tricks(text)


@given(st.text(min_size=1), st.sampled_from("\u200b\u200c\u2060\u00ad\u202e\ufe0f"))
def test_what_is_flagged_as_invisible_makes_no_difference_to_matching(text, sign):
    for flag in find_tricks(f"w{sign}rd {text}").flags:
        if flag.kind != "look-alike":
            part = f"w{sign}rd {text}"[flag.start : flag.end]
            prepared = prepared_text(Texts.from_strings([f"a{part}b"]), Profile().rules())
            assert prepared == "ab"


# Bounds


def test_flags_are_bounded_and_all_are_counted():
    found = find_tricks("wo\u200brd " * 5000 + "pаper")
    assert len(found.flags) == MAX_FLAGS
    assert found.counts == {"zero-width": 5000, "look-alike": 1}
    assert found.mended.endswith("paper")


def test_long_words_of_two_scripts_are_read_in_time():
    for text in ("aа" * 200_000, "bб" * 200_000, "aа " * 100_000, "а" * 200_000 + " b"):
        assert len(find_tricks(text).mended) == len(text)


def test_only_a_text_is_taken():
    with pytest.raises(UsageError, match="text is not a str but bytes"):
        find_tricks(b"abc")
