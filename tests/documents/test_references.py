"""Chapter and verse, act and line, section and paragraph of every character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Batch, Document, Place, Reference, References
from likewise.documents.references import MAX_PART, Scheme, label_of, shortened_part
from likewise.documents.texts import text_array

PARTS = st.lists(st.sampled_from(["Mt", "3", "7", "¶ 2", "Methods", "7a"]), max_size=4).map(tuple)
MARKS = st.lists(st.tuples(st.integers(0, 30), PARTS), max_size=8).map(
    lambda marks: sorted(marks, key=lambda mark: mark[0])
)


@pytest.mark.parametrize(
    ("scheme", "parts", "shown"),
    [
        ("verses", ("Mt", "3", "7"), "Mt 3,7"),
        ("verses", ("1Cor", "13", "4-5"), "1Cor 13,4–5"),
        ("verses", ("Mt", "3"), "Mt 3"),
        ("verses", ("Mt",), "Mt"),
        ("verses", ("Preface", "¶ 2"), "Preface ¶ 2"),
        ("lines", ("3", "1", "56"), "3.1.56"),
        ("lines", ("Prologue", "12"), "Prologue 12"),
        ("lines", ("Hamlet", "3", "1", "56"), "Hamlet 3.1.56"),
        ("sections", ("Methods", "Sampling", "¶ 2"), "Methods › Sampling ¶ 2"),
        ("sections", ("Methods", "p. 12"), "Methods p. 12"),
        ("sections", ("¶ 2",), "¶ 2"),
        ("sections", (), ""),
    ],
)
def test_a_reference_is_written_as_scholars_do(
    scheme: Scheme, parts: tuple[str, ...], shown: str
) -> None:
    assert str(Reference(parts, scheme)) == shown


@pytest.mark.parametrize(
    ("scheme", "first", "last", "shown"),
    [
        ("verses", ("Mt", "3", "7"), ("Mt", "3", "10"), "Mt 3,7–10"),
        ("verses", ("Mt", "3", "7"), ("Mt", "4", "2"), "Mt 3,7–4,2"),
        ("verses", ("Mt", "28", "20"), ("Mk", "1", "1"), "Mt 28,20 – Mk 1,1"),
        ("verses", ("Mt", "3", "7"), ("Mt", "3", "7"), "Mt 3,7"),
        ("verses", ("Mt", "3", "7-8"), ("Mt", "3", "9-10"), "Mt 3,7–10"),
        ("lines", ("3", "1", "56"), ("3", "1", "60"), "3.1.56–60"),
        ("lines", ("3", "1", "56"), ("3", "2", "4"), "3.1.56–3.2.4"),
        ("lines", ("Hamlet", "3", "1", "56"), ("Hamlet", "3", "1", "60"), "Hamlet 3.1.56–60"),
        ("lines", ("Prologue", "14"), ("1", "1", "2"), "Prologue 14 – 1.1.2"),
        ("sections", ("Methods", "¶ 2"), ("Methods", "¶ 5"), "Methods ¶ 2–5"),
        ("sections", ("Methods", "¶ 2"), ("Results", "¶ 1"), "Methods ¶ 2 – Results ¶ 1"),
        ("sections", ("Abstract",), ("Methods",), "Abstract – Methods"),
    ],
)
def test_a_range_is_written_without_what_both_ends_share(
    scheme: Scheme, first: tuple[str, ...], last: tuple[str, ...], shown: str
) -> None:
    assert label_of(first, scheme).to(label_of(last, scheme)) == shown


def test_a_range_is_that_of_its_first_and_its_last_character() -> None:
    found = References("verses", (3, 10, 20), (("Mt", "3", "7"), ("Mt", "3", "8"), ()))
    assert [found.between(*range_) for range_ in ((3, 10), (3, 11), (9, 10), (10, 10))] == [
        "Mt 3,7", "Mt 3,7–8", "Mt 3,7", "Mt 3,8",
    ]  # fmt: skip
    # Text before the first reference, or after the last, is passed over.
    assert [found.between(*range_) for range_ in ((0, 3), (0, 5), (15, 30), (25, 30))] == [
        "", "Mt 3,7", "Mt 3,8", "",
    ]  # fmt: skip
    assert str(found.at(12)) == "Mt 3,8"
    assert found.at(0) is None
    assert found.at(25) is None


@given(MARKS, st.integers(0, 35))
def test_a_character_has_the_last_reference_before_it(
    marks: list[tuple[int, tuple[str, ...]]], offset: int
) -> None:
    found = References.of("verses", marks)
    before = [parts for at, parts in marks if at <= offset]
    reference = None if found is None else found.at(offset)
    assert (reference.parts if reference else ()) == (before[-1] if before else ())


@given(MARKS)
def test_references_survive_a_file(marks: list[tuple[int, tuple[str, ...]]]) -> None:
    found = References.of("lines", marks)
    assert found is None or References.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "7", '{"scheme":"verses"}', "[" * 100_000,
        *(f'{{"scheme":"verses","marks":{marks}}}' for marks in (
            "[[1],[1]]", '[[-1,"a"]]', '[[true,"a"]]', '[["1","a"]]', "[[0,7]]", '[[0,""]]', "[[]]",
            "[7]", "7", '[[0,"' + "x" * 61 + '"]]', "[[0" + ",1" * 20 + "]]", '[{"0":1}]', "null",
        )),
        '{"scheme":"chapters","marks":[]}', '{"scheme":["verses"],"marks":[]}',
    ],
)  # fmt: skip
def test_what_are_no_references_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"reference|scheme|offset|marks"):
        References.from_json(text)


def test_a_place_is_a_pair_and_knows_its_reference() -> None:
    document = Document("abc\ndef", (0, 4), references=References("lines", (4,), (("3", "1"),)))
    page, line = place = document.place(5)
    assert (page, line) == (2, 1)
    assert str(place.reference) == "3.1"
    assert str(place) == "3.1, page 2"
    assert str(document.place(0)) == "page 1, line 1"
    assert document.reference(0, 7) == "3.1"
    assert Document("abc").reference(0, 3) == ""
    assert Place(1, 2) == (1, 2)


def test_a_batch_has_references_of_its_documents() -> None:
    verse = References("verses", (0,), (("Mt", "3", "7"),))
    batch = Batch(["a", "b"], text_array(["x", "y"]), references=[verse, None])
    assert [document.reference(0, 1) for document in batch.documents()] == ["Mt 3,7", ""]
    assert str(batch.places(0).at(0)) == "Mt 3,7"
    with pytest.raises(ValueError, match="2 ids for 1 lists of references"):
        Batch(["a", "b"], text_array(["x", "y"]), references=[None])


def test_a_long_heading_is_cut_at_a_word() -> None:
    assert shortened_part("  Of  the\nsea ") == "Of the sea"
    long = shortened_part("word " * 30)
    assert len(long) <= MAX_PART
    assert long.endswith("word…")
    assert len(shortened_part("x" * 100)) == MAX_PART
