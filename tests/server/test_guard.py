"""Who may ask: whoever has the token; without one, programs on this machine and no page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.server.conftest import Api

MakeApi = Callable[..., Api]
TOKEN = "a-token-of-some-length"
EVERYTHING = (
    ("GET", "/api/index"), ("GET", "/api/documents"), ("GET", "/api/documents/moon"),
    ("DELETE", "/api/documents/moon"), ("PUT", "/api/documents/moon"), ("POST", "/api/documents"),
    ("POST", "/api/query"), ("POST", "/api/query/document"), ("POST", "/api/passages"),
    ("POST", "/api/passages/document"), ("POST", "/api/remove"), ("POST", "/api/uploads?name=a"),
    ("POST", "/api/metadata?name=a.csv"), ("POST", "/api/samples"),
    ("GET", "/api/collections"), ("POST", "/api/collections"), ("GET", "/api/view/survey"),
    ("GET", "/api/view/document/moon"), ("GET", "/api/view/pair?a=moon&b=sun"),
    ("GET", "/api/exclusions"), ("POST", "/api/exclusions/words"),
    ("PUT", "/api/exclusions/phrases"), ("POST", "/api/exclusions/templates?name=a"),
    ("POST", "/api/view/check"), ("POST", "/api/view/check/file"), ("POST", "/api/view/stretches"),
    ("GET", "/c/some index/api/index"), ("GET", "/c/none/api/index"), ("GET", "/c/"),
    ("POST", "/"), ("DELETE", "/static/icon.svg"), ("GET", "/static"),
    ("GET", "/metrics"), ("GET", "/openapi.json"), ("GET", "/nothing"), ("GET", "/health/"),
)  # fmt: skip


@pytest.fixture
def with_token(make_api: MakeApi, file: str) -> Api:
    return make_api(file, token=TOKEN)


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
def test_nothing_is_answered_without_the_token(with_token: Api, method: str, path: str) -> None:
    response = with_token(method, path)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert TOKEN not in response.text


def test_health_is_for_everybody(with_token: Api) -> None:
    assert with_token.ok("GET", "/health") == {"status": "ok"}


@pytest.mark.parametrize("path", ["/", "/static/icon.svg"])
def test_the_page_and_its_files_are_for_everybody(with_token: Api, path: str) -> None:
    for method in ("GET", "HEAD"):
        assert with_token(method, path).status_code == 200


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x",
                                   f"Bearer {TOKEN[:-1]}", TOKEN, f"Bearer {TOKEN.upper()}",
                                   "Bearer ü"])  # fmt: skip
def test_a_wrong_token_is_refused(with_token: Api, shown: str) -> None:
    headers = {"Authorization": shown.encode()}
    with_token.refused(401, "GET", "/api/index", headers=headers)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_token_opens(with_token: Api, scheme: str) -> None:
    shown = {"Authorization": f"{scheme} {TOKEN}", "Host": "likewise.example:8000"}
    assert with_token.ok("GET", "/api/index", headers=shown)["documents"] == 3


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:1", "127.3.2.1",
                                  "[::1]:8000", "LOCALHOST", "my.localhost"])  # fmt: skip
def test_this_machine_goes_by_its_own_names(shared_api: Api, host: str) -> None:
    shared_api.ok("GET", "/health", headers={"Host": host})


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "192.168.0.1", "",
                                  "127.0.0.1.evil.example", "[::2]", "[", "localhost@evil.example",
                                  "0.0.0.0", "notlocalhost"])  # fmt: skip
@pytest.mark.parametrize("path", ["/health", "/api/index"])
def test_other_names_are_refused_so_that_none_can_be_made_to_lead_here(
    shared_api: Api, path: str, host: str
) -> None:
    shared_api.refused(403, "GET", path, headers={"Host": host})


@pytest.mark.parametrize("headers", [
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://localhost:3000"},
    {"Origin": "http://localhost.evil.example"}, {"Origin": "file://"},
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
])  # fmt: skip
def test_a_page_of_another_site_may_not_ask(shared_api: Api, headers: dict[str, str]) -> None:
    shared_api.refused(403, "POST", "/api/query", json={"text": "a"}, headers=headers)


@pytest.mark.parametrize("headers", [
    {"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
    {"Sec-Fetch-Site": "none"},
])  # fmt: skip
def test_a_page_of_this_server_may(shared_api: Api, headers: dict[str, str]) -> None:
    shared_api.ok("POST", "/api/query", json={"text": "a"}, headers=headers)


def test_no_other_site_is_ever_let_in_by_headers(shared_api: Api) -> None:
    asking = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    response = shared_api("OPTIONS", "/api/query", headers=asking)
    assert response.status_code == 403
    assert not [name for name in response.headers if name.lower().startswith("access-control")]


# --- links and forms of other sites

LINK = {
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-User": "?1",
}


def test_a_link_to_the_page_is_followed(shared_api: Api) -> None:
    assert shared_api("GET", "/", headers=LINK).status_code == 200


@pytest.mark.parametrize("headers", [
    {**LINK, "Sec-Fetch-Dest": "iframe"}, {**LINK, "Sec-Fetch-Dest": "script"},
    {**LINK, "Sec-Fetch-Mode": "no-cors"}, {**LINK, "Sec-Fetch-Mode": "cors"},
    {**LINK, "Origin": "http://evil.example"}, {**LINK, "Host": "evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
])  # fmt: skip
def test_anything_else_of_another_site_does_not_get_the_page(
    shared_api: Api, headers: dict[str, str]
) -> None:
    shared_api.refused(403, "GET", "/", headers=headers)


@pytest.mark.parametrize("path", [
    "/static/icon.svg", "/api/index", "/api/documents", "/api/documents/moon", "/metrics",
    "/api/view/survey", "/api/view/document/moon", "/api/collections", "/c/index/api/documents",
    "/openapi.json", "/nothing",
])  # fmt: skip
def test_links_lead_to_no_data(shared_api: Api, path: str) -> None:
    shared_api.refused(403, "GET", path, headers=LINK)


@pytest.mark.parametrize("path", [
    "/", "/api/documents", "/api/remove", "/api/uploads?name=x", "/api/view/check",
    "/api/view/check/file?name=x", "/api/collections", "/c/index/api/uploads?name=x",
])  # fmt: skip
@pytest.mark.parametrize("headers", [
    LINK, {"Origin": "http://evil.example"}, {"Origin": "null"},
    {**LINK, "Origin": "http://evil.example", "Content-Type": "text/plain"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"},
])  # fmt: skip
def test_forms_of_other_sites_change_nothing(
    shared_api: Api, path: str, headers: dict[str, str]
) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        shared_api.refused(403, method, path, content=b"a=b", headers=headers)
    assert shared_api.ok("GET", "/api/index")["documents"] == 3
