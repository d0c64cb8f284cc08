"""A synopsis of documents, from their texts to plain values."""

from __future__ import annotations

import json

import numpy as np
import pytest

from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.passages.find import find_passages
from likewise.passages.pair_passages import matched_words
from likewise.passages.settings import Exclusions
from likewise.survey.synopsis.synopsis import Synopsis, make_synopsis
from likewise.text.words import words_of
from tests.survey.made_texts import some
from tests.survey.test_survey import ESSAYS

FIRST, SECOND, THIRD = (some(30, name) for name in ("first", "second", "third"))


def text(*parts: list[str]) -> str:
    return "\n".join(f"{' '.join(part)}." for part in parts)


def made(*texts: str, **options: object) -> Synopsis:
    documents = [Document(one, id=f"text {at}") for at, one in enumerate(texts)]
    return make_synopsis(documents, **options)  # type: ignore[arg-type]


def counts(synopsis: Synopsis) -> dict[str, tuple[int, ...]]:
    return {
        "".join(synopsis.labels[text] for text in one.texts): one.words
        for one in synopsis.traditions
    }


def test_three_texts_have_a_triple_double_and_single_tradition() -> None:
    synopsis = made(
        text(FIRST, SECOND, some(10, 1)), text(FIRST, THIRD), text(some(20, 2), FIRST, SECOND)
    )
    assert counts(synopsis) == {
        "ABC": (30, 30, 30), "AB": (0, 0), "AC": (30, 30), "BC": (0, 0),
        "A": (10,), "B": (30,), "C": (20,),
    }  # fmt: skip
    assert [one.kind for one in synopsis.traditions] == ["triple", *["double"] * 3, *["single"] * 3]
    assert [(row.kind, sorted(row.cells)) for row in synopsis.rows] == [
        ("alone", [2]), ("parallel", [0, 1, 2]), ("alone", [1]), ("parallel", [0, 2]),
        ("alone", [0]),
    ]  # fmt: skip


@pytest.mark.parametrize("topic", ["tides", "cars", "press"])
def test_words_agree_where_passages_match_them(topic: str) -> None:
    """The words that agree are the matched words of the passages of all pairs."""
    essays = [one for one in ESSAYS if one.id.startswith(topic)][:5]
    synopsis = make_synopsis(essays)
    words = [words_of(one.text) for one in essays]
    matched = [np.zeros(len(one), np.bool_) for one in words]
    for pair in find_passages([one.text for one in essays], ids=range(5)):
        for number, side in ((pair.a, "a"), (pair.b, "b")):
            matched[number] |= matched_words(words[number], pair.passages, side)
    for number, mask in enumerate(synopsis.agreements.masks):
        agrees = mask != 1 << number
        assert (agrees == matched[number]).all()
    assert sum(mask.any() for mask in matched) > 1


def test_two_equal_texts_agree_in_every_word() -> None:
    synopsis = made(*[text(FIRST, SECOND, THIRD)] * 2)
    assert counts(synopsis) == {"AB": (90, 90), "A": (0,), "B": (0,)}
    assert [row.kind for row in synopsis.rows] == ["parallel"] * 3
    assert all(not row.elsewhere for row in synopsis.rows)


def test_unrelated_texts_are_alone_and_the_page_says_so() -> None:
    synopsis = made(text(some(300, 1)), text(some(300, 2)))
    assert counts(synopsis) == {"AB": (0, 0), "A": (300,), "B": (300,)}
    assert {row.kind for row in synopsis.rows} <= {"alone", "beside"}
    assert synopsis.notes() == [
        "The texts share no passages: no run of 12 identical words, and no edited passage."
    ]


def test_a_text_without_words_is_an_empty_column() -> None:
    synopsis = made("", text(FIRST), "…")
    assert counts(synopsis)["B"] == (30,)
    assert [sorted(row.cells) for row in synopsis.rows] == [[1]]
    assert synopsis.notes()[0] == "Without any words: text 0, text 2."


def test_five_texts_have_all_traditions_that_occur() -> None:
    synopsis = made(*[text(FIRST, some(9, at)) for at in range(4)], text(SECOND))
    assert counts(synopsis) == {
        "ABCDE": (0,) * 5, "ABCD": (30,) * 4, "A": (9,), "B": (9,), "C": (9,), "D": (9,),
        "E": (30,),
    }  # fmt: skip
    assert synopsis.traditions[1].kind == "quadruple"


@pytest.mark.parametrize("number", [0, 1, 6])
def test_another_number_of_texts_is_refused(number: int) -> None:
    with pytest.raises(UsageError, match="a synopsis shows 2 to 5 texts"):
        made(*["some words"] * number)


def test_excluded_words_agree_with_none_and_are_in_no_count() -> None:
    texts = [text(FIRST) + f" “{' '.join(SECOND)}” " + text(some(20, at)) for at in range(2)]
    assert counts(made(*texts))["AB"] == (60, 60)
    synopsis = made(*texts, exclude=Exclusions(quotations=True))
    assert counts(synopsis) == {"AB": (30, 30), "A": (20,), "B": (20,)}
    assert synopsis.sizes == [50, 50]
    shown = synopsis.to_dict()["texts"][0]
    ((start, end),) = shown["excluded"]
    assert shown["text"][start:end].strip("“”") == " ".join(SECOND)


def test_the_values_are_plain_and_places_are_those_of_the_document() -> None:
    synopsis = made(text(FIRST, SECOND, THIRD), text(THIRD, FIRST, SECOND))
    view = json.loads(json.dumps(synopsis.to_dict()))
    assert [one["label"] for one in view["texts"]] == ["A", "B"]
    moved = [row for row in view["rows"] if row["kind"] == "moved"]
    assert len(moved) == 2
    places = [[cell and cell["place"] for cell in row["cells"]] for row in view["rows"]]
    assert sorted(places, key=str) == sorted(
        [[None, "line 1"], ["line 1", "line 2"], ["line 2", "line 3"], ["line 3", None]], key=str
    )
    for row in moved:
        (other,) = row["elsewhere"]
        assert other["shown"]
        shown = view["texts"][other["text"]]["text"][other["start"] : other["end"]]
        assert shown.rstrip(".") == " ".join(THIRD)
        assert view["rows"][other["row"]]["cells"][other["text"]]["place"] == other["place"]
    for words, *places_ in view["agreements"]:
        found = {
            tuple(w.strip(".") for w in view["texts"][t]["text"][a:b].split())
            for t, a, b in zip(places_[::3], places_[1::3], places_[2::3], strict=True)
        }
        assert len(found) == 1
        assert len(found.pop()) == words


def test_lines_of_wrapped_text_are_joined_and_verses_are_not() -> None:
    sentence = "and so it went on as it had always gone in those days by the river"
    wrapped = "\n".join([sentence] * 8)
    verses = "\n".join([sentence.capitalize()] * 8)
    synopsis = made(wrapped, verses)
    assert synopsis.to_dict()["texts"][0]["text"].count("\n") == 0
    assert synopsis.to_dict()["texts"][1]["text"] == verses


@pytest.mark.parametrize(
    "sentence",
    [
        "道可道非常道名可名非常名無名天地之始有名萬物之母。",
        "في البدء خلق الله السماوات والأرض وكانت الأرض خربة وخالية وعلى وجه الغمر ظلمة.",
        "בראשית ברא אלהים את השמים ואת הארץ והארץ היתה תהו ובהו וחשך על פני תהום.",
    ],
)
def test_other_scripts_are_cut_into_sentences_as_well(sentence: str) -> None:
    other = "".join(reversed(sentence[:-1])) + "."
    synopsis = made(sentence + "\n" + other, other + "\n" + sentence)
    view = synopsis.to_dict()
    assert any(row["kind"] == "parallel" for row in view["rows"])
    for number, shown in enumerate(view["texts"]):
        cells = [row["cells"][number] for row in view["rows"] if row["cells"][number]]
        assert "".join(shown["text"][one["start"] : one["end"]] for one in cells).replace(
            "\n", ""
        ) == shown["text"].replace("\n", "")
