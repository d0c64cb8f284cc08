"""One text as it is shown: what is marked and flagged in it, and where its words are."""

from __future__ import annotations

import pytest
from hypothesis import given

from likewise.documents.document import Document, Hidden
from likewise.documents.references import References
from likewise.passages.settings import Exclusions
from likewise.survey.shown_text import shown_texts
from likewise.text.words import words_of
from tests import strategies

ESSAY = (
    "He wrote “all is well that ends well” and went home.\n\n"
    + "More was said about this by others, who had read the book and thought about it.\n\n" * 9
    + "References\n\nSmith, J. (2001). A book about books. London: Press.\n"
    "Miller, K. (1999). Another book about books. Paris: Press.\n"
)


def test_quotations_and_references_are_marked_whether_or_not_they_are_left_out() -> None:
    plain, excluded = (
        shown_texts([Document(ESSAY, id="a")], exclude)[0].to_dict()
        for exclude in (Exclusions(), Exclusions(quotations=True))
    )
    assert plain["marks"] == excluded["marks"]
    assert {mark[2] for mark in plain["marks"]} == {"quotation", "bibliography"}
    assert plain["left_out"] == []
    assert excluded["left_out"] == ["quotation"]
    start, end, _, first, last = next(m for m in plain["marks"] if m[2] == "quotation")
    assert ESSAY[start:end] == "“all is well that ends well”"
    assert (first, last) == (2, 8)


def test_references_are_as_they_are_written() -> None:
    verses = References(
        "verses", (0, 4, 8, 12), (("Mt", "3"), ("Mt", "3", "7"), ("Mt", "3", "8"), ())
    )
    (shown,) = shown_texts([Document("one two six ten", id="a", references=verses)])
    assert shown.to_dict()["references"] == {
        "scheme": "verses",
        "heads": [["Mt ", ""], ["Mt ", "3,"]],
        "marks": [[0, 0, "3"], [4, 1, "7"], [8, 1, "8"], [12, -1, ""]],
    }


def test_lines_of_verse_are_no_paragraphs() -> None:
    line = "And so the river ran, and ran, and ran until the sea."
    text = f"{line}\n" * 8
    lines = References("lines", (0,), (("1",),))
    one, other = (
        shown_texts([Document(text, (0,), id="a", references=references)])[0].to_dict()["text"]
        for references in (None, lines)
    )
    assert one != text
    assert other == text


def test_phrases_and_templates_are_marked_where_they_are_left_out() -> None:
    task = "Say in your own words why the sea rises and falls twice a day."
    text = f"Tides. {task} It is the moon. On the other hand it is the sun."
    exclude = Exclusions(phrases=("on the other hand",), templates=(task,))
    marks = shown_texts([Document(text, id="a")], exclude)[0].to_dict()["marks"]
    assert [text[start:end] for start, end, *_ in marks] == [task[:-1], "On the other hand"]
    assert [mark[2] for mark in marks] == ["template", "phrase"]


def test_look_alike_letters_and_hidden_text_are_flagged_in_order() -> None:
    text = "One p\u0430per and some w\u200bords"
    hidden = (Hidden(9, "not to be seen", "white", 14),)
    shown = shown_texts([Document(text, hidden=hidden, id="a")])[0].to_dict()
    assert shown["flags"] == [
        [4, 25, "look-alike, zero-width", "paper and some w\u200bords", 2],
        [9, 9, "hidden", "white: not to be seen", 1],
    ]
    assert shown["lookalikes"] == [[5], "a"]
    assert shown["flag_notes"] == [
        "1 word contains Cyrillic letters that look Latin",
        "zero-width characters in 1 place",
        "text that is not visible in the file in 1 place",
    ]
    assert shown["words"] == 5


def test_what_is_known_of_a_document_is_there_and_the_rest_is_none() -> None:
    one = Document("text", (0,), id="a", metadata={"title": "T", "date": 1999, "size": 3})
    shown = shown_texts([one])[0].to_dict()
    assert [shown[name] for name in ("id", "title", "author", "date", "group")] == [
        "a", "T", None, "1999", None,
    ]  # fmt: skip
    assert shown["page_starts"] == [0]


@given(text=strategies.texts)
def test_word_places_are_those_of_the_words_that_begin_in_a_range(text: str) -> None:
    (shown,) = shown_texts([Document(text, id="a")])
    begins = words_of(shown.matching.tricks.mended).begins.tolist()
    for start, end in ((0, len(text)), (len(text) // 3, 2 * len(text) // 3)):
        inside = [place for place, begin in enumerate(begins) if start <= begin < end]
        first, last = shown.word_places(start, end)
        assert list(range(first, last)) == inside
    assert shown.to_dict()["words"] == len(begins)


@pytest.mark.parametrize("exclude", [Exclusions(), Exclusions(quotations=True)])
def test_words_are_all_words_and_the_size_is_without_excluded_ones(
    exclude: Exclusions,
) -> None:
    (shown,) = shown_texts([Document(ESSAY, id="a")], exclude)
    assert len(shown.words) == len(words_of(ESSAY))
    quoted = 6 if exclude.quotations else 0
    assert shown.size == len(shown.words) - quoted
