"""A collection saved as a report: the figures of the app, without names if asked for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from likewise.index.index import Index
from likewise.server.settings import ServerSettings
from tests.server.conftest import Api, until
from tests.server.test_roles import READER, REVIEWER, bearer
from tests.server.test_views import HARBOUR, TEXTS, survey_of
from tests.survey.anonymity import data_of, found_in, named_documents

MakeApi = Callable[..., Api]
SAME = ("documents", "pairs", "archive", "histogram", "similarity", "chance", "threshold",
        "exclusions", "exclusion_data")  # fmt: skip


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    """Texts with names in them, and an archive."""
    documents = named_documents()
    with Index.create(tmp_path / "this.db") as index:
        part = documents[:7]
        index.add([one.text for one in part], [one.id for one in part],
                  metadata=[one.known for one in part])  # fmt: skip
        index.note_unread({"Ada Lovelace.pdf": "no text"})
    with Index.create(tmp_path / "Plato essays.db") as index:
        part = documents[7:]
        index.add([one.text for one in part], [one.id for one in part],
                  metadata=[one.known for one in part])  # fmt: skip
    with Api(ServerSettings((), quiet=True, folder=str(tmp_path), default="this")) as made:
        made.ok("PUT", "/api/archive", json={"collections": ["Plato essays"]})
        yield made


def saved(api: Api, query: str = "", what: str = "file", **more: Any) -> bytes:
    """A file, as soon as it is ready."""
    until(lambda: api.ok("GET", f"/api/report{query}", **more)["state"] == "ready")
    response = api("GET", f"/api/report/{what}{query}", **more)
    assert response.status_code == 200, response.text
    assert response.headers["content-disposition"].startswith("attachment; ")
    return response.content


def test_a_saved_report_has_the_figures_of_the_app(api: Api) -> None:
    survey = survey_of(api)
    page = saved(api)
    data = data_of(page)["survey"]
    for name in SAME:
        assert data[name] == survey[name] or name == "documents"
    columns, own = data["documents"]["columns"], survey["documents"]["columns"]
    assert {name: value for name, value in columns.items() if name != "text"} == {
        name: value for name, value in own.items() if name != "text"
    }
    assert data["run"]["skipped"] == [["Ada Lovelace.pdf", "", "no text"]]
    assert api("GET", "/api/report/file").headers["content-type"].startswith("text/html")


def test_a_report_without_names_has_none_and_a_key(api: Api) -> None:
    page = saved(api, "?anonymous=true")
    wanted = ["Lovelace", "Turing", "Plato", "Иванова", "王小明", "assignsubmission", "2025-10"]
    assert found_in(page, wanted) == []
    survey = survey_of(api)
    data = data_of(page)["survey"]
    for name in ("histogram", "similarity", "chance"):
        assert data[name] == survey[name]
    for name in ("highest", "matched", "words"):
        assert sorted(data["documents"]["columns"][name]) == sorted(
            survey["documents"]["columns"][name]
        )
    key = saved(api, "?anonymous=true", "key").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(key)))
    assert {row["file"] for row in rows} == {
        *(document.id for document in named_documents()), "Ada Lovelace.pdf",
    }  # fmt: skip
    dated = data_of(saved(api, "?anonymous=true&keep_dates=true"))["survey"]
    assert "2025-10-01" in dated["documents"]["columns"]["date"]
    assert dated["documents"]["columns"]["id"] == data["documents"]["columns"]["id"]


def test_a_report_is_made_again_after_a_change(api: Api) -> None:
    saved(api)
    api.add({"new": "One more text, of a few words."})
    api.refused(404, "GET", "/api/report/file")
    assert "new" in data_of(saved(api))["survey"]["documents"]["columns"]["id"]


def test_what_is_not_ready_is_refused(api: Api) -> None:
    with api.app.state.services.pools.survey_lock:
        assert api.ok("GET", "/api/report")["state"] == "running"
        message = api.refused(404, "GET", "/api/report/file")
        assert message == "the report is not ready"
        api.refused(404, "GET", "/api/report/key")
    api.refused(422, "GET", "/api/report?anonymous=perhaps")


def test_a_collection_without_texts_cannot_be_saved(make_api: MakeApi, tmp_path: Path) -> None:
    with Index.create(tmp_path / "bare.db", keep_text=False) as index:
        index.add(list(TEXTS.values()), list(TEXTS))
    api = make_api(str(tmp_path / "bare.db"))
    assert "stores no texts" in api.refused(422, "GET", "/api/report")
    api.refused(404, "GET", "/api/report/file")


def test_an_empty_collection_has_no_report(make_api: MakeApi, tmp_path: Path) -> None:
    Index.create(tmp_path / "empty.db").close()
    api = make_api(str(tmp_path / "empty.db"))
    assert api.ok("GET", "/api/report") == {"state": "empty"}
    api.refused(404, "GET", "/api/report/file")


def test_readers_save_what_they_see(make_api: MakeApi, tmp_path: Path) -> None:
    """The report of a reader, and its key, have nothing of an archive that is not shared."""
    for name, texts in (("this", TEXTS), ("zebrafish", {"zebrafish": HARBOUR})):
        with Index.create(tmp_path / f"{name}.db") as index:
            index.add(list(texts.values()), list(texts))
    api = make_api(None, folder=str(tmp_path), default="this", token=REVIEWER, reader_token=READER)
    reviewer, reader = ({"headers": bearer(token)} for token in (REVIEWER, READER))
    api.ok("PUT", "/api/sharing", json={"readers": True}, **reviewer)
    api.ok("PUT", "/api/archive", json={"collections": ["zebrafish"]}, **reviewer)
    assert b"zebrafish" in saved(api, **reviewer)
    assert b"zebrafish" not in saved(api, **reader)
    assert b"zebrafish" not in saved(api, "?anonymous=true", "key", **reader)
    assert b"zebrafish" in saved(api, "?anonymous=true", "key", **reviewer)
