"""The page of the app and its files: there without data, and nothing else can be got that way."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from likewise.server.middleware.headers import HEADERS
from tests.server.conftest import Api

MakeApi = Callable[..., Api]
STATIC = Path(str(files("likewise.pages") / "static"))
FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.*"))
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml"}  # fmt: skip


def test_the_page_holds_no_data_and_nothing_that_runs_by_itself(shared_api: Api) -> None:
    response = shared_api("GET", "/")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    page = response.text
    assert 'data-mode="app"' in page
    assert '<div id="app">' in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\bstyle=|\bon\w+=", page)
    loaded = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert sorted(loaded) == ["static/app.js", "static/icon.svg", "static/style.css"]


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_served_as_what_it_is(shared_api: Api, name: str) -> None:
    response = shared_api("GET", f"/static/{name}")
    assert response.status_code == 200
    assert response.content == (STATIC / name).read_bytes()
    assert response.headers["Content-Type"] == TYPES[Path(name).suffix]


@pytest.mark.parametrize("path", ["/", "/static/icon.svg"])
def test_a_browser_that_has_it_is_not_sent_it_again(shared_api: Api, path: str) -> None:
    first = shared_api("GET", path)
    assert first.headers["Cache-Control"] == "no-cache"
    tag = first.headers["ETag"]
    for said in (tag, f"W/{tag}", f'"other", {tag}'):
        again = shared_api("GET", path, headers={"If-None-Match": said})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == tag
    assert shared_api("GET", path, headers={"If-None-Match": '"other"'}).status_code == 200
    head = shared_api("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == first.headers["Content-Length"]
    assert head.headers["ETag"] == tag


@pytest.mark.parametrize("name", [
    "", "%2e%2e", "..%2fsurvey.py", "%2e%2e/survey.py", "%2e%2e%2fsurvey.py",
    "....//survey.py", "%5c..%5csurvey.py", "app.js%00.svg", "app.js/", "/app.js", "//etc/passwd",
    "/etc/passwd", "none.js", "style.css%0d%0aX-Bad:%201", "APP.JS", ".hidden.js", "app",
    "app.py", "C:%5cwindows.svg", "%ff.js", "x" * 5000 + ".js",
])  # fmt: skip
def test_nothing_else_is_got_by_any_name(shared_api: Api, name: str) -> None:
    response = shared_api("GET", f"/static/{name}")
    assert response.status_code == 404
    assert response.json()["error"]["message"] == "address not found"
    assert "X-Bad" not in response.headers


@pytest.mark.parametrize("path", ["/", "/static/icon.svg"])
def test_pages_are_only_read(shared_api: Api, path: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        response = shared_api(method, path)
        assert response.status_code == 405
        assert response.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", "/", 200), ("HEAD", "/", 200), ("GET", "/static/icon.svg", 200),
    ("GET", "/api/index", 200), ("GET", "/health", 200), ("GET", "/metrics", 200),
    ("GET", "/openapi.json", 200), ("GET", "/nothing", 404), ("GET", "/c/none/api/index", 404),
    ("GET", "/c/%00/api/index", 404), ("POST", "/api/query", 415), ("PATCH", "/api/query", 405),
    ("GET", "/api/documents?limit=0", 422),
])  # fmt: skip
def test_every_answer_tells_browsers_what_they_may_do(
    shared_api: Api, method: str, path: str, status: int
) -> None:
    response = shared_api(method, path)
    assert response.status_code == status
    for name, value in HEADERS.items():
        assert response.headers.get_list(name) == [value]
    kept = response.headers["Cache-Control"]
    assert kept == ("no-cache" if path in ("/", "/static/icon.svg") else "no-store")


def test_also_those_that_never_get_to_a_route(make_api: MakeApi, file: str) -> None:
    token = "a-token-of-some-length"
    api = make_api(file, token=token, rate=0.2)
    right = {"Authorization": f"Bearer {token}"}
    answers = [api("GET", "/api/index", headers=headers) for headers in ({}, right, right)]
    local = make_api(file, max_request=1_000)
    answers.append(local("POST", "/api/query/document", content=b"x" * 2_000))
    answers.append(local("GET", "/", headers={"Host": "evil.example"}))
    assert [answer.status_code for answer in answers] == [401, 200, 429, 413, 403]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
