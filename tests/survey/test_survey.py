"""A whole collection: pairs of both kinds with their measures, scores, and what is left out."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise
from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.passages.find import find_passages
from likewise.passages.settings import Exclusions
from likewise.survey.measures import COLUMNS
from likewise.survey.pair_view import pair_view
from likewise.survey.settings import RunFacts, SurveySettings
from likewise.survey.survey import BINS, Survey
from tests.survey.made_texts import document, some

SAMPLES = Path(__file__).parents[2] / "samples"
ESSAYS = [
    Document(path.read_text(encoding="utf-8"), id=path.name)
    for path in sorted((SAMPLES / "essays").glob("*.txt"))
]


def survey(documents: list[Document], *more: Any, **named: Any) -> dict[str, Any]:
    return Survey(documents, *more, **named).to_dict()


def rows(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Pairs one by one, with the ids of their documents."""
    columns, ids = view["pairs"]["columns"], view["documents"]["columns"]["id"]
    made = [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
    return [row | {"a": ids[row["a"]], "b": ids[row["b"]]} for row in made]


def documents(view: dict[str, Any]) -> dict[str, dict[str, Any]]:
    columns = view["documents"]["columns"]
    made = (
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    )
    return {row["id"]: row for row in made}


@pytest.fixture(scope="module")
def samples() -> dict[str, Any]:
    return survey(ESSAYS, run=RunFacts(title="Essays"))


def test_what_is_planted_in_the_samples_is_there_and_nothing_else(samples: dict[str, Any]) -> None:
    with (SAMPLES / "planted.csv").open(newline="", encoding="utf-8") as stream:
        planted = {frozenset((row["copy"], row["source"])) for row in csv.DictReader(stream)}
    assert {frozenset((row["a"], row["b"])) for row in rows(samples)} == planted
    assert samples["pairs"]["count"] == len(planted)
    assert samples["left_out"] == []


def test_the_most_similar_come_first_and_a_before_b(samples: dict[str, Any]) -> None:
    measure = [max(row["jaccard"], row["share_a"], row["share_b"]) for row in rows(samples)]
    assert measure == sorted(measure, reverse=True)
    assert all(row["a"] < row["b"] for row in rows(samples))


def test_measures_are_those_of_the_pair_view(samples: dict[str, Any]) -> None:
    by_id = {one.id: one for one in ESSAYS}
    for row in rows(samples):
        measures = pair_view(by_id[row["a"]], by_id[row["b"]], chance=False)["measures"]
        for name in ("jaccard", "containment_a", "containment_b"):
            assert row[name] == pytest.approx(measures[name], abs=1e-6), name
        for name in ("shared", "size_a", "size_b"):
            assert row[name] == measures[name], name


def test_unrelated_pairs_give_the_chance_level(samples: dict[str, Any]) -> None:
    chance = samples["chance"]
    assert chance["pairs"] == 577  # all but the 18 that are planted
    assert 0 < chance["mean"] < chance["highest"] < 0.05
    assert {row["p"] for row in rows(samples)} == {round(1 / 578, 5)}
    assert all(row["q"] >= row["p"] for row in rows(samples))


def test_histograms_count_all_pairs_and_all_documents(samples: dict[str, Any]) -> None:
    histogram = samples["histogram"]
    assert len(histogram["pairs"]) == len(histogram["documents"]) == BINS
    assert sum(histogram["pairs"]) == 18
    assert sum(histogram["documents"]) == 35
    assert histogram["documents"][0] == 3  # what takes part in nothing
    assert histogram["pairs"][-1] == sum(row["jaccard"] >= 0.98 for row in rows(samples))


def test_a_document_has_its_highest_similarity_and_each_matched_word_once(
    samples: dict[str, Any],
) -> None:
    found = documents(samples)
    mosaic = found["cars-04.txt"]
    own = [row for row in rows(samples) if "cars-04.txt" in (row["a"], row["b"])]
    assert mosaic["sources"] == len(own) == 3
    assert mosaic["highest"] == max(row["jaccard"] for row in own)
    assert mosaic["run"] == max(row["run"] for row in own)
    score = find_passages([d.text for d in ESSAYS], ids=[d.id for d in ESSAYS]).scores()
    for id_, row in found.items():
        matched = score[id_].matched if id_ in score else 0
        assert row["matched"] == matched, id_
    assert found["bees-03.txt"]["sources"] == 0
    assert samples["similarity"]["highest"] == 1


def test_the_best_source_shares_most_words(samples: dict[str, Any]) -> None:
    ids = samples["documents"]["columns"]["id"]
    for id_, row in documents(samples).items():
        own = [
            (pair["words"], pair["jaccard"], pair["b"])
            for pair in rows(samples)
            if pair["a"] == id_
        ] + [
            (pair["words_b"], pair["jaccard"], pair["a"])
            for pair in rows(samples)
            if pair["b"] == id_
        ]
        expected = min(own, key=lambda one: (-one[0], -one[1], one[2]))[2] if own else None
        assert (None if row["best"] is None else ids[row["best"]]) == expected


def test_it_is_plain_json_and_says_how_it_was_made(samples: dict[str, Any]) -> None:
    assert json.loads(json.dumps(samples, allow_nan=False)) == samples
    assert samples["title"] == "Essays"
    assert samples["version"] == likewise.__version__
    assert ["profile", "word:3"] in samples["run"]["settings"]
    assert set(samples["pairs"]["columns"]) == {"a", "b", *COLUMNS} - {"low", "high", "level"}


def test_the_same_whatever_the_order_and_the_threads() -> None:
    def told(one: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in one.items() if name != "run"}

    one = survey(ESSAYS, SurveySettings(threads=1))
    two = survey(ESSAYS[::-1], SurveySettings(threads=2))
    assert told(one) == told(two)


words = st.sampled_from([f"{a}{b}" for a in "abcdefgh" for b in "aeiou"])
texts = st.lists(words, max_size=40).map(" ".join)


@settings(max_examples=60)
@given(
    parts=st.lists(texts, min_size=1, max_size=5),
    chosen=st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=8),
    threshold=st.sampled_from([0.1, 0.2, 0.5]),
    min_words=st.sampled_from([4, 12]),
)
def test_pairs_are_those_of_find_pairs_and_of_find_passages_together(
    parts: list[str], chosen: list[list[int]], threshold: float, min_words: int
) -> None:
    made = [" ".join(parts[i % len(parts)] for i in one) for one in chosen]
    ids = [f"{i:02}" for i in range(len(made))]
    view = survey(
        [Document(text, id=id_) for id_, text in zip(ids, made, strict=True)],
        SurveySettings(threshold=threshold, min_words=min_words),
    )
    similar = {(p.a, p.b): p for p in likewise.find_pairs(made, ids=ids, threshold=threshold)}
    passages = {(p.a, p.b): p for p in find_passages(made, ids=ids, min_words=min_words)}
    exact = {(p.a, p.b): p for p in likewise.find_pairs(made, ids=ids, threshold=1e-9, exact=True)}
    found = {(row["a"], row["b"]): row for row in rows(view)}
    assert found.keys() == similar.keys() | passages.keys()
    assert view["documents"]["count"] == len(made)
    for key, row in found.items():
        assert row["jaccard"] == pytest.approx(exact[key].jaccard if key in exact else 0, abs=1e-6)
        if key in passages:
            assert row["words"] == passages[key].words
            assert row["share_b"] == pytest.approx(passages[key].share_b, abs=1e-6)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_small_or_empty_collection_has_a_survey(count: int) -> None:
    view = survey([document(str(i), some(100, i)) for i in range(count)])
    assert view["documents"]["count"] == count
    assert view["pairs"]["count"] == 0
    assert sum(view["histogram"]["documents"]) == count
    assert view["chance"] is None  # there are not enough unrelated pairs
    assert view["similarity"] == {"highest": 0, "mean": 0, "median": 0}


def test_documents_without_words_are_listed_and_in_no_pair() -> None:
    view = survey([Document("", id="a"), Document("…", id="b"), Document("", id="c")])
    assert [row["words"] for row in documents(view).values()] == [0, 0, 0]
    assert view["pairs"]["count"] == 0


def test_the_same_id_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="duplicate id 'a'"):
        survey([Document("one", id="a"), Document("two", id="a")])


def test_what_is_not_listed_is_counted_and_reported() -> None:
    common = some(60, "common")
    made = [document(f"{i:03}", [*common[: 60 - i], *some(40, i)]) for i in range(12)]
    made += [document(f"u{i:03}", some(100, f"u{i}")) for i in range(10)]
    full = survey(made)
    cut = survey(made, SurveySettings(max_pairs=3, max_documents=8))
    assert cut["pairs"]["count"] == full["pairs"]["count"] == 66
    assert cut["histogram"] == full["histogram"]
    assert rows(cut) == rows(full)[:3]
    assert cut["documents"]["count"] == 22
    assert len(documents(cut)) == 8
    assert all(id_.startswith("0") for id_ in documents(cut))
    assert len(cut["left_out"]) == 2
    assert (
        "66 pairs were found; the 3 most similar are listed, the other 63 are not."
        in cut["left_out"]
    )


def test_what_very_many_documents_share_is_shown_where_they_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over 200 documents have it, so no search for passages leads there; similarity does."""
    monkeypatch.setattr(
        "likewise.passages.aligned_pairs._MAX_WORDS_ALL_PAIRS", 0
    )  # as in a large collection
    common = some(60, "common")
    view = survey([document(f"{i:03}", [*common, *some(3, i)]) for i in range(210)])
    assert view["pairs"]["count"] == 210 * 209 // 2
    assert len(rows(view)) == 2000
    assert all(row["passages"] == 1 and row["words"] >= 60 for row in rows(view))
    assert any("may be missing" in note for note in view["run"]["notes"])


def test_very_many_exact_copies_are_paired_with_the_first_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # In a small collection every two documents are aligned.
    monkeypatch.setattr("likewise.passages.aligned_pairs._MAX_WORDS_ALL_PAIRS", 0)
    copies = [document(f"{i:03}", some(50, "same")) for i in range(250)]
    view = survey([*copies, document("other", some(50, "other"))])
    assert view["pairs"]["count"] == 249
    assert {row["a"] for row in rows(view)} == {"000"}
    assert any("exact copies" in note for note in view["run"]["notes"])


def test_documents_of_the_same_author_are_left_out_of_both_searches() -> None:
    common = some(60, "common")
    made = [
        document(id_, [*common, *some(20, id_)], metadata={"author": author})
        for id_, author in (("a", "X"), ("b", "X"), ("c", "Y"))
    ]
    view = survey(made, SurveySettings(exclude=Exclusions(same=("author",))))
    assert [(row["a"], row["b"]) for row in rows(view)] == [("a", "c"), ("b", "c")]
    (told,) = [one for one in view["exclusions"] if one["on"]]
    assert told["value"] == "author"
    assert told["left_out"] == "1 pair"


def test_pairs_that_share_little_by_every_measure_are_left_out() -> None:
    small, large = some(20, "small"), some(70, "large")
    made = [
        document("a", small, some(180, 1), large),
        document("b", small, some(180, 2)),
        document("c", large, some(130, 3)),
    ]
    view = survey(made, SurveySettings(exclude=Exclusions(min_share=0.2)))
    assert [(row["a"], row["b"]) for row in rows(view)] == [("a", "c")]
    assert documents(view)["a"]["matched"] == 70
    (told,) = [one for one in view["exclusions"] if one["on"]]
    assert told["left_out"] == "1 pair"


def test_what_is_left_out_of_texts_counts_neither_as_shared_nor_as_words() -> None:
    quotation = "“" + " ".join(some(40, "quoted")) + ".”"
    made = [document(id_, some(100, id_), [quotation]) for id_ in ("a", "b")]
    assert survey(made)["pairs"]["count"] == 1
    view = survey(made, SurveySettings(exclude=Exclusions(quotations=True)))
    assert view["pairs"]["count"] == 0
    assert documents(view)["a"]["words"] == 100
    (told,) = [one for one in view["exclusions"] if one["on"]]
    assert told["left_out"] == "2 quotations in 2 documents"


def test_look_alike_letters_do_not_hide_a_similar_document() -> None:
    text = " ".join(some(100, "text"))
    made = [Document(text, id="a"), Document(text.replace("a", "\u0430"), id="b")]
    view = survey(made)
    (row,) = rows(view)
    assert row["jaccard"] == 1
    assert documents(view)["b"]["flags"] > 0
    assert documents(view)["a"]["flags"] == 0


def test_what_progress_raises_ends_the_work() -> None:
    class StopError(Exception):
        pass

    stages: list[str] = []

    def note(stage: str, done: int, total: int | None) -> None:
        stages.append(stage)

    survey(ESSAYS, progress=note)
    for wanted in dict.fromkeys(stages):

        def stop(stage: str, done: int, total: int | None, wanted: str = wanted) -> None:
            if stage == wanted:
                raise StopError

        with pytest.raises(StopError):
            survey(ESSAYS, progress=stop)


def test_texts_and_passages_of_what_is_listed_fit_the_rows() -> None:
    made = Survey(ESSAYS)
    view = made.to_dict(with_text={0, 3})
    found = rows(view)
    assert np.flatnonzero(view["documents"]["columns"]["text"]).tolist() == [0, 3]
    for row, one in enumerate(found):
        a, b = made.pair(row)
        assert (made.text(a).document.id, made.text(b).document.id) == (one["a"], one["b"])
        assert len(made.passages(row)) == one["passages"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"threshold": 0.0}, "threshold"),
        ({"max_pairs": -1}, "max_pairs"),
        ({"min_words": 0}, "min_words"),
        ({"null_pairs": 0}, "null_pairs"),
    ],
)
def test_wrong_settings_are_refused_before_any_work(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        SurveySettings(**wrong)


def test_sources_of_a_document_are_those_that_share_a_passage() -> None:
    short, long = some(8, "too short for a passage"), some(60, "long")
    view = survey(
        [document("a", short), document("b", short), document("c", long), document("d", long)]
    )
    assert view["pairs"]["count"] == 2
    assert {id_: row["sources"] for id_, row in documents(view).items()} == {
        "a": 0, "b": 0, "c": 1, "d": 1,
    }  # fmt: skip


def test_each_number_of_pairs_has_a_name_of_its_own() -> None:
    own = [some(400, name) for name in "abc"]
    short, copied = some(8, "short"), some(30, "copied")
    view = survey(
        [document("a", own[0], copied), document("b", own[1], copied), document("c", short),
         document("d", short)]
    )  # fmt: skip
    counts = dict(view["run"]["counts"])
    assert counts["pairs found"] == view["pairs"]["count"] == 2
    assert counts["pairs at or above the minimum similarity"] == 1
    assert counts["pairs found by shared passages only"] == 1
    assert counts["pairs with shared passages"] == counts["passages"] == 1


def test_pairs_of_excluded_text_are_in_no_number_of_pairs() -> None:
    template = " ".join(some(100, "template"))
    made = [document(id_, some(50, id_), template.split()) for id_ in "abc"]
    view = survey(made, SurveySettings(exclude=Exclusions(templates=(template,))))
    counts = dict(view["run"]["counts"])
    assert counts["pairs found"] == view["pairs"]["count"] == 0
    assert counts["pairs at or above the minimum similarity"] == 0
    assert counts["pairs found by shared passages only"] == 0


def test_a_bibliography_is_called_so() -> None:
    entry = "Smith, J. (2001). A book about books. London: Press."
    references = "\n".join(["References", "", *[entry] * 3])
    made = [Document(f"{' '.join(some(100, id_))}\n\n{references}", id=id_) for id_ in "ab"]
    view = survey(made, SurveySettings(exclude=Exclusions(bibliography=True)))
    (shown,) = [one for one in view["exclusions"] if one["on"]]
    assert shown["name"] == "bibliography"
    assert shown["left_out"] == "2 bibliographies in 2 documents"
