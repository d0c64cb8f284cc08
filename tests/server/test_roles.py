"""Reviewers may do everything; readers may look and check texts, and change nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from fastapi.routing import APIRoute

from likewise.index.index import Index
from likewise.server.app import MODULES
from tests.server.conftest import SEA, Api
from tests.server.test_guard import EVERYTHING

MakeApi = Callable[..., Api]
REVIEWER = "a-token-for-reviewers"
READER = "a-token-for-readers"
CHANGES = {
    ("POST", "/api/collections"), ("POST", "/api/samples"), ("POST", "/api/documents"),
    ("PUT", "/api/documents/{id:any}"), ("DELETE", "/api/documents/{id:any}"),
    ("POST", "/api/remove"), ("POST", "/api/uploads"), ("POST", "/api/metadata"),
    ("POST", "/api/view/unread"), ("POST", "/api/view/unread/dismiss"),
    ("PUT", "/api/archive"), ("PUT", "/api/sharing"), ("PUT", "/api/exclusions/phrases"),
    ("POST", "/api/exclusions/templates"), ("POST", "/api/exclusions/templates/remove"),
    ("PUT", "/api/review"), ("POST", "/api/review/remove"),
}  # fmt: skip
CHECKS = {
    ("POST", "/api/query"), ("POST", "/api/query/document"), ("POST", "/api/passages"),
    ("POST", "/api/passages/document"), ("POST", "/api/view/check"),
    ("POST", "/api/view/check/file"), ("POST", "/api/exclusions/words"),
    ("POST", "/api/view/stretches"),
}  # fmt: skip
LOOKS = (
    "/api/collections", "/api/documents", "/api/documents/moon", "/api/index", "/api/view/survey",
    "/api/exclusions",
    "/api/view/document/moon", "/api/view/pair?a=moon&b=sun",
)  # fmt: skip


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def api(make_api: MakeApi, file: str) -> Api:
    """With a collection that is shared with readers."""
    with Index(file) as index:
        index.share_with_readers(True)
    return make_api(file, token=REVIEWER, reader_token=READER)


def test_every_route_that_is_not_a_get_changes_or_checks() -> None:
    """A new route must be in one of the two lists, so that somebody decides."""
    routes = [route for module in MODULES for route in module.router.routes]
    others = {
        (method, route.path)
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods - {"GET", "HEAD"}
    }
    assert others == CHANGES | CHECKS


@pytest.mark.parametrize(("method", "path"), sorted(CHANGES))
@pytest.mark.parametrize("prefix", ["", "/c/{name}"])
def test_a_reader_changes_nothing(api: Api, method: str, path: str, prefix: str) -> None:
    (name,) = [one["name"] for one in api.ok("GET", "/api/collections", headers=bearer(REVIEWER))[
        "collections"
    ]]  # fmt: skip
    path = prefix.format(name=name) + path.replace("{id:any}", "moon") + "?name=a.txt"
    before = api.ok("GET", "/api/documents", headers=bearer(REVIEWER))
    for headers in ({}, {"Content-Type": "application/json"}):
        response = api(method, path, headers=bearer(READER) | headers, content=b'{"ids":["moon"]}')
        assert response.status_code == 403
        assert "for reading" in response.json()["error"]["message"]
    assert api.ok("GET", "/api/documents", headers=bearer(REVIEWER)) == before


@pytest.mark.parametrize(
    "trick",
    [
        ("POST", "/api//remove"), ("POST", "/api/remove/"), ("POST", "/api/%72emove"),
        ("POST", "/api/view/../remove"), ("post", "/api/remove"), ("PATCH", "/api/documents/moon"),
        ("DELETE", "/api/documents/moon?_method=GET"), ("POST", "/c//api/remove"),
        ("POST", "/C/index/api/remove"), ("POST", "/api/remove;a=b"),
    ],
)  # fmt: skip
def test_tricks_with_paths_and_methods_change_nothing(api: Api, trick: tuple[str, str]) -> None:
    before = api.ok("GET", "/api/documents", headers=bearer(REVIEWER))
    override = {"X-HTTP-Method-Override": "DELETE", "X-Original-URL": "/api/remove"}
    response = api(*trick, headers=bearer(READER) | override, json={"ids": ["moon"]})
    assert response.status_code in (403, 404, 405)
    assert api.ok("GET", "/api/documents", headers=bearer(REVIEWER)) == before


def test_a_reader_looks_and_checks(api: Api) -> None:
    headers = bearer(READER)
    for path in LOOKS:
        assert api("GET", path, headers=headers).status_code == 200
    found = api.ok("POST", "/api/query", headers=headers, json={"texts": [SEA]})
    assert found["answers"][0]["matches"]
    for path in ("/api/view/check", "/api/passages"):
        body = {"text": SEA} if path.endswith("check") else {"texts": [SEA]}
        assert api("POST", path, headers=headers, json=body).status_code == 200
    file = {"headers": headers, "content": SEA.encode()}
    for path in (
        "/api/view/check/file?name=a.txt",
        "/api/query/document",
        "/api/passages/document",
    ):
        assert api("POST", path, **file).status_code == 200
    assert [one["id"] for one in api.ok("GET", "/api/documents", headers=headers)["documents"]] == [
        "moon", "train", "sun",
    ]  # fmt: skip


def test_everybody_is_told_what_the_token_allows(api: Api) -> None:
    for token, allowed in ((REVIEWER, True), (READER, False)):
        answer = api.ok("GET", "/api/collections", headers=bearer(token))
        assert answer["can_change"] is allowed
    assert api.ok("PUT", "/api/documents/new", headers=bearer(REVIEWER), content=SEA.encode())


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
def test_collections_are_private_without_a_token(api: Api, method: str, path: str) -> None:
    for headers in ({}, bearer(READER + REVIEWER), bearer(READER[:-1]), bearer("")):
        response = api(method, path, headers=headers)
        assert response.status_code in (401, 429)
        assert not re.search(r"moon|train|index", response.text.replace("/api/index", ""))


def test_a_server_for_readers_alone_stores_nothing(make_api: MakeApi, file: str) -> None:
    api = make_api(file, reader_token=READER, shared=("some index",))
    api.refused(401, "GET", "/api/index")
    api.refused(403, "DELETE", "/api/documents/moon", headers=bearer(READER))
    assert api("GET", "/api/index", headers=bearer(READER)).status_code == 200


def test_without_a_token_this_machine_may_do_everything(make_api: MakeApi, file: str) -> None:
    api = make_api(file)
    assert api.ok("GET", "/api/collections")["can_change"] is True
    assert api.ok("DELETE", "/api/documents/moon") == {"id": "moon"}
