"""Page and line of every character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Batch, Place, Places
from likewise.documents.document import join_pages
from likewise.documents.texts import text_array

LINES = st.text(st.sampled_from("ab \n\r😀é"), max_size=30)


@given(LINES)
def test_lines_are_counted_as_one_would_count_them(text):
    places = Places(text)
    for offset in range(len(text) + 1):
        assert places.at(offset) == (None, text[:offset].count("\n") + 1)


@given(st.lists(LINES, min_size=1, max_size=6))
def test_every_character_of_every_page_is_found_on_it(pages):
    text, starts = join_pages(pages)
    places = Places(text, starts)
    assert len(starts) == len(pages)
    for number, (page, start) in enumerate(zip(pages, starts, strict=True), 1):
        assert text[start:].startswith(page)
        for at in range(len(page)):
            assert places.at(start + at) == (number, page[:at].count("\n") + 1)


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_the_text_is_an_error(offset):
    with pytest.raises(IndexError, match=f"offset {offset} in a text of 3 characters"):
        Places("abc").at(offset)


def test_a_place_reads_like_a_citation():
    assert str(Place(3, 12)) == "page 3, line 12"
    assert str(Place(None, 12)) == "line 12"


def test_a_batch_tells_the_places_of_its_documents():
    batch = Batch(["a", "b"], text_array(["x\ny\nz", "x\ny\nz"]), [(0, 2, 4), None])
    assert [document.place(4) for document in batch.documents()] == [(3, 1), (None, 3)]
    with pytest.raises(ValueError, match="2 ids for 1 lists of pages"):
        Batch(["a", "b"], text_array(["x", "y"]), [None])
