"""Lines joined into paragraphs for display."""

from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.document import Document
from likewise.survey.paragraphs import join_lines
from likewise.survey.shown_text import shown_texts

PROSE = (
    "To us a field in June is a pretty blur of colours and of little\n"
    "noises. To a bee it is a map with roads, shops and opening hours\n"
    "that she has learned by heart in three days of flying about, and\n"
    "that she can hand on to others.\n"
    "When a worker returns from a rich patch she dances on the combs\n"
    "in the dark hive, and the dance tells her sisters in which\n"
    "direction to fly, and how far.\n"
)
JOINED = (
    "To us a field in June is a pretty blur of colours and of little "
    "noises. To a bee it is a map with roads, shops and opening hours "
    "that she has learned by heart in three days of flying about, and "
    "that she can hand on to others.\n"
    "When a worker returns from a rich patch she dances on the combs "
    "in the dark hive, and the dance tells her sisters in which "
    "direction to fly, and how far.\n"
)


def test_lines_of_a_paragraph_are_joined_and_paragraphs_stay_apart():
    assert join_lines(PROSE, (0,)) == JOINED


def test_lists_headings_blank_lines_and_pages_stay_apart():
    text = (
        PROSE + "2 What bees remember\n" + PROSE + "\n"
        "• a first item that is long enough to fill a whole line of the\n"
        "page and then some of the next\n"
        "• a second item that is long enough to fill a whole line of it\n"
        "• a third one\n" + PROSE
    )
    starts = (0, text.index("direction to fly"))
    assert join_lines(text, starts) == (
        JOINED.replace(" direction to fly", "\ndirection to fly") + "2 What bees remember\n"
        + JOINED + "\n"
        "• a first item that is long enough to fill a whole line of the "
        "page and then some of the next\n"
        "• a second item that is long enough to fill a whole line of it\n"
        "• a third one\n" + JOINED
    )  # fmt: skip


def test_verse_and_slides_and_long_paragraphs_are_left_as_they_are():
    verse = "Tyger Tyger, burning bright,\nIn the forests of the night;\n" * 6
    slides = (
        "Overview\nWhat we did and why it matters to us\nResults\nNo\nThanks to everybody here\n"
    )
    book = ("A paragraph that goes on and on. " * 9 + "\n") * 9
    for text in (verse, slides, book):
        assert join_lines(text, (0,)) == text


@given(st.text("ab .•\n1A", max_size=300), st.lists(st.integers(0, 300)))
def test_nothing_but_ends_of_lines_changes(text, starts):
    joined = join_lines(text * 9, starts)
    assert joined.replace("\n", " ") == (text * 9).replace("\n", " ")


def test_a_document_with_pages_is_shown_in_paragraphs_and_one_without_as_it_is():
    with_pages, without = shown_texts([Document(PROSE, (0,), id="a"), Document(PROSE, id="b")])
    assert with_pages.to_dict()["text"] == JOINED
    assert without.to_dict()["text"] == PROSE
