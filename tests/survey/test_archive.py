"""Documents under review against an archive: which pairs there are, ids, figures and chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.index.index import Index
from likewise.passages.settings import Exclusions
from likewise.run import Stats
from likewise.search.comparable_pairs import comparable_pairs, sample_pairs
from likewise.search.find import new_collection, search
from likewise.search.settings import Settings
from likewise.survey.archive import Archive, prefixed, without_prefix
from likewise.survey.indexed_archive import archive_in_index, archive_name
from likewise.survey.settings import SurveySettings
from likewise.survey.survey import Survey
from likewise.text.inputs import ids_of
from likewise.text.profile import Profile
from likewise.text.tokens import compared_texts
from tests.survey.made_texts import document, some
from tests.survey.test_survey import ESSAYS, documents, rows

REVIEWED, ARCHIVED = ESSAYS[::2], ESSAYS[1::2]


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return Survey(ESSAYS).to_dict()


@pytest.fixture(scope="module")
def against() -> dict[str, Any]:
    return Survey(REVIEWED, archive=Archive({"archive": ARCHIVED})).to_dict()


def test_pairs_are_those_of_everything_without_those_inside_the_archive(
    whole: dict[str, Any], against: dict[str, Any]
) -> None:
    archived = {one.id for one in ARCHIVED}
    expected = {
        frozenset((row["a"], row["b"])): row
        for row in rows(whole)
        if not archived >= {row["a"], row["b"]}
    }
    found = {frozenset((row["a"], row["b"])): row for row in rows(against)}
    assert found.keys() == expected.keys()
    assert len(expected) < len(rows(whole))  # there were some
    for key, row in found.items():
        assert row["a"] not in archived
        turned = row["a"] != expected[key]["a"]
        other = {"share_a": "share_b", "words": "words_b", "containment_a": "containment_b"}
        for name in ("jaccard", "shared", "passages", "reworded", "run", "run_p", "chance_run"):
            assert row[name] == expected[key][name], name
        for one, two in other.items():
            assert (row[one], row[two]) == (expected[key][two if turned else one],
                                            expected[key][one if turned else two])  # fmt: skip


def test_all_under_review_are_listed_and_of_the_archive_those_in_pairs(
    against: dict[str, Any],
) -> None:
    listed = documents(against)
    in_pairs = {row["b"] for row in rows(against)} | {row["a"] for row in rows(against)}
    archived = {id_ for id_, row in listed.items() if row["archive"]}
    assert {row["archive"] for row in listed.values()} == {None, "archive"}
    assert listed.keys() - archived == {one.id for one in REVIEWED}
    assert archived == in_pairs - {one.id for one in REVIEWED}
    assert against["documents"]["count"] == len(REVIEWED)
    found = {"names": ["archive"], "count": len(ARCHIVED), "found": len(archived)}
    assert against["archive"] == found
    assert sum(against["histogram"]["documents"]) == len(REVIEWED)
    counts = dict(against["run"]["counts"])
    assert counts["documents under review"] == len(REVIEWED)
    assert counts["documents in the archive"] == len(ARCHIVED)


def test_words_shared_with_the_archive_count(against: dict[str, Any]) -> None:
    listed = documents(against)
    shared = [row for row in rows(against) if listed[row["b"]]["archive"] and row["words"]]
    assert shared
    for row in shared:
        assert listed[row["a"]]["matched"] >= row["words"]


def test_without_an_archive_nothing_is_marked(whole: dict[str, Any]) -> None:
    assert whole["archive"] is None
    assert "archive" not in whole["documents"]["columns"]


def test_equal_ids_are_told_apart() -> None:
    text = some(200, 0)
    own = [document("a.txt", text), document("b.txt", some(200, 1))]
    archive = Archive({
        "2018": [document("a.txt", text), document("c.txt", some(200, 2))],
        "2019": [document("c.txt", some(200, 2)), document("2018: a.txt", text)],
    })  # fmt: skip
    survey = Survey([*own, document("d.txt", some(200, 2))], archive=archive)
    named = {text.document.id: text.archive for text in survey.texts}
    assert named == {
        "a.txt": None, "b.txt": None, "d.txt": None, "2018:: a.txt": "2018", "c.txt": "2018",
        "2018: a.txt": "2019", "2019: c.txt": "2019",
    }  # fmt: skip
    found = {(row["a"], row["b"]) for row in rows(survey.to_dict())}
    assert found == {
        ("a.txt", "2018:: a.txt"), ("a.txt", "2018: a.txt"), ("d.txt", "c.txt"),
        ("d.txt", "2019: c.txt"),
    }  # fmt: skip
    assert survey.text(0).to_dict()["archive"] is None


def test_a_name_before_an_id_can_be_taken_off_again() -> None:
    for id_ in ("a.txt", ": a", "", "x: y", ":"):
        for taken in ((), {prefixed("2018", id_)}):
            assert without_prefix("2018", prefixed("2018", id_, taken)) == id_
    for id_ in ("a.txt", "2018", "2018a: b", "2018-2: b", "2019: b"):
        assert without_prefix("2018", id_) is None


def test_duplicate_ids_inside_an_archive_are_an_error() -> None:
    twice = [document("a", some(50, 0)), document("a", some(50, 1))]
    with pytest.raises(UsageError, match="duplicate id 'a'"):
        Survey([document("b", some(50, 0))], archive=Archive({"old": twice}))


@pytest.mark.parametrize(("review", "archive"), [([], ARCHIVED), (REVIEWED, []), ([], [])])
def test_nothing_on_one_side(review: list[Document], archive: list[Document]) -> None:
    found = Survey(review, archive=Archive({"archive": archive})).to_dict()
    assert found["pairs"]["count"] == (Survey(review).to_dict()["pairs"]["count"] if review else 0)
    assert found["documents"]["count"] == len(review)


def test_copies_are_paired_as_all_other_documents_are() -> None:
    """Copies are collapsed before the search and expanded after it."""
    text = some(120, 0)
    own = [document(f"r{i}", text) for i in range(4)]
    old = [document(f"s{i}", text) for i in range(3)]
    found = rows(Survey(own, archive=Archive({"archive": old})).to_dict())
    ids = [one.id for one in own]
    expected = {(a, b) for a in ids for b in ids if a < b} | {(a, b.id) for a in ids for b in old}
    assert sorted((row["a"], row["b"]) for row in found) == sorted(expected)
    assert all(row["jaccard"] == 1 for row in found)


def collection_of(count: int, archived: int, size: int | None = None) -> Any:
    settings = Settings(profile=Profile.of("word:3"), threshold=0.3, threads=1)
    collection = new_collection(settings)
    texts = [*(" ".join(some(60, seed)) for seed in range(count + archived - 1)), ""]

    def add(part: list[str]) -> None:
        views = compared_texts(part, settings.profile, threads=1, found=collection.lookalikes)
        collection.add_texts(ids_of(None, len(part)), views)

    add(texts[:count])
    collection.begin_archive(size)
    add(texts[count:])
    return collection, settings


def test_pairs_for_the_chance_level_are_those_that_are_compared() -> None:
    collection, settings = collection_of(7, 5)
    full = {(a, b) for a in range(7) for b in range(a + 1, 11)}  # the last one is empty
    assert comparable_pairs(collection) == len(full)
    a, b = sample_pairs(collection, 1000, 0)
    assert list(zip(a.tolist(), b.tolist(), strict=True)) == sorted(full)
    some_a, some_b = sample_pairs(collection, 20, 0)
    drawn = set(zip(some_a.tolist(), some_b.tolist(), strict=True))
    assert len(drawn) == 20
    assert drawn < full
    assert len(search(collection, settings, Stats())) == 0


def test_documents_of_the_archive_that_were_not_read_count_as_compared() -> None:
    collection, _ = collection_of(7, 5, 1000)
    assert comparable_pairs(collection) == 7 * 6 // 2 + 7 * (4 + 995)
    assert len(sample_pairs(collection, 1000, 0)[0]) == 21 + 7 * 4


def test_a_large_collection_finds_the_pairs_that_a_small_one_does(
    monkeypatch: pytest.MonkeyPatch, against: dict[str, Any]
) -> None:
    """Large ones search for candidates by runs and rare words, small ones align every pair."""
    monkeypatch.setattr("likewise.passages.aligned_pairs._MAX_WORDS_ALL_PAIRS", 0)
    found = Survey(REVIEWED, archive=Archive({"archive": ARCHIVED})).to_dict()
    assert rows(found) == rows(against)


def test_p_values_are_those_of_the_pairs_that_are_compared(against: dict[str, Any]) -> None:
    compared = len(REVIEWED) * (len(REVIEWED) - 1) // 2 + len(REVIEWED) * len(ARCHIVED)
    counts = dict(against["run"]["counts"])
    assert counts["pairs that could have been found"] == compared
    assert counts["pairs examined for the chance level"] == compared
    related = counts["of these related, and not used"]
    assert against["chance"]["pairs"] == compared - related
    best = rows(against)[0]
    assert best["p"] == pytest.approx(1 / (compared - related + 1), rel=1e-3)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made = Index.create(tmp_path / "old.db")
    made.add([one.text for one in ARCHIVED], [one.id for one in ARCHIVED])
    return made


def test_an_index_gives_the_documents_that_share_text(
    index: Index, against: dict[str, Any]
) -> None:
    archive = archive_in_index(index, "old", REVIEWED, SurveySettings())
    assert len(archive) == len(ARCHIVED)
    assert list(archive.collections) == ["old"]
    found = Survey(REVIEWED, archive=archive).to_dict()
    measures = ("a", "b", "jaccard", "share_a", "share_b", "words", "passages", "run", "run_p")
    assert [[row[name] for name in measures] for row in rows(found)] == [
        [row[name] for name in measures] for row in rows(against)
    ]
    assert found["archive"]["count"] == len(ARCHIVED)
    # All stored documents were compared, whether they are listed or not.
    compared = dict(against["run"]["counts"])["pairs that could have been found"]
    assert dict(found["run"]["counts"])["pairs that could have been found"] == compared
    assert np.all(np.array([row["q"] for row in rows(found)]) <= 1)


def test_a_document_that_is_stored_itself_is_not_its_own_source(index: Index) -> None:
    own = REVIEWED[0]
    index.add([own.text, own.text], [own.id, "copy"])
    archive = archive_in_index(index, "old", REVIEWED, SurveySettings())
    ids = {one.id for one in archive.collections["old"]}
    assert own.id not in ids
    assert "copy" in ids
    assert len(archive) == len(ARCHIVED) + 1
    assert any("not compared with itself" in note for note in archive.notes)


def test_an_index_without_passages_gives_similar_documents(tmp_path: Path) -> None:
    with Index.create(tmp_path / "plain.db", min_words=None) as made:
        made.add([REVIEWED[0].text], ["copy"])
        archive = archive_in_index(made, "plain", REVIEWED, SurveySettings())
    assert [one.id for one in archive.collections["plain"]] == ["copy"]
    assert any("without passages" in note for note in archive.notes)


def test_an_index_without_texts_is_an_error(tmp_path: Path) -> None:
    with (
        Index.create(tmp_path / "bare.db", keep_text=False) as made,
        pytest.raises(UsageError, match="stores no texts"),
    ):
        archive_in_index(made, "plain", REVIEWED, SurveySettings())


def test_names_of_indexes() -> None:
    assert archive_name("a/essays.db") == "essays"
    assert archive_name("postgresql://host/base#last year") == "last year"
    assert archive_name("postgresql://host/base?user=x") == "base"


def test_an_index_and_files_are_one_archive(index: Index) -> None:
    found = archive_in_index(index, "old", REVIEWED, SurveySettings())
    both = found.joined(Archive({"old": [ESSAYS[1]]}))
    assert list(both.collections) == ["old", "index old"]
    assert len(both) == len(ARCHIVED) + 1
    assert found.joined(Archive()) is found


def test_an_excluded_assignment_makes_no_pair_related() -> None:
    """Everybody has it, and still there is a chance level."""
    assignment = some(60, "assignment")
    essays = [document(f"e{i:02}", assignment, some(150, i)) for i in range(30)]
    settings = SurveySettings(exclude=Exclusions(templates=(" ".join(assignment),)))
    archive = Archive({"archive": essays[20:]})
    found = Survey(essays[:20], settings, archive=archive).to_dict()
    assert found["chance_reason"] is None
    assert found["chance"]["pairs"] == 20 * 19 // 2 + 20 * 10
    kept = Survey(essays[:20], archive=archive).to_dict()
    assert "unrelated" in kept["chance_reason"]
