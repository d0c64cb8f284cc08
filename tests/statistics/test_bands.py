"""Layouts: the law of bands, and the choice from threshold and recall."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import Layout, UsageError, choose_layout
from likewise.statistics.bands import tweets_layout

# Papers' Table 1, by (bands, rows) and similarity.
PAPERS = {
    (50, 2): {0.8: 1, 0.6: 1, 0.5: 0.99, 0.4: 0.99, 0.2: 0.87},
    (25, 4): {0.8: 0.99, 0.6: 0.96, 0.5: 0.80, 0.4: 0.47, 0.2: 0.03},
    (20, 5): {0.8: 0.99, 0.6: 0.80, 0.5: 0.47, 0.4: 0.18, 0.2: 0},
    (10, 10): {0.8: 0.67, 0.6: 0.05, 0.5: 0.01, 0.4: 0, 0.2: 0},
}


@pytest.mark.parametrize(("bands", "rows"), PAPERS)
def test_the_law_gives_the_table_of_the_papers_source(bands: int, rows: int) -> None:
    for similarity, printed in PAPERS[bands, rows].items():
        # The source cuts most of its digits off, and rounds some.
        assert Layout(bands, rows).recall(similarity) == pytest.approx(printed, abs=0.0101)


@given(st.floats(0.05, 0.99), st.floats(0.5, 0.999), st.sampled_from([16, 128, 200, 512]))
def test_a_chosen_layout_has_the_recall_and_fits(
    threshold: float, recall: float, values: int
) -> None:
    layout = choose_layout(threshold, recall, values)
    if layout is None:
        # Then not even single rows suffice, with the reserve.
        assert 1 - Layout(values, 1).recall(threshold) > (1 - recall) * 0.8
        return
    assert layout.recall(threshold) >= recall
    assert layout.bands * layout.rows <= values


def test_where_no_layout_has_the_recall_there_is_none() -> None:
    assert choose_layout(0.02, 0.99, 128) is None


def test_the_tweets_rule_is_what_the_source_printed() -> None:
    assert tweets_layout(0.55) == Layout(5, 3)
    assert tweets_layout(0.55).step() == pytest.approx(0.585, abs=0.001)


def test_false_areas_are_those_between_the_curve_and_the_step() -> None:
    # With one band of one row the curve is the diagonal: two triangles.
    below, above = Layout(1, 1).false_areas(0.4)
    assert below == pytest.approx(0.4 * 0.4 / 2)
    assert above == pytest.approx(0.6 * 0.6 / 2)


@pytest.mark.parametrize("threshold", [0, -0.1, 1.01, float("nan")])
def test_a_threshold_outside_0_and_1_is_reported(threshold: float) -> None:
    with pytest.raises(UsageError, match="greater than 0 and at most 1"):
        choose_layout(threshold, 0.99, 128)


@pytest.mark.parametrize("recall", [0, 1, 2])
def test_a_recall_outside_0_and_1_is_reported(recall: float) -> None:
    with pytest.raises(UsageError, match="recall is"):
        choose_layout(0.5, recall, 128)


@pytest.mark.parametrize("wrong", [(0, 1), (1, 0), (-1, 2), (1.5, 1), ("a", 1)])
def test_a_layout_has_bands_and_rows(wrong: Any) -> None:
    """Before, `Layout(1, 0)` had a recall of 1, and `Layout(-1, 2)` one of -1.8."""
    with pytest.raises(UsageError, match=r"bands is|rows is"):
        Layout(*wrong)
