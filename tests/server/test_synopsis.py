"""Stored documents in parallel columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from likewise.index.index import Index
from likewise.survey.synopsis.synopsis import make_synopsis
from tests.server.conftest import Api
from tests.survey.made_texts import document, some

MakeApi = Callable[..., Api]

COMMON, QUOTED = some(40, "common"), some(20, "quoted")
DOCUMENTS = [
    document("first", some(30, 1), COMMON),
    document("second", COMMON, [f"“{' '.join(QUOTED)}”"]),
    document("a/third ü", [f"“{' '.join(QUOTED)}”"], COMMON),
]
IDS = [one.id for one in DOCUMENTS]
PATH = "/api/view/synopsis"


@pytest.fixture
def api(make_api: MakeApi, file: str) -> Api:
    with Index(file) as index:
        index.add([one.text for one in DOCUMENTS], IDS)
    return make_api(file)


def test_it_is_the_synopsis_of_the_documents_in_this_order(api: Api) -> None:
    view = api.ok("GET", PATH, params={"document": IDS[::-1]})
    assert view == make_synopsis(DOCUMENTS[::-1], min_words=view["min_words"]).to_dict()
    assert [one["id"] for one in view["texts"]] == IDS[::-1]
    assert view["traditions"][0]["words"] == [40, 40, 40]


def test_quotations_can_be_excluded(api: Api) -> None:
    def words(**params: str) -> list[int]:
        view = api.ok("GET", PATH, params={"document": IDS[1:], **params})
        found: list[int] = view["traditions"][0]["words"]
        return found

    assert words() == [60, 60]
    assert words(exclude="quotations") == [40, 40]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "document"),
        ({"document": ["first"]}, "document"),
        ({"document": ["first", "first"]}, "named more than once"),
        ({"document": [*IDS, "x", "y", "z"]}, "document"),
        ({"document": IDS, "exclude": "everything"}, "exclude"),
    ],
)
def test_wrong_requests_are_refused(
    api: Api, params: dict[str, str | list[str]], message: str
) -> None:
    assert message in api.refused(422, "GET", PATH, params=params)


def test_a_document_that_is_not_stored_is_not_found(api: Api) -> None:
    api.refused(404, "GET", PATH, params={"document": ["first", "none"]})


def test_a_collection_without_texts_has_none(make_api: MakeApi, tmp_path: Path) -> None:
    path = str(tmp_path / "sketches.db")
    with Index.create(path, keep_text=False) as index:
        index.add([one.text for one in DOCUMENTS], IDS)
    error = make_api(path).refused(422, "GET", PATH, params={"document": IDS})
    assert "stores no texts" in error


def test_texts_that_would_take_too_long_are_refused(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise.server.synopsis_answer.MAX_PASSAGE_CHARACTERS", 500)
    error = api.refused(422, "GET", PATH, params={"document": IDS})
    assert "more than 500 characters" in error
