"""Columns of words against their slow twin."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likewise import _core
from likewise.passages.families.columns import align_witnesses, in_order
from likewise.passages.families.runs import Run
from likewise.passages.families.stretches import Stretch
from tests import reference


@st.composite
def drawn_runs(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, int, int]]]:
    """The part of each word, and runs that may contradict each other."""
    parts = sorted(draw(st.lists(st.integers(0, 4), min_size=1, max_size=40)))
    words = st.integers(0, len(parts) - 1)
    runs = []
    for a, b in draw(st.lists(st.tuples(words, words), max_size=12)):
        runs.append((a, b, draw(st.integers(0, len(parts) - max(a, b)))))
    return parts, runs


@given(drawn_runs())
def test_columns_equal_those_of_the_reference(
    drawn: tuple[list[int], list[tuple[int, int, int]]],
) -> None:
    parts, runs = drawn
    a, b, lengths = (np.array([run[i] for run in runs], np.uint32) for i in range(3))
    found = _core.align_columns(np.array(parts, np.uint32), a, b, lengths)
    assert found.tolist() == reference.align_columns(parts, runs)


def test_the_longer_run_decides() -> None:
    """Word 0 of the second text is joined with one word of the first, not with two."""
    stretches = [Stretch(0, 0, 5), Stretch(1, 10, 13)]
    runs = [(0, 1, Run(0, 10, 1)), (0, 1, Run(2, 10, 3))]
    columns = in_order(align_witnesses(stretches, runs))
    assert columns.tolist() == [[2, 10], [3, 11], [4, 12]]


def test_columns_by_way_of_another_witness() -> None:
    stretches = [Stretch(0, 0, 2), Stretch(1, 0, 2), Stretch(2, 5, 7)]
    runs = [(0, 1, Run(0, 0, 2)), (1, 2, Run(1, 6, 1))]
    columns = in_order(align_witnesses(stretches, runs))
    assert columns.tolist() == [[0, 0, -1], [1, 1, 6]]


def test_a_column_without_the_first_witness_follows_the_one_before_it() -> None:
    columns = np.array([[-1, 5, 3], [7, 4, 2], [-1, 1, 0], [9, 6, -1]], np.int32)
    assert in_order(columns).tolist() == [[-1, 1, 0], [7, 4, 2], [-1, 5, 3], [9, 6, -1]]
