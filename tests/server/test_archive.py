"""Collections as the archive of another one: chosen, stored, searched, and marked in all views."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from likewise.index.index import Index
from likewise.survey.pair_view import pair_view
from tests.server.conftest import Api, message_of
from tests.server.test_views import BAKERS, HARBOUR, TEXTS, survey_of

MakeApi = Callable[..., Api]

LAST = {
    "harbour": f"Written a year before. {HARBOUR} With another end, and more words after it.",
    "copy": f"{HARBOUR} Copied inside the archive, where nobody asks about it this year.",
    "alone": "sheep graze on the northern hills where the wind never stops in any season at all",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, texts in {"this": TEXTS, "last": LAST, "older": {"bread": f"{BAKERS} Old."}}.items():
        with Index.create(tmp_path / f"{name}.db") as index:
            index.add(list(texts.values()), list(texts))
    with Index.create(tmp_path / "bare.db", keep_text=False) as index:
        index.add(list(LAST.values()), list(LAST))
    return tmp_path


@pytest.fixture
def api(make_api: MakeApi, folder: Path) -> Api:
    return make_api(None, folder=str(folder))


def choose(api: Api, *names: str) -> dict[str, Any]:
    return api.ok("PUT", "/c/this/api/archive", json={"collections": list(names)})


def pairs_of(survey: dict[str, Any]) -> set[tuple[str, str]]:
    ids, pairs = survey["documents"]["columns"]["id"], survey["pairs"]["columns"]
    return {(ids[a], ids[b]) for a, b in zip(pairs["a"], pairs["b"], strict=True)}


def test_an_archive_is_chosen_and_stored(api: Api, folder: Path, make_api: MakeApi) -> None:
    known = api.ok("GET", "/c/this/api/archive")
    assert known["collections"] == []
    assert set(known["available"]) == {"last", "older", "bare"} | (
        {"index"} if (folder / "index.db").exists() else set()
    )
    assert choose(api, "older", "last", "older")["collections"] == ["older", "last"]
    again = make_api(None, folder=str(folder))
    assert again.ok("GET", "/c/this/api/archive")["collections"] == ["older", "last"]
    assert again.ok("GET", "/c/last/api/archive")["collections"] == []
    (folder / "older.db").unlink()
    assert again.ok("GET", "/c/this/api/archive")["collections"] == ["last"]
    assert choose(again)["collections"] == []


@pytest.mark.parametrize(
    ("names", "status", "message"),
    [
        (["this"], 422, "cannot be its own archive"),
        (["nowhere"], 404, "there is no collection 'nowhere'"),
        (["../x"], 404, "there is no collection"),
        (["last"] * 21, 422, "20"),
    ],
)
def test_what_cannot_be_an_archive(api: Api, names: list[str], status: int, message: str) -> None:
    answer = api("PUT", "/c/this/api/archive", json={"collections": names})
    assert answer.status_code == status
    assert message in message_of(answer)
    assert api.ok("GET", "/c/this/api/archive")["collections"] == []


def test_the_survey_has_both_and_follows_changes(api: Api) -> None:
    before = survey_of(api, "/c/this")
    assert before["archive"] is None
    assert ("harbour", "both") in pairs_of(before) or ("both", "harbour") in pairs_of(before)
    choose(api, "last")
    survey = survey_of(api, "/c/this")
    assert survey["archive"] == {"names": ["last"], "count": 3, "found": 2}
    assert survey["documents"]["count"] == len(TEXTS)
    columns = survey["documents"]["columns"]
    archived = {
        id_: name for id_, name in zip(columns["id"], columns["archive"], strict=True) if name
    }
    assert archived == {"last: harbour": "last", "last: copy": "last"}
    found = pairs_of(survey)
    assert {("harbour", "last: harbour"), ("both", "last: harbour"), ("both", "last: copy")} < found
    assert not any(a in archived for a, _ in found)
    assert pairs_of(before) < found
    api.ok("POST", "/c/last/api/remove", json={"ids": ["copy"]})
    assert survey_of(api, "/c/this")["archive"] == {"names": ["last"], "count": 2, "found": 1}
    choose(api)
    assert survey_of(api, "/c/this")["archive"] is None


def test_a_document_lists_sources_of_the_archive(api: Api) -> None:
    choose(api, "last", "older")
    view = api.ok("GET", "/c/this/api/view/document/both")
    archives = {source["id"]: source.get("archive") for source in view["sources"]}
    assert archives["last: harbour"] == "last"
    assert archives["older: bread"] == "older"
    assert archives["harbour"] is None
    words = [source["pair"]["words"] for source in view["sources"]]
    assert words == sorted(words, reverse=True)
    checked = api.ok("POST", "/c/this/api/view/check", json={"text": TEXTS["both"]})
    assert {source["id"] for source in checked["sources"]} == {*archives, "both"}


def test_a_pair_with_the_archive_has_the_figures_of_the_two_documents(api: Api) -> None:
    from likewise.documents.document import Document

    choose(api, "last")
    expected = pair_view(
        Document(TEXTS["both"], id="both"), Document(LAST["harbour"], id="harbour"), chance=False
    )["measures"]
    params = {"a": "both", "b": "last: harbour"}
    view = api.ok("GET", "/c/this/api/view/pair", params=params)
    assert (view["a"]["archive"], view["b"]["archive"]) == (None, "last")
    assert view["b"]["id"] == "last: harbour"
    names = ("jaccard", "words", "words_b", "share_a", "share_b", "passages", "run", "run_p")
    for name in names:
        assert view["measures"][name] == expected[name], name
    source = next(
        one
        for one in api.ok("GET", "/c/this/api/view/document/both")["sources"]
        if one["id"] == "last: harbour"
    )
    survey = survey_of(api, "/c/this")
    columns, ids = survey["pairs"]["columns"], survey["documents"]["columns"]["id"]
    row = next(
        row
        for row, (a, b) in enumerate(zip(columns["a"], columns["b"], strict=True))
        if (ids[a], ids[b]) == ("both", "last: harbour")
    )
    for name in names:
        assert source["pair"][name] == expected[name], name
        assert columns[name][row] == pytest.approx(expected[name], abs=1e-6), name


def test_a_document_of_the_archive_is_shown_with_those_under_review(api: Api) -> None:
    choose(api, "last")
    view = api.ok("GET", f"/c/this/api/view/document/{quote('last: harbour')}")
    assert view["document"]["archive"] == "last"
    assert view["document"]["text"] == LAST["harbour"]
    assert {source["id"] for source in view["sources"]} == {"harbour", "both"}
    assert "in the archive" in view["notes"][0]
    choose(api)
    gone = api("GET", f"/c/this/api/view/document/{quote('last: harbour')}")
    assert gone.status_code == 404


def test_an_id_that_looks_like_one_of_the_archive_is_its_own(api: Api) -> None:
    """Both documents have a page, whatever they are called."""
    listed = [{"id": "last: harbour", "text": f"Mine. {HARBOUR}"}]
    api.ok("POST", "/c/this/api/documents", json={"documents": listed})
    choose(api, "last")
    own = api.ok("GET", f"/c/this/api/view/document/{quote('last: harbour')}")
    assert own["document"]["text"].startswith("Mine.")
    assert "last:: harbour" in {source["id"] for source in own["sources"]}
    assert ("last: harbour", "last:: harbour") in pairs_of(survey_of(api, "/c/this"))
    place = {"id": "last: harbour", "first": 0, "last": 2}
    answer = api.ok("POST", "/c/this/api/view/stretches", json={"places": [place]})
    assert own["document"]["text"].startswith(answer["stretches"][0]["text"])
    other = api.ok("GET", f"/c/this/api/view/document/{quote('last:: harbour')}")
    assert other["document"]["text"] == LAST["harbour"]


def test_a_document_that_is_in_the_archive_too_is_not_its_own_source(api: Api) -> None:
    listed = [{"id": "both", "text": TEXTS["both"]}]
    api.ok("POST", "/c/last/api/documents", json={"documents": listed})
    choose(api, "last")
    view = api.ok("GET", "/c/this/api/view/document/both")
    assert "last: both" not in {source["id"] for source in view["sources"]}
    assert ("both", "last: both") not in pairs_of(survey_of(api, "/c/this"))


def test_an_archive_without_texts_is_noted(api: Api) -> None:
    choose(api, "bare")
    survey = survey_of(api, "/c/this")
    assert survey["archive"] == {"names": [], "count": 0, "found": 0}
    assert any("bare stores no texts" in note for note in survey["run"]["notes"])
    view = api.ok("GET", "/c/this/api/view/document/both")
    assert not any(source.get("archive") for source in view["sources"])


def test_a_collection_without_texts_is_not_compared_with_an_archive(api: Api) -> None:
    api.ok("PUT", "/c/bare/api/archive", json={"collections": ["last"]})
    notes = survey_of(api, "/c/bare")["run"]["notes"]
    assert any("not compared with its archive" in note for note in notes)
