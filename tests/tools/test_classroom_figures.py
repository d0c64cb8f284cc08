"""What likewise finds in the made-up class, against the truth.

These are the promises to somebody who checks a class: every planted copy is found, every percentage
is within 3 points of the truth, and there is no passage in which nothing was copied. They hold
for the whole product, from the files to the figures; `benchmarks/passages` has them for a class
of full size.
"""

from __future__ import annotations

import pytest

from tools.classroom.scoring import POINTS, REWORDED, ReadClass, Score

SEARCHES = ["this year", "this year, no template", "others", "others, no template", "pair alone"]


@pytest.fixture(scope="module", params=SEARCHES)
def score(request: pytest.FixtureRequest, read_class: ReadClass) -> Score:
    if request.param == "pair alone":
        return read_class.score_alone(200, seed=1)
    return read_class.score(
        against=request.param.startswith("others"), template="no template" not in request.param
    )


def test_every_planted_copy_is_found(score: Score) -> None:
    missed = [one for one in score.detections if one.planted.kind != REWORDED and not one.found]
    assert missed == []


def test_percentages_of_pairs_are_true(score: Score) -> None:
    assert [figure for figure in score.pairs if figure.error > POINTS] == []


def test_percentages_of_documents_are_true(score: Score) -> None:
    assert [figure for figure in score.documents if figure.error > POINTS] == []


def test_nothing_is_found_where_nothing_was_copied(score: Score) -> None:
    assert score.false_passages == []
