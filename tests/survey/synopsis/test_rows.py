"""Rows of a synopsis: every text once and in its order, the same wording in one row or linked."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.document import Document
from likewise.survey.synopsis.breaks import Breaks
from likewise.survey.synopsis.elsewhere import (
    MAX_LINKS,
    MIN_LINKED_WORDS,
    MIN_SHOWN_WORDS,
    find_elsewhere,
)
from likewise.survey.synopsis.order import MAX_ROW_WORDS, heaviest_chain, rows_in_order
from likewise.survey.synopsis.synopsis import Synopsis, make_synopsis
from likewise.survey.synopsis.units import MAX_UNIT_WORDS, MIN_UNIT_WORDS
from tests.survey.synopsis.made import Made, shared_blocks


@given(shared_blocks())
def test_every_word_of_every_text_is_in_one_cell_and_in_order(made: Made) -> None:
    rows = made.synopsis().rows
    for text, shown in enumerate(made.texts):
        cells = [row.cells[text] for row in rows if text in row.cells]
        words = [word for cell in cells for word in range(cell.first, cell.stop)]
        assert words == list(range(len(shown.words)))
        assert all(cell.text == text for cell in cells)
    assert all(row.cells for row in rows)


@given(shared_blocks())
def test_the_cells_of_a_text_have_all_of_its_characters_but_spaces(made: Made) -> None:
    view = made.synopsis().to_dict()
    for text, shown in enumerate(view["texts"]):
        cells = [row["cells"][text] for row in view["rows"] if row["cells"][text]]
        found = "".join(shown["text"][one["start"] : one["end"]] for one in cells)
        assert "".join(found.split()) == "".join(shown["text"].split())


@given(shared_blocks())
def test_units_are_neither_short_nor_long_and_begin_where_the_text_has_a_break(made: Made) -> None:
    synopsis = made.synopsis()
    for units, breaks in zip(synopsis.links.units, synopsis.breaks, strict=True):
        for unit, following in pairwise(units):
            assert unit.stop == following.first
            assert unit.words <= MAX_UNIT_WORDS
            is_paragraph = breaks.strengths[unit.stop] == 3
            assert unit.words >= MIN_UNIT_WORDS or is_paragraph
        if units and max(unit.words for unit in units) < MAX_UNIT_WORDS - MIN_UNIT_WORDS:
            assert all(breaks.strengths[unit.first] for unit in units) or _has_long(breaks)


def _has_long(breaks: Breaks) -> bool:
    """Whether the text has so many words without a break that it is cut within a sentence."""
    places = np.flatnonzero(breaks.strengths)
    return bool(np.diff(places).max(initial=0) > MAX_UNIT_WORDS - MIN_UNIT_WORDS)


@given(shared_blocks())
def test_rows_are_not_longer_than_they_may_be(made: Made) -> None:
    for row in made.synopsis().rows:
        for cell in row.cells.values():
            assert cell.words <= max(MAX_ROW_WORDS, 6 * MAX_UNIT_WORDS)


@given(shared_blocks())
def test_wording_that_a_text_has_elsewhere_is_shown_or_linked(made: Made) -> None:
    """Counted word by word: where another row has enough of the wording, this one leads there."""
    links = made.synopsis().links
    rows = rows_in_order(links)
    row_of: list[list[int]] = [[0] * len(text.words) for text in made.texts]
    for number, row in enumerate(rows):
        for text, units in row.items():
            for unit in (links.units[text][at] for at in units):
                row_of[text][unit.first : unit.stop] = [number] * unit.words
    words: dict[tuple[int, int], dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for family in made.families:
        for column in family.columns.tolist():
            places = [(one.text, word) for one, word in
                      zip(family.stretches, column, strict=True) if word >= 0]  # fmt: skip
            for (a, first), (b, second) in product(places, repeat=2):
                here, there = row_of[a][first], row_of[b][second]
                if here != there:
                    words[here, b][there].add(second)
    for number, found in enumerate(find_elsewhere(links, rows)):
        for text in range(len(made.texts)):
            expected = words.get((number, text), {})
            own = {one.row: one for one in found if one.stretch.text == text}
            for one in own.values():
                assert one.words == len(expected[one.row])
                assert one.stretch.first == min(expected[one.row])
                assert one.stretch.stop == max(expected[one.row]) + 1
            shown = [one.words for one in own.values() if one.shown]
            most = max(map(len, expected.values()), default=0)
            assert bool(shown) == (text not in rows[number] and most >= MIN_SHOWN_WORDS)
            assert not shown or max(shown) == most
            far = [there for there, found in expected.items()
                   if len(found) >= MIN_LINKED_WORDS and abs(there - number) > 2]  # fmt: skip
            assert len(own) >= min(len(far), MAX_LINKS)


@given(shared_blocks())
def test_a_row_of_one_kind_is_what_it_says(made: Made) -> None:
    for row in made.synopsis().rows:
        has_elsewhere = bool(row.elsewhere)
        assert (row.kind in ("parallel", "beside")) == (len(row.cells) > 1)
        if row.kind in ("alone", "beside"):
            assert not has_elsewhere


def test_what_one_text_has_in_another_place_is_out_of_order_and_linked() -> None:
    first = " ".join(f"one{i}" for i in range(30)) + "."
    second = " ".join(f"two{i}" for i in range(40)) + "."
    synopsis = made_of([first, second], [second, first])
    assert [(row.kind, sorted(row.cells)) for row in synopsis.rows] == [
        ("moved", [0]), ("parallel", [0, 1]), ("moved", [1]),
    ]  # fmt: skip
    assert [[(one.stretch.text, one.row, one.shown) for one in row.elsewhere]
            for row in synopsis.rows] == [[(1, 2, True)], [], [(0, 0, True)]]  # fmt: skip


def test_a_sentence_that_another_text_has_as_two_is_one_row_with_both() -> None:
    words = [f"word{i}" for i in range(30)]
    one = " ".join(words) + "."
    two = " ".join(words[:15]) + ". " + " ".join(words[15:]) + "."
    for texts in ([one], [two]), ([two], [one]):
        synopsis = made_of(*texts)
        assert [sorted(row.cells) for row in synopsis.rows] == [[0, 1]]


def test_short_texts_at_the_same_place_are_beside_each_other() -> None:
    shared = [" ".join(f"{name}{i}" for i in range(20)) + "." for name in ("start", "end")]
    own = [" ".join(f"{name}{i}" for i in range(20)) + "." for name in ("his", "hers")]
    synopsis = made_of(*([shared[0], mine, shared[1]] for mine in own))
    assert [row.kind for row in synopsis.rows] == ["parallel", "beside", "parallel"]


def test_a_refrain_of_one_text_is_found_in_the_others_too() -> None:
    """However often one text has it, no place of another is forgotten."""
    refrain = " ".join(f"word{i}" for i in range(12)) + "."
    own = [" ".join(f"own{at}x{i}" for i in range(60)) + "." for at in range(40)]
    often = [part for filler in own for part in (refrain, filler)]
    synopsis = made_of(often, [refrain])
    assert any({0, 1} <= row.cells.keys() for row in synopsis.rows)


def made_of(*texts: list[str]) -> Synopsis:
    """A synopsis of texts of these sentences; equal sentences are families."""
    return make_synopsis([Document("\n".join(text), id=str(at)) for at, text in enumerate(texts)])


@given(st.dictionaries(st.tuples(st.integers(0, 7), st.integers(0, 7)), st.integers(3, 9)))
def test_the_chain_is_the_heaviest_of_all(shared: dict[tuple[int, int], int]) -> None:
    """Tried in the plainest way: every chain of units in order, whose rows are in order."""
    weight, chain = heaviest_chain(Counter(shared), 8)
    assert weight == sum(shared[one] for one in chain)
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(chain))
    best: dict[tuple[int, int], int] = {}
    for unit, row in sorted(shared):
        before = [words for (u, r), words in best.items() if u < unit and r <= row]
        best[unit, row] = shared[unit, row] + max(before, default=0)
    assert weight == max(best.values(), default=0)
