"""Several collections: each by its name, made and removed while the server runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import UsageError
from likewise.index.index import Index
from likewise.server import services
from likewise.server.collections import Collections, check_name, is_name, name_of
from likewise.server.settings import ServerSettings
from tests.index.conftest import Server as PostgresServer
from tests.server.conftest import SEA, STORED, Api, Live, fill, message_of, new_schema, until

MakeApi = Callable[..., Api]
StartLive = Callable[..., Live]
OTHER = {"harbour": "the lamps along the harbour were lit one by one"}
HOSTILE = (
    "..", "../x", "..%2f..%2fx", "a/b", "a\\b", "a\0", "a\r\nX-Bad: 1", "", " ", ".", ".hidden",
    "-a", "a.", "a ", "<script>", "a%", "a?b", "a#b", "$(id)", "`id`", "a;b", "a'b", 'a"b',
    "x" * 65,
    "é" * 101, "e\u0301", "\u202ea", "a\u200bb", "\ud800", "con:", "*", "日" * 65,
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "courses"
    made.mkdir()
    fill(str(made / "index.db"))
    with Index.create(made / "Essays 2018.db") as index:
        index.add(list(OTHER.values()), list(OTHER))
    (made / "notes.db").write_text("not an index")
    (made / "readme.txt").write_text("nor this")
    (made / "bad;name.db").write_bytes((made / "index.db").read_bytes())
    return made


@pytest.fixture
def api(make_api: MakeApi, folder: Path) -> Api:
    return make_api(None, folder=str(folder))


def named(api: Api) -> dict[str, int | None]:
    found = api.ok("GET", "/api/collections")["collections"]
    return {one["name"]: one["documents"] for one in found}


# --- names


@given(st.text())
def test_every_file_gets_a_name_that_is_one(stem: str) -> None:
    assert is_name(name_of(stem.replace("\0", "") + ".db"))


@given(st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20))
def test_a_name_of_letters_and_digits_stays(name: str) -> None:
    if is_name(name):
        assert name_of(f"some/folder/{name}.db") == name


@pytest.mark.parametrize(
    "name", ["a", "Essays 2018", "a.b_c-d", "Aufsätze", "日本語", "हिन्दी", "7"]
)
def test_names_are_of_any_script(name: str) -> None:
    check_name(name)
    assert name_of(f"/x/{name}.db") == name


@pytest.mark.parametrize("name", HOSTILE)
def test_what_could_lead_elsewhere_is_no_name(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(("address", "name"), [
    ("some/essays.db", "essays"), ("essays", "essays"), ("a;b.db", "a-b"), ("..db", "index"),
    ("postgresql://me:secret@host/archive", "archive"), ("postgresql://host/archive#old", "old"),
    ("postgresql://host", "index"), ("/", "index"),
])  # fmt: skip
def test_an_index_is_called_after_its_file_or_schema(address: str, name: str) -> None:
    assert name_of(address) == name


def test_two_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two indexes are called 'a'"):
        Collections(ServerSettings((str(tmp_path / "a.db"), str(tmp_path / "b" / "a.db"))))


# --- which there are


def test_all_indexes_of_a_folder_are_served_and_nothing_else(api: Api) -> None:
    told = api.ok("GET", "/api/collections")
    assert told["default"] == "index"
    assert told["can_make"] is True
    assert told["limits"]["max_request"] == 32_000_000
    assert {".txt", ".pdf", ".docx", ".zip"} <= set(told["limits"]["kinds"])
    assert ".csv" not in told["limits"]["kinds"]
    assert told["limits"]["unsupported"][".pages"] == "unsupported file type: save .pages as .docx"
    assert told["collections"] == [
        {
            "name": name, "documents": documents, "keeps_text": True, "min_words": 12,
            "threshold": 0.5, "profile": "word:3", "shared": False, "error": None,
        }
        for name, documents in (("index", 3), ("Essays 2018", 1))
    ]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_the_folder_holds_nobody_up(live: StartLive, folder: Path) -> None:
    server = live(None, "--folder", folder)
    os.mkfifo(folder / "pipe.db")
    with httpx.Client(base_url=server.url, timeout=20) as client:
        assert client.get("/c/pipe/api/index").status_code == 404
        listed = client.get("/api/collections").json()["collections"]
    assert [one["name"] for one in listed] == ["index", "Essays 2018"]


def test_each_answers_for_itself_at_every_address(api: Api) -> None:
    other = "/c/Essays%202018"
    assert [d["id"] for d in api.ok("GET", f"{other}/api/documents")["documents"]] == ["harbour"]
    assert api.ok("GET", f"{other}/api/documents/harbour")["text"] == OTHER["harbour"]
    api.refused(404, "GET", f"{other}/api/documents/moon")
    assert api.ok("GET", "/c/index/api/documents/moon") == api.ok("GET", "/api/documents/moon")
    api.ok("PUT", f"{other}/api/documents/a/b%2Fc", content=b"a new text")
    assert api.ok("GET", f"{other}/api/documents/a/b/c")["text"] == "a new text"
    assert api.ok("GET", "/api/index")["documents"] == 3
    api.ok("DELETE", f"{other}/api/documents/a/b/c")
    matches = api.ok("POST", f"{other}/api/query", json={"text": SEA})["answers"][0]["matches"]
    assert matches == []
    assert api.ok("GET", f"{other}/api/collections") == api.ok("GET", "/api/collections")
    metrics = api("GET", "/metrics").text
    assert 'route="/api/documents/{id}",status="200"' in metrics
    assert "Essays" not in metrics


@pytest.mark.parametrize("name", [*HOSTILE, "none", "notes", "readme", "bad;name", "index.db"])
def test_no_other_name_leads_anywhere(api: Api, folder: Path, name: str) -> None:
    for said in {quote(name.encode("utf-8", "surrogatepass"), safe=safe) for safe in ("", "./")}:
        if said in ("", ".", ".."):
            continue  # which clients take out of addresses
        response = api("GET", f"/c/{said}/api/documents")
        assert response.status_code == 404
        assert "X-Bad" not in response.headers
        assert str(folder) not in response.text


@pytest.mark.parametrize("path", ["/c", "/c/", "/c/index", "/c/index/", "/c/index/health",
                                  "/c/index/metrics", "/c/index/static/icon.svg", "/c//api/index",
                                  "/c/index/c/index/api/index", "/c/index/apix",
                                  "/c/%ff/api/index"])  # fmt: skip
def test_only_the_api_is_below_a_name(api: Api, path: str) -> None:
    api.refused(404, "GET", path)


# --- new ones


def test_a_new_one_can_be_made_and_used_at_once(api: Api, folder: Path) -> None:
    response = api("POST", "/api/collections", json={"name": "Spring term"})
    assert (response.status_code, response.json()) == (201, {"name": "Spring term"})
    api.ok("PUT", "/c/Spring%20term/api/documents/x", content=b"a new text")
    assert named(api) == {"index": 3, "Essays 2018": 1, "Spring term": 1}
    with Index(folder / "Spring term.db") as index:
        assert index.ids() == ["x"]


@pytest.mark.parametrize("name", ["index", "INDEX", "Essays 2018", "notes"])
def test_what_is_there_is_left_alone(api: Api, folder: Path, name: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.glob("*.db")}
    told = api.refused(409, "POST", "/api/collections", json={"name": name})
    assert told == f"collection {name!r} already exists"
    assert {path.name: path.read_bytes() for path in folder.glob("*.db")} == before


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in ("\ud800", "e\u0301")])
def test_no_name_makes_a_file_elsewhere(api: Api, folder: Path, name: str) -> None:
    before = sorted(path for path in folder.parent.rglob("*"))
    response = api("POST", "/api/collections", json={"name": name})
    assert response.status_code == 422
    assert str(folder) not in response.text
    assert sorted(path for path in folder.parent.rglob("*")) == before


def test_of_several_who_make_one_at_once_one_does(api: Api) -> None:
    asked = [api.client.post("/api/collections", json={"name": "new"}) for _ in range(8)]
    statuses = sorted(answer.status_code for answer in api.together(*asked))
    assert statuses == [201] + [409] * 7
    assert named(api)["new"] == 0


def test_where_indexes_were_named_none_is_made(
    make_api: MakeApi, file: str, tmp_path: Path
) -> None:
    api = make_api(file)
    assert api.ok("GET", "/api/collections")["can_make"] is False
    told = api.refused(403, "POST", "/api/collections", json={"name": "new"})
    assert "cannot create collections" in told
    assert not (tmp_path / "new.db").exists()


def test_a_folder_that_cannot_be_written_to_is_reported(api: Api, folder: Path) -> None:
    if os.geteuid() == 0:
        folder.rename(folder.parent / "elsewhere")
    else:
        folder.chmod(0o500)
    response = api("POST", "/api/collections", json={"name": "new"})
    assert response.status_code in (409, 503)
    assert str(folder.parent) not in response.text


# --- those that go


def test_one_that_is_removed_is_reported_and_the_others_go_on(api: Api, folder: Path) -> None:
    assert api.ok("GET", "/c/Essays%202018/api/index")["documents"] == 1
    for suffix in ("", "-wal", "-shm"):
        (folder / f"Essays 2018.db{suffix}").unlink(missing_ok=True)
    for method, path, body in (
        ("GET", "/api/documents", None),
        ("GET", "/api/view/survey", None),
        ("PUT", "/api/documents/x", b"a text"),
        ("POST", "/api/uploads?name=x.txt", b"a text"),
    ):
        response = api(method, f"/c/Essays%202018{path}", content=body)
        assert response.status_code == 404
        assert message_of(response) == "there is no collection 'Essays 2018'"
        assert str(folder) not in response.text
    assert named(api) == {"index": 3}
    assert api.ok("GET", "/api/index")["documents"] == 3
    assert not list(folder.glob("Essays*"))
    api("POST", "/api/collections", json={"name": "Essays 2018"})
    assert named(api) == {"index": 3, "Essays 2018": 0}


def test_the_default_one_may_go_and_come_back(api: Api, folder: Path) -> None:
    assert api.ok("GET", "/api/index")["documents"] == 3
    (folder / "index.db").rename(folder / "index.away")
    for path in ("/api/documents", "/api/view/survey", "/api/view/document/moon", "/health"):
        response = api("GET", path)
        assert response.status_code == 503
        assert message_of(response) == "the index no longer exists"
        assert str(folder) not in response.text
    uploaded = api("POST", "/api/uploads?name=x.txt", content=b"some words")
    assert uploaded.text.count("\n") == 1
    assert uploaded.json()["error"]["message"] == "the index no longer exists"
    listed = api.ok("GET", "/api/collections")
    assert [(one["name"], one["error"]) for one in listed["collections"]] == [
        ("index", "the index no longer exists"), ("Essays 2018", None),
    ]  # fmt: skip
    assert str(folder) not in str(listed)
    assert api.ok("GET", "/c/Essays%202018/api/index")["documents"] == 1
    (folder / "index.away").rename(folder / "index.db")
    assert api.ok("GET", "/api/index")["documents"] == 3


def test_no_more_are_open_than_allowed_and_all_answer(
    make_api: MakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_OPEN", 3)
    for i in range(8):
        with Index.create(tmp_path / f"c{i}.db") as index:
            index.add([f"text {i}"], [str(i)])
    api = make_api(None, folder=str(tmp_path))
    held = api.app.state.services._open
    for _ in range(2):
        for i in range(8):
            (one,) = api.ok("GET", f"/c/c{i}/api/documents")["documents"]
            assert one["id"] == str(i)
            assert len(held) <= 3
    together = api.together(*(api.client.get(f"/c/c{i}/api/documents") for i in range(8)))
    assert {answer.status_code for answer in together} <= {200, 503}
    assert {answer.status_code for answer in together[:3]} == {200}


def test_files_and_databases_beside_each_other(
    make_api: MakeApi, postgres: PostgresServer, file: str
) -> None:
    address = new_schema(postgres)
    fill(address)
    api = make_api(file, more=[address])
    schema = address.partition("#")[2]
    assert named(api) == {"some index": 3, schema: 3}
    api.ok("DELETE", f"/c/{schema}/api/documents/moon")
    assert named(api) == {"some index": 3, schema: 2}
    told = api("GET", "/api/collections").text
    for secret in (str(postgres.port), "tester", "postgresql", file):
        assert secret not in told


def test_what_one_process_makes_the_others_find(live: StartLive, folder: Path) -> None:
    server = live(None, "--folder", folder, "--workers", 2)
    made = httpx.post(f"{server.url}/api/collections", json={"name": "new"}, timeout=60)
    assert made.status_code == 201
    for i in range(12):  # a connection each, so that both are asked
        url = f"{server.url}/c/new/api/documents/{i}"
        assert httpx.put(url, content=f"text {i}".encode(), timeout=60).status_code == 200
    url = f"{server.url}/c/new/api/index"
    assert {httpx.get(url, timeout=60).json()["documents"] for _ in range(8)} == {12}
    said = server.stop()
    assert "2 collections: index, Essays 2018" in said
    assert "unexpected" not in said


def test_the_files_of_one_that_is_not_used_any_more_are_let_go(
    make_api: MakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_OPEN", 1)
    for name in ("a", "b"):
        fill(str(tmp_path / f"{name}.db"))
    api = make_api(None, folder=str(tmp_path))
    api.ok("GET", "/c/a/api/documents")
    api.ok("GET", "/c/b/api/documents")

    def closed() -> bool:
        held = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
                if os.path.lexists(f"/proc/self/fd/{fd}")]  # fmt: skip
        return not [path for path in held if path.endswith("/a.db")]

    if os.path.isdir("/proc/self/fd"):
        until(closed, 30)
    assert len(api.ok("GET", "/c/a/api/documents")["documents"]) == len(STORED)


def test_the_samples_are_a_collection_that_is_made_once(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(None, folder=str(tmp_path))
    for _ in range(2):
        assert api.ok("POST", "/api/samples") == {"name": "Sample essays"}
    listed = api.ok("GET", "/c/Sample essays/api/documents?limit=100")["documents"]
    assert len(listed) == 35
    assert "tides-05.txt" in [one["id"] for one in listed]


def test_a_server_without_a_folder_makes_no_samples(make_api: MakeApi, file: str) -> None:
    make_api(file).refused(403, "POST", "/api/samples")
