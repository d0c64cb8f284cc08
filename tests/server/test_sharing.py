"""Collections are private until a reviewer shares them: for readers, others do not exist."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from likewise.index.index import Index
from likewise.server.errors import ApiError
from likewise.server.index_client import IndexClient
from likewise.server.sharing import Sharing
from tests.server.conftest import Api
from tests.server.test_archive import LAST, pairs_of
from tests.server.test_roles import READER, REVIEWER, bearer
from tests.server.test_views import HARBOUR, TEXTS, survey_of

MakeApi = Callable[..., Api]
SECRET = "zebrafish"
"""In the name, the ids and the texts of the private collection."""
NOWHERE = "quaggafish"
PRIVATE_TEXTS = {
    f"{SECRET} {id_}": f"{text} About the {SECRET}, which nobody may read."
    for id_, text in LAST.items()
}
TOKENS = {"token": REVIEWER, "reader_token": READER}
AS_READER = {"headers": bearer(READER)}
AS_REVIEWER = {"headers": bearer(REVIEWER)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A shared collection, whose archive is a private one."""
    collections = {"this": TEXTS, SECRET: PRIVATE_TEXTS, "older": {"bread": f"{HARBOUR} Old."}}
    for name, texts in collections.items():
        with Index.create(tmp_path / f"{name}.db") as index:
            index.add(list(texts.values()), list(texts))
    return tmp_path


@pytest.fixture
def api(make_api: MakeApi, folder: Path) -> Api:
    return make_api(None, folder=str(folder), default=SECRET, **TOKENS)


def share(api: Api, name: str, on: bool = True) -> dict[str, Any]:
    return api.ok("PUT", f"/c/{name}/api/sharing", json={"readers": on}, **AS_REVIEWER)


def names(api: Api, **who: Any) -> list[str]:
    return [one["name"] for one in api.ok("GET", "/api/collections", **who)["collections"]]


def requests(api: Api) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """A request for every operation that the OpenAPI document lists, as right as can be."""
    openapi = api.ok("GET", "/openapi.json", **AS_REVIEWER)
    document = next(iter(PRIVATE_TEXTS))
    for path, operations in openapi["paths"].items():
        for method, operation in operations.items():
            query: dict[str, Any] = {}
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query" and parameter["required"]:
                    query[parameter["name"]] = document
            if path.endswith("/pair"):
                query = dict(zip("ab", PRIVATE_TEXTS, strict=False))
            content = operation.get("requestBody", {}).get("content", {})
            more: dict[str, Any] = {"params": query}
            if "application/json" in content:
                schema = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
                example = openapi["components"]["schemas"][schema].get("examples", [{}])[0]
                more["json"] = example
            elif content:
                more["content"] = HARBOUR.encode()
            # The document is left out of the path by FastAPI's converters for the description.
            yield method.upper(), re.sub(r"\{[^}]*\}", quote(document, safe=""), path), more


def test_a_collection_is_private_until_it_is_shared(
    api: Api, make_api: MakeApi, folder: Path
) -> None:
    assert names(api, **AS_READER) == []
    assert set(names(api, **AS_REVIEWER)) >= {"this", SECRET, "older"}
    assert api.ok("GET", "/c/this/api/sharing", **AS_REVIEWER) == {
        "readers": False,
        "always": False,
    }
    api.refused(404, "GET", "/c/this/api/documents", **AS_READER)
    assert share(api, "this") == {"readers": True, "always": False}
    assert names(api, **AS_READER) == ["this"]
    assert len(api.ok("GET", "/c/this/api/documents", **AS_READER)["documents"]) == len(TEXTS)
    # It is stored, and for other processes too.
    again = make_api(None, folder=str(folder), default=SECRET, **TOKENS)
    assert names(again, **AS_READER) == ["this"]
    share(again, "this", on=False)
    assert names(api, **AS_READER) == []
    api.refused(404, "GET", "/c/this/api/documents", **AS_READER)


@pytest.mark.parametrize("shared", [False, True], ids=["nothing shared", "another one shared"])
@pytest.mark.parametrize("prefix", ["", f"/c/{SECRET}", f"/c/{SECRET.replace('z', '%7A')}"])
def test_no_route_tells_readers_of_a_private_collection(
    api: Api, folder: Path, prefix: str, shared: bool
) -> None:
    """Each answers as if there were no such collection, and says nothing of it."""
    if shared:
        share(api, "this")
    for method, path, more in requests(api):
        answer = api(method, prefix + path, **more, **AS_READER)
        asked = {"body": more.get("json"), "params": more["params"]}
        if prefix and path.startswith("/api/"):
            other = prefix.replace(prefix[3:], NOWHERE) + path
            missing = api(method, other, **more, **AS_READER)
            assert answer.status_code == missing.status_code == 404, (method, path)
            assert answer.text.replace(SECRET, NOWHERE) == missing.text
            continue
        assert answer.status_code in (200, 403, 404, 405), (method, path, answer.text)
        assert SECRET not in answer.text, (method, path, asked)
        if path == "/metrics":
            assert "likewise_documents" not in answer.text
    with Index(folder / f"{SECRET}.db") as index:
        assert len(index) == len(PRIVATE_TEXTS)
        assert not index.shared_with_readers


@pytest.mark.parametrize(
    "path",
    [
        "/", "/static/app.js", "/health", "/c/", "/c//api/index", f"/c/{SECRET}/", f"/c/{SECRET}",
        f"/c/{SECRET}/metrics", f"/c/{SECRET}/health", f"/C/{SECRET}/api/index",
        f"/c/{SECRET}/api/collections", f"/c/{SECRET}/api/../api/index", "/api/../api/index",
        f"/c/{SECRET}/api//index", f"/c/this/api/../../{SECRET}/api/index", "/%61pi/index",
        f"/c/this%2F..%2F{SECRET}/api/index", "/api/collections/", "/api/collections/../index",
        "//api/index", "/api/index?name=this", "/metrics/", "/metrics?default=this",
    ],
)  # fmt: skip
def test_no_trick_with_a_path_tells_of_it(api: Api, path: str) -> None:
    share(api, "this")
    override = {"X-Original-URL": f"/c/{SECRET}/api/index", "X-Rewrite-URL": "/api/index"}
    for method in ("GET", "HEAD", "OPTIONS"):
        answer = api(method, path, headers=bearer(READER) | override)
        said = answer.text.replace(f"'{SECRET}'", "") if SECRET in path else answer.text
        assert SECRET not in said
        assert '"documents"' not in said or answer.status_code != 200


def test_the_default_collection_is_named_only_to_those_who_see_it(api: Api) -> None:
    share(api, "this")
    known = api.ok("GET", "/api/collections", **AS_READER)
    assert (known["default"], known["can_change"], known["can_make"]) == (None, False, False)
    assert "no collection is shared with readers at this address" in api.refused(
        404, "GET", "/api/view/survey", **AS_READER
    )
    share(api, SECRET)
    assert api.ok("GET", "/api/collections", **AS_READER)["default"] == SECRET
    assert api.ok("GET", "/api/index", **AS_READER)["documents"] == len(PRIVATE_TEXTS)
    assert "likewise_documents" in api("GET", "/metrics", **AS_READER).text


def everything_about(api: Api, **who: Any) -> str:
    """All that may be looked at in the shared collection."""
    found = [
        json.dumps(survey_of(api, "/c/this", **who)),
        api("GET", "/c/this/api/archive", **who).text,
    ]
    found += [api("GET", f"/c/this/api/view/document/{quote(id_)}", **who).text for id_ in TEXTS]
    checked = {"text": TEXTS["both"]}
    found.append(api("POST", "/c/this/api/view/check", json=checked, **who).text)
    file = {"content": TEXTS["both"].encode()}
    found.append(api("POST", "/c/this/api/view/check/file", **file, **who).text)
    return "\n".join(found)


def test_readers_see_nothing_of_a_private_archive(api: Api) -> None:
    """Not in the survey, its figures, a document, a checked text or a pair, nor its name."""
    share(api, "this")
    plain = survey_of(api, "/c/this", **AS_READER)
    archive = {"collections": [SECRET, "older"]}
    api.ok("PUT", "/c/this/api/archive", json=archive, **AS_REVIEWER)
    assert SECRET in everything_about(api, **AS_REVIEWER)
    reader = everything_about(api, **AS_READER)
    assert SECRET not in reader
    assert "not shared with readers" in reader
    hidden = f"{SECRET}: {SECRET} harbour"
    for path in (f"document/{quote(hidden)}", f"pair?a=both&b={quote(hidden)}"):
        assert api("GET", f"/c/this/api/view/{path}", **AS_REVIEWER).status_code == 200
        assert api("GET", f"/c/this/api/view/{path}", **AS_READER).status_code == 404
    # The figures are those of the two documents, and of what readers see.
    survey = survey_of(api, "/c/this", **AS_READER)
    assert pairs_of(plain) == pairs_of(survey)
    assert survey["documents"]["columns"]["matched"] == plain["documents"]["columns"]["matched"]
    # One that is shared is there, for readers as for reviewers.
    share(api, "older")
    assert "older: bread" in everything_about(api, **AS_READER)
    assert SECRET not in everything_about(api, **AS_READER)
    share(api, SECRET)
    assert survey_of(api, "/c/this", **AS_READER) == survey_of(api, "/c/this", **AS_REVIEWER)


@pytest.mark.parametrize("way", ["made private", "no longer the archive"])
def test_no_earlier_survey_shows_an_archive_that_has_become_private(api: Api, way: str) -> None:
    """While the new one is made, the one of before is shown, but not this one."""
    for name in ("this", SECRET) if way == "made private" else ("this",):
        share(api, name)
    api.ok("PUT", "/c/this/api/archive", json={"collections": [SECRET]}, **AS_REVIEWER)
    assert SECRET in json.dumps(survey_of(api, "/c/this", **AS_REVIEWER))
    if way == "made private":
        assert SECRET in json.dumps(survey_of(api, "/c/this", **AS_READER))
        share(api, SECRET, on=False)
    else:
        api.ok("PUT", "/c/this/api/archive", json={"collections": []}, **AS_REVIEWER)
    with api.app.state.services.pools.survey_lock:  # so that none is made
        for _ in range(3):
            assert SECRET not in api("GET", "/c/this/api/view/survey", **AS_READER).text
    assert SECRET not in everything_about(api, **AS_READER)


def test_readers_do_not_share(api: Api) -> None:
    share(api, "this")
    for on in (True, False):
        api.refused(403, "PUT", "/c/this/api/sharing", json={"readers": on}, **AS_READER)
    api.refused(404, "PUT", f"/c/{SECRET}/api/sharing", json={"readers": True}, **AS_READER)
    assert names(api, **AS_READER) == ["this"]


def test_whoever_runs_the_server_shares_too(make_api: MakeApi, folder: Path) -> None:
    """Where there are no reviewers, or the file is read only."""
    api = make_api(None, folder=str(folder), default=SECRET, reader_token=READER, shared=("this",))
    assert names(api, **AS_READER) == ["this"]
    assert api.ok("GET", "/c/this/api/index", **AS_READER)["documents"] == len(TEXTS)
    api.refused(404, "GET", f"/c/{SECRET}/api/index", **AS_READER)
    both = make_api(None, folder=str(folder), shared=("this",), **TOKENS)
    assert share(both, "this", on=False) == {"readers": True, "always": True}
    both.ok("PUT", "/c/older/api/archive", json={"collections": ["this"]}, **AS_REVIEWER)
    share(both, "older")
    assert both.ok("GET", "/c/older/api/archive", **AS_READER)["collections"] == ["this"]


def test_without_tokens_nothing_is_private(make_api: MakeApi, folder: Path) -> None:
    api = make_api(None, folder=str(folder))
    known = api.ok("GET", "/api/collections")
    assert {one["name"] for one in known["collections"]} >= {"this", SECRET, "older"}
    assert known["has_readers"] is False
    assert survey_of(api, f"/c/{SECRET}")


def test_a_collection_that_cannot_be_read_stays_as_private_as_it_was(folder: Path) -> None:
    path = folder / "this.db"
    private, shared = (Sharing(IndexClient(str(path), print), always=False) for _ in range(2))
    with Index(path) as index:
        index.share_with_readers(True)
    assert shared.is_on()
    path.rename(folder / "elsewhere")
    assert not private.is_on()
    with pytest.raises(ApiError, match="503"):
        shared.is_on()


def test_it_is_stored_in_every_database(anywhere: str) -> None:
    with Index(anywhere) as index:
        assert not index.shared_with_readers
        index.share_with_readers(True)
    with Index(anywhere) as index:
        assert index.shared_with_readers
        index.share_with_readers(False)
        assert not index.shared_with_readers
