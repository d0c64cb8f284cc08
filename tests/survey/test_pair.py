"""Two documents side by side."""

from __future__ import annotations

import pytest

import likewise
from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.passages.settings import Exclusions
from likewise.survey.measures import COLUMNS
from likewise.survey.pair_view import pair_view
from tests.survey.made_texts import document, some

COMMON = some(40, "common")
A = document("a", some(200, 1), COMMON, some(100, 2))
B = document("b", some(120, 3), [*COMMON[:20], "other", *COMMON[21:]], some(90, 4))


def test_measures_are_those_of_compare() -> None:
    view, wanted = pair_view(A, B), likewise.compare(A.text, B.text, trials=0)
    measures = view["measures"]
    assert measures["jaccard"] == pytest.approx(wanted.shingles.jaccard)
    assert measures["containment_a"] == pytest.approx(wanted.shingles.containment_a)
    assert measures["containment_b"] == pytest.approx(wanted.shingles.containment_b)
    assert measures["shared"] == wanted.shingles.shared
    assert (measures["share_a"], measures["share_b"]) == (
        wanted.passage_share_a,
        wanted.passage_share_b,
    )
    assert wanted.passages is not None
    assert wanted.estimate is not None
    assert measures["passages"] == len(wanted.passages)
    assert measures["estimate"]["value"] == wanted.estimate.value
    assert measures["low"] is None  # exact, and so without an interval
    assert set(COLUMNS) <= set(measures)


def test_places_of_a_passage_are_of_its_words_and_what_changed_is_marked() -> None:
    view = pair_view(A, B)
    (passage,) = view["passages"]
    a, b = view["a"]["text"], view["b"]["text"]
    assert a[passage["start"] : passage["end"]] == " ".join(COMMON)
    assert (passage["first"], passage["last"]) == (200, 240)
    assert (passage["other_first"], passage["other_last"]) == (120, 160)
    assert [a[start:end] for start, end in passage["changed"]] == [COMMON[20]]
    assert [b[start:end] for start, end in passage["other_changed"]] == ["other"]
    for text, side in ((a, "matched"), (b, "other_matched")):
        matched = [text.split()[first:last] for first, last in passage[side]]
        assert matched == [COMMON[:20], COMMON[21:]]
    assert passage["words"] == len(COMMON) - 1
    assert passage["run"] == 20


def test_the_chance_of_a_pair_is_by_shuffling_and_says_so() -> None:
    chance = pair_view(A, B)["measures"]["chance_of_pair"]
    assert chance["trials"] == 999
    assert chance["p_value"] == 1 / 1000
    assert chance["expected"] <= chance["highest"] < 0.05
    assert chance["null"] == "the same words in random order"
    assert pair_view(A, B, chance=False)["measures"]["chance_of_pair"] is None


def test_what_is_left_out_is_in_no_passage_and_stays_in_the_text() -> None:
    quoted = document("q", some(50, 5), [f"“{' '.join(COMMON)}.”"], some(50, 6))
    assert pair_view(A, quoted)["passages"]
    view = pair_view(A, quoted, exclude=Exclusions(quotations=True))
    assert view["passages"] == []
    assert view["measures"]["words"] == 0
    assert view["b"]["text"] == quoted.text
    assert view["b"]["words"] == 140


def test_short_passages_are_left_out_and_reported() -> None:
    view = pair_view(A, B, exclude=Exclusions(min_passage=50))
    assert view["passages"] == []
    assert view["notes"] == ["Excluded: 1 passage of fewer than 50 shared words."]


def test_texts_too_long_for_a_page_are_reported_and_not_worked_on() -> None:
    long = Document("word " * 900_000, id="l")
    view = pair_view(long, A)
    assert view["passages"] == []
    assert view["measures"]["chance_of_pair"] is None
    assert len(view["notes"]) == 2


@pytest.mark.parametrize("text", ["", "…", "word"])
def test_texts_with_nothing_in_common_have_measures_of_nought(text: str) -> None:
    view = pair_view(Document(text, id="e"), A)
    assert view["passages"] == []
    assert view["measures"]["jaccard"] == 0
    assert view["measures"]["share_a"] == 0


def test_a_wrong_min_words_is_refused() -> None:
    with pytest.raises(UsageError, match="min_words"):
        pair_view(A, B, min_words=0)
