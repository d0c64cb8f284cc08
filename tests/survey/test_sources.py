"""One document and its sources, from a collection and from an index."""

from __future__ import annotations

from pathlib import Path

import pytest

import likewise
from likewise.documents.document import Document
from likewise.index.index import Index
from likewise.passages.find import find_passages
from likewise.survey.document_view import document_view
from likewise.survey.pair_view import pair_view
from tests.survey.made_texts import document, some

ONE, TWO = some(60, "one"), some(30, "two")
DOCUMENTS = {
    one.id: one
    for one in (
        document("copy", some(100, 1), ONE, some(50, 2), TWO),
        document("first", some(80, 3), ONE),
        document("second", TWO, some(90, 4), metadata={"title": "Second"}),
        document("none", some(300, 5)),
    )
}


def passages() -> likewise.Passages:
    texts = [one.text for one in DOCUMENTS.values()]
    return find_passages(texts, ids=list(DOCUMENTS))


def test_sources_are_those_that_share_passages_the_most_first() -> None:
    view = document_view(DOCUMENTS["copy"], passages(), DOCUMENTS)
    assert [source["id"] for source in view["sources"]] == ["first", "second"]
    assert [source["pair"]["words"] for source in view["sources"]] == [60, 30]
    assert view["sources"][1]["title"] == "Second"
    assert view["document"]["id"] == "copy"


def test_every_source_is_as_its_pair_view_has_it() -> None:
    for id_ in ("copy", "first", "second"):
        view = document_view(DOCUMENTS[id_], passages(), DOCUMENTS)
        for source in view["sources"]:
            pair = pair_view(DOCUMENTS[id_], DOCUMENTS[source["id"]])
            assert source["passages"] == pair["passages"]
            assert source["words"] == pair["b"]["words"]
            for name in ("jaccard", "containment_a", "containment_b", "words", "share_a", "run"):
                assert source["pair"][name] == pair["measures"][name], name


def test_a_document_without_sources_has_an_empty_list() -> None:
    assert document_view(DOCUMENTS["none"], passages(), DOCUMENTS)["sources"] == []


def test_more_sources_than_are_shown_are_reported() -> None:
    view = document_view(DOCUMENTS["copy"], passages(), DOCUMENTS, max_sources=1)
    assert [source["id"] for source in view["sources"]] == ["first"]
    assert "1 more document" in view["notes"][-1]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made = Index.create(tmp_path / "essays.db")
    stored = [one for one in DOCUMENTS.values() if one.id != "copy"]
    made.add(
        [one.text for one in stored],
        [one.id for one in stored],
        metadata=[dict(one.metadata) if one.metadata else None for one in stored],
    )
    return made


def test_an_index_gives_documents_and_matches(index: Index) -> None:
    copy = DOCUMENTS["copy"]
    with index:
        found = index.passages([copy.text], ids=["copy"])
        (matches,) = index.query([copy.text], threshold=0.05, scan=True)
    view = document_view(copy, found, matches=matches)
    assert [source["id"] for source in view["sources"]] == ["first", "second"]
    assert view["sources"][1]["title"] == "Second"
    assert [match["id"] for match in view["matches"]] == ["first", "second"]
    best = view["matches"][0]
    assert best["jaccard"] == view["sources"][0]["pair"]["jaccard"]
    assert best["low"] is None


def test_matches_of_an_index_without_texts_have_intervals(tmp_path: Path) -> None:
    copy = DOCUMENTS["copy"]
    with Index.create(tmp_path / "bare.db", keep_text=False, threshold=0.2) as index:
        index.add([copy.text], ["copy"])
        (matches,) = index.query([copy.text])
    view = document_view(Document(copy.text, id="new"), likewise.Passages([]), matches=matches)
    (match,) = view["matches"]
    assert match["low"] <= match["jaccard"] <= match["high"]
    assert match["level"] == 0.95


def test_a_stored_document_is_shown_without_itself(index: Index) -> None:
    with index:
        stored = index.get("first")
        assert stored is not None
        found = index.passages([stored.text], ids=["first"])
    view = document_view(stored.to_document(), found, without={"first"})
    assert view["sources"] == []
    itself = document_view(stored.to_document(), found)
    assert [source["id"] for source in itself["sources"]] == ["first"]
