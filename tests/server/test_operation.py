"""What an operator sees: health, numbers, and a database that goes away and comes back."""

from __future__ import annotations

import re
import resource
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from likewise.index.index import Index
from tests.index.conftest import Server as PostgresServer
from tests.server.conftest import SEA, STORED, Api, Live, fill, message_of, new_schema

MakeApi = Callable[..., Api]
StartLive = Callable[..., Live]


def test_requests_are_counted_by_route_and_status_and_never_by_id(api: Api) -> None:
    api.query(SEA)
    api.query(SEA)
    api("GET", "/api/documents/a/b/c")
    api("GET", "/api/documents/secret")
    api("GET", "/elsewhere")
    response = api("GET", "/metrics")
    assert response.headers["Content-Type"].startswith("text/plain; version=")
    told = response.text
    for line in (
        'likewise_requests_total{method="POST",route="/api/query",status="200"} 2.0',
        'likewise_requests_total{method="GET",route="/api/documents/{id}",status="404"} 2.0',
        'likewise_requests_total{method="GET",route="other",status="404"} 1.0',
        'likewise_request_seconds_count{method="POST",route="/api/query"} 2.0',
        "likewise_requests_in_flight 1.0",  # this one
        "likewise_documents 3",
    ):
        assert line in told.splitlines(), told
    assert "secret" not in told


def test_a_database_that_goes_away_is_reported_and_comes_back_by_itself(
    make_api: MakeApi, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    address = new_schema(postgres)
    fill(address)
    api = make_api(address)
    assert len(api.query(SEA)) == 2
    postgres.stop()
    try:
        for method, path, more in (
            ("POST", "/api/query", {"json": {"text": SEA}}),
            ("POST", "/api/passages", {"json": {"text": SEA}}),
            ("POST", "/api/passages/document", {"content": SEA.encode()}),
            ("GET", "/api/documents/moon", {}),
            ("GET", "/api/index", {}),
            ("GET", "/health", {}),
            ("PUT", "/api/documents/new", {"content": b"a new text"}),
            ("DELETE", "/api/documents/moon", {}),
            ("POST", "/api/documents", {"json": {"documents": [{"id": "n", "text": "t"}]}}),
        ):
            response = api(method, path, **more)
            assert response.status_code == 503, (path, response.text)
            assert message_of(response) == "the index cannot be reached"
            assert response.headers["Retry-After"] == "1"
            for secret in (str(postgres.port), "tester", "127.0.0.1", "postgres"):
                assert secret not in response.text
        assert "likewise_documents" not in api("GET", "/metrics").text
        # The operator is told more.
        assert "the database cannot be reached" in capsys.readouterr().err
    finally:
        postgres.start()
    assert api("GET", "/health").status_code == 200
    for _ in range(8):  # each thread has a connection of its own that is no more
        assert len(api.query(SEA)) == 2
    assert api.add({"new": "a new text"})["added"] == 1
    assert api.ok("DELETE", "/api/documents/moon") == {"id": "moon"}


def test_a_server_whose_database_is_away_starts_to_serve_when_it_is_there(
    make_api: MakeApi, postgres: PostgresServer
) -> None:
    address = new_schema(postgres)
    fill(address)
    postgres.stop()
    try:
        api = make_api(address)
        assert api("GET", "/health").status_code == 503
    finally:
        postgres.start()
    assert api("GET", "/health").status_code == 200
    assert len(api.query(SEA)) == 2


def test_a_full_disk_is_reported_and_the_index_is_intact(live: StartLive, tmp_path: Path) -> None:
    path = str(tmp_path / "full.db")
    fill(path)

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    server = live(path, before=no_room)
    stored = set(STORED)
    last = None
    for i in range(40):
        text = " ".join(f"{i}word{j * j}" for j in range(20_000))
        last = httpx.put(f"{server.url}/api/documents/{i}", content=text.encode(), timeout=60)
        if last.status_code != 200:
            break
        stored.add(str(i))
    assert last is not None
    assert last.status_code == 507
    assert "no space left for the index" in message_of(last)
    assert str(tmp_path) not in last.text
    asked = httpx.post(f"{server.url}/api/query", json={"text": SEA}, timeout=60)
    assert len(asked.json()["answers"][0]["matches"]) == 2
    server.stop()
    with Index(path) as index:
        assert index.verify() == []
        assert set(index.ids()) == stored


def test_an_index_that_is_removed_is_reported(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(str(tmp_path / "none.db"))
    response = api("GET", "/health")
    assert response.status_code == 503
    assert message_of(response) == "the index no longer exists"
    assert str(tmp_path) not in response.text
    fill(str(tmp_path / "none.db"))
    assert api("GET", "/health").status_code == 200


def test_a_mistake_in_the_server_is_reported_without_what_was_sent(
    api: Api, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mistaken(*given: object) -> None:
        raise RuntimeError(f"{SEA} is part of this message")

    monkeypatch.setattr("likewise.server.index_client.IndexClient.query", mistaken)
    response = api("POST", "/api/query", json={"text": SEA})
    assert response.status_code == 500
    assert message_of(response) == "internal server error"
    said = capsys.readouterr().err
    assert "RuntimeError" in said
    assert re.search(r"test_operation\.py.*in mistaken", said)
    assert "looked at the sea" not in said + response.text
