"""Look-alike letters and invisible characters: runs of words, and sentences."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from likewise.documents.document import Document
from likewise.survey.hidden_characters import collection_sentence
from likewise.survey.shown_text import ShownText, shown_texts
from likewise.text.obfuscation.tricks import MAX_FLAGS
from tests import strategies
from tests.disguise import disguised
from tests.survey.made_texts import some


def shown(text: str) -> ShownText:
    return shown_texts([Document(text, id="a")])[0]


def seen(text: str) -> dict[str, Any]:
    return shown(text).to_dict()


def test_words_near_each_other_are_one_flag() -> None:
    plain = " ".join(some(60, "plain"))
    tricked = " ".join(some(100, "tricked")).replace("a", "\u0430").replace("e", "\u0435")
    view = seen(f"{plain} {tricked} {plain} {tricked[:200]}")
    first, second = view["flags"]
    assert view["text"][first[0] : first[1]] in tricked
    assert first[2] == second[2] == "look-alike"
    number = first[4] + second[4]
    assert number > 60
    assert view["flag_notes"] == [f"{number} words contain Cyrillic letters that look Latin"]
    assert len(first[3]) <= 80
    assert "\u0430" not in first[3]
    places, letters = view["lookalikes"]
    assert [view["text"][at] for at in places] == [
        "\u0430" if c == "a" else "\u0435" for c in letters
    ]


def test_invisible_characters_near_each_other_are_one_flag() -> None:
    words = some(300, "words")
    view = seen(
        " ".join(f"{word[:2]}\u200b{word[2:]}" for word in words[:100]) + " ".join(words[100:])
    )
    assert [flag[2:] for flag in view["flags"]] == [["zero-width", "U+200B", 100]]
    assert view["flag_notes"] == ["zero-width characters in 100 places"]


def test_flags_of_all_kinds_near_each_other_are_one_flag() -> None:
    view = seen("One p\u0430per, two w\u200bords, thr\u00adee more words")
    assert [flag[2:] for flag in view["flags"]] == [
        ["look-alike, zero-width, soft hyphen", "paper, two w\u200bords, thr\u00adee", 3]
    ]


def test_every_pair_of_scripts_has_its_sentence() -> None:
    view = seen("The m\u043eon and the sea are here, and th\u03bfse rocks. A b\u043ey r\u03bfws.")
    assert view["flag_notes"] == [
        "2 words contain Cyrillic letters that look Latin",
        "2 words contain Greek letters that look Latin",
    ]
    assert len(view["flags"]) == 1


def test_the_sentences_of_a_collection_count_all_documents() -> None:
    texts = ["One p\u0430per", "Two p\u0430per\u0455 and w\u200bords", "nothing hidden"]
    assert collection_sentence(shown(text).hidden_characters for text in texts) == (
        "In 2 documents: 2 words contain Cyrillic letters that look Latin; "
        "zero-width characters in 1 place"
    )
    assert collection_sentence([]) is None


def test_there_are_not_very_many_flags() -> None:
    far = " ".join(some(25, "far"))
    assert len(seen(f"{far} w\u200bord " * (MAX_FLAGS + 5))["flags"]) == MAX_FLAGS


@given(text=strategies.texts)
def test_flags_lie_in_the_text_and_in_order(text: str) -> None:
    for one in (text, disguised(text)):
        view = seen(one)
        assert view["flags"] == sorted(view["flags"])
        assert all(0 <= start < end <= len(one) for start, end, *_ in view["flags"])
        assert bool(view["flags"]) == bool(view["flag_notes"])
