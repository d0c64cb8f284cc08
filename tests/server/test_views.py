"""What the pages show: the overview, a document with its sources, a pair, and what is checked."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from likewise.index.index import Index
from likewise.server import sketched_survey
from likewise.server.archives import Archives
from likewise.server.collections import Collections
from likewise.server.index_client import IndexClient
from likewise.server.jobs import surveys
from likewise.server.settings import ServerSettings
from likewise.text.words import words_of
from tests.documents.makers import make_pdf
from tests.server.conftest import Api, until

MakeApi = Callable[..., Api]

HARBOUR = (
    "The lamps along the harbour were lit one by one before the last boat had come home with nets."
)
BAKERS = (
    "Bakers rise while everybody sleeps and carry warm loaves through streets that nobody swept."
)
HOSTILE = "<script>alert(1)</script>\r\nX-Bad: 1"
TEXTS = {
    "harbour": f"An old story. {HARBOUR} So it went on for years and nobody wrote it down.",
    "both": f"{BAKERS} In the meantime, at sea: {HARBOUR} Always the same, “as they say”.",
    "neither": "a dog barked at the passing train all night long and the moon was out again",
    f"a/b {HOSTILE}": f"{BAKERS} <img src=x onerror=alert(1)> and nothing else of this kind.",
}
METADATA: dict[str, dict[str, Any]] = {"harbour": {"title": "Lamps", "author": "M. Okafor"}}


def make_index(path: str, **settings: Any) -> None:
    with Index.create(path, **settings) as index:
        about = [METADATA.get(id_) for id_ in TEXTS]
        index.add(list(TEXTS.values()), list(TEXTS), metadata=about)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    path = str(tmp_path_factory.mktemp("a secret place") / "shelf.db")
    make_index(path)
    with Api(ServerSettings((path,), quiet=True)) as made:
        yield made


NOTHING = {"state": "empty", "unread": {"files": [], "unlisted": 0}}


def archives_of(client: IndexClient, path: str) -> Archives:
    return Archives(client, "shelf", Collections(ServerSettings((path,))))


def survey_of(api: Api, prefix: str = "", **more: Any) -> dict[str, Any]:
    """As soon as it is there, and up to date."""

    def ask() -> dict[str, Any] | None:
        told = api.ok("GET", f"{prefix}/api/view/survey", **more)
        assert set(told) == {
            "ready": {"state", "survey", "changed", "unread"},
            "running": {"state", "stage", "done", "total"},
            "empty": {"state", "unread"},
        }[told["state"]]  # fmt: skip
        return told if told["state"] == "ready" and not told["changed"] else None

    survey: dict[str, Any] = until(ask)["survey"]
    return survey


def rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    columns = table["columns"]
    assert len({len(column) for column in columns.values()}) == 1
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


# --- the overview


def test_the_overview_has_all_documents_and_pairs(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add(TEXTS)
    survey = survey_of(api)
    documents = rows(survey["documents"])
    assert survey["documents"]["count"] == len(documents) == len(TEXTS) + 3
    pairs = [
        {documents[pair["a"]]["id"], documents[pair["b"]]["id"]} for pair in rows(survey["pairs"])
    ]
    for pair in ({"harbour", "both"}, {"both", f"a/b {HOSTILE}"}, {"moon", "sun"}):
        assert pair in pairs
    assert {"neither", "harbour"} not in pairs
    both = next(one for one in documents if one["id"] == "both")
    assert both["sources"] == 2
    assert both["words"] == len(words_of(TEXTS["both"]))
    assert survey["left_out"] == []
    for secret in ("postgres", "127.0.0.1", str(Path(anywhere).parent), ".db"):
        assert secret not in json.dumps(survey)


def test_nothing_is_empty(make_api: MakeApi, tmp_path: Path) -> None:
    path = str(tmp_path / "empty.db")
    Index.create(path).close()
    api = make_api(path)
    assert api.ok("GET", "/api/view/survey") == NOTHING
    api.add({"a": "one text"})
    assert survey_of(api)["documents"]["count"] == 1
    api.ok("DELETE", "/api/documents/a")
    assert api.ok("GET", "/api/view/survey") == NOTHING


def test_it_is_made_again_when_something_has_changed(make_api: MakeApi, file: str) -> None:
    api = make_api(file)
    first = survey_of(api)
    assert survey_of(api) == first  # kept as it is
    api.add({"new": "a new text of some words"})
    told = api.ok("GET", "/api/view/survey")
    assert (told["state"], told["changed"]) == ("ready", True)
    assert told["survey"] == first
    assert survey_of(api)["documents"]["count"] == 4
    with Index(file) as index:  # by another process
        index.remove(["new", "moon"])
    assert survey_of(api)["documents"]["count"] == 2
    api.add({"sun": "another text with the same name"})
    assert survey_of(api)["documents"]["count"] == 2


def test_there_is_one_at_a_time_and_it_tells_how_far_it_is(
    make_api: MakeApi, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, running = threading.Event(), []
    real = surveys.make_survey

    def slow(client: Any, archives: Any, title: str, progress: Any) -> dict[str, Any]:
        running.append(title)
        progress("compare", 7, 10)
        assert go.wait(30)
        return real(client, archives, title, progress)

    monkeypatch.setattr(surveys, "make_survey", slow)
    api = make_api(file)
    until(lambda: api.ok("GET", "/api/view/survey").get("done") == 7)
    answers = api.together(*(api.client.get("/api/view/survey") for _ in range(10)))
    running_state = {"state": "running", "stage": "compare", "done": 7, "total": 10}
    assert [answer.json() for answer in answers] == [running_state] * 10
    assert len(api.query("the cat sat on the mat and looked")) > 0  # others do not wait
    assert running == ["some index"]
    go.set()
    assert survey_of(api)["title"] == "some index"
    assert len(running) == 1


def test_it_is_given_up_when_the_server_ends(
    make_api: MakeApi, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []

    def endless(client: Any, archives: Any, title: str, progress: Any) -> dict[str, Any]:
        try:
            while True:
                progress("compare", 0, None)
                time.sleep(0.01)
        finally:
            ended.append(title)

    monkeypatch.setattr(surveys, "make_survey", endless)
    api = make_api(file)
    assert api.ok("GET", "/api/view/survey")["state"] == "running"
    services = api.app.state.services
    assert services.stop()
    assert ended == ["some index"]


def test_what_goes_wrong_is_reported_and_tried_again(
    make_api: MakeApi,
    file: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real = surveys.make_survey

    def mistaken(client: Any, archives: Any, title: str, progress: Any) -> dict[str, Any]:
        raise RuntimeError

    monkeypatch.setattr(surveys, "make_survey", mistaken)
    api = make_api(file)
    response = until(lambda: (r := api("GET", "/api/view/survey")).status_code == 503 and r)
    assert response.json()["error"]["message"] == "the overview could not be computed"
    assert "unexpected error: RuntimeError" in capsys.readouterr().err
    monkeypatch.setattr(surveys, "make_survey", real)
    monkeypatch.setattr(surveys, "_FAILED_SECONDS", 0.0)
    assert survey_of(api)["documents"]["count"] == 3


@pytest.mark.parametrize("limit", ["MAX_DOCUMENTS", "MAX_CHARACTERS"])
def test_of_very_many_the_newest_are_looked_at(
    make_api: MakeApi, file: str, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(surveys, limit, {"MAX_DOCUMENTS": 2, "MAX_CHARACTERS": 100}[limit])
    api = make_api(file)
    survey = survey_of(api)
    assert sorted(one["id"] for one in rows(survey["documents"])) == ["sun", "train"]
    assert survey["documents"]["count"] == 3
    assert survey["left_out"] == [
        "The collection has 3 documents; this overview covers the 2 that were added last."
    ]


# --- a document and a pair


def test_a_document_is_shown_with_what_others_share(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add(TEXTS)
    view = api.ok("GET", "/api/view/document/both")
    document = view["document"]
    assert (document["id"], document["text"]) == ("both", TEXTS["both"])
    assert document["words"] == len(words_of(TEXTS["both"]))
    (mark,) = document["marks"]
    assert TEXTS["both"][mark[0] : mark[1]] == "“as they say”"
    sources = {source["id"]: source for source in view["sources"]}
    assert set(sources) == {"harbour", f"a/b {HOSTILE}"}
    (passage,) = sources["harbour"]["passages"]
    assert TEXTS["both"][passage["start"] : passage["end"]] == HARBOUR
    other = TEXTS["harbour"][passage["other_start"] : passage["other_end"]]
    assert other == HARBOUR
    assert sources["harbour"]["pair"]["words"] == len(words_of(HARBOUR))
    assert "both" not in sources
    assert "both" not in [match["id"] for match in view["matches"]]


def test_any_id_can_be_shown_and_nothing_of_it_gets_into_headers(shelf: Api) -> None:
    id_ = f"a/b {HOSTILE}"
    response = shelf("GET", f"/api/view/document/{quote(id_, safe='')}")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert "X-Bad" not in response.headers
    view = response.json()
    assert view["document"]["id"] == id_
    assert [source["id"] for source in view["sources"]] == ["both"]


def test_two_documents_are_shown_side_by_side(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add(TEXTS)
    view = api.ok("GET", "/api/view/pair", params={"a": "harbour", "b": "both"})
    assert (view["a"]["text"], view["b"]["text"]) == (TEXTS["harbour"], TEXTS["both"])
    (passage,) = view["passages"]
    assert TEXTS["harbour"][passage["start"] : passage["end"]] == HARBOUR
    measures = view["measures"]
    assert measures["estimate"]["low"] <= measures["jaccard"] <= measures["estimate"]["high"]
    assert measures["chance_of_pair"]["p_value"] < 0.05
    turned = api.ok("GET", "/api/view/pair", params={"a": "both", "b": "harbour"})
    assert turned["measures"]["jaccard"] == measures["jaccard"]
    assert turned["measures"]["share_a"] == measures["share_b"]


def test_the_wording_of_places_is_shown(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add(TEXTS | {"two lines": "one two\nthree, (four) five"})
    places = [
        {"id": "two lines", "first": 2, "last": 4}, {"id": "none", "first": 0, "last": 1},
        {"id": "two lines", "first": 4, "last": 6}, {"id": "harbour", "first": 3, "last": 6},
        {"id": "harbour", "first": 3, "last": 3},
    ]  # fmt: skip
    answer = api.ok("POST", "/api/view/stretches", json={"places": places})
    assert answer["stretches"] == [
        {"text": "three, (four", "place": "line 2"}, None, None,
        {"text": "The lamps along", "place": "line 1"}, None,
    ]  # fmt: skip
    for body in ({"places": []}, {"places": places[:1] * 101}, {"places": [{"id": "two lines"}]}):
        api.refused(422, "POST", "/api/view/stretches", json=body)


def test_families_of_a_collection_are_in_its_survey(shelf: Api) -> None:
    survey = survey_of(shelf)
    ids = survey["documents"]["columns"]["id"]
    found = survey["families"]["columns"]
    wanted = {frozenset({"harbour", "both"}): HARBOUR, frozenset({"both", list(TEXTS)[3]}): BAKERS}
    assert survey["families"]["count"] == len(found["documents"]) == 2
    for flat, common in zip(found["witnesses"], found["common"], strict=True):
        assert common == len(words_of(wanted[frozenset(ids[row] for row in flat[::3])]))
        places = [
            {"id": ids[flat[at]], "first": flat[at + 1], "last": flat[at + 2]}
            for at in range(0, len(flat), 3)
        ]
        answer = shelf.ok("POST", "/api/view/stretches", json={"places": places})
        texts = [one["text"].rstrip(".") for one in answer["stretches"]]
        assert texts[0] == texts[1] == wanted[frozenset(one["id"] for one in places)].rstrip(".")


@pytest.mark.parametrize("path", ["/api/view/document/none", "/api/view/pair?a=none&b=both",
                                  "/api/view/pair?a=both&b=none"])  # fmt: skip
def test_what_is_not_there_is_reported(shelf: Api, path: str) -> None:
    assert shelf.refused(404, "GET", path) == "no document 'none'"
    assert shelf.refused(404, "GET", path.replace("none", "")) == "no document ''"


@pytest.mark.parametrize("path", [
    "/api/view/document/%ff", "/api/view/document/a%00b",
    f"/api/view/document/{'x' * 1025}", "/api/view/pair", "/api/view/pair?a=both",
    "/api/view/pair?a=both&b=both", "/api/view/pair?a=both&b=%00",
])  # fmt: skip
def test_what_cannot_be_is_refused(shelf: Api, path: str) -> None:
    shelf.refused(422, "GET", path)


def test_shown_documents_are_those_of_their_collection(make_api: MakeApi, tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_index(str(tmp_path / f"{name}.db"))
    api = make_api(None, folder=str(tmp_path))
    api.ok("DELETE", "/c/two/api/documents/harbour")
    assert len(api.ok("GET", "/c/one/api/view/document/both")["sources"]) == 2
    assert len(api.ok("GET", "/c/two/api/view/document/both")["sources"]) == 1
    api.refused(404, "GET", "/c/two/api/view/pair?a=both&b=harbour")
    assert survey_of(api, "/c/one")["documents"]["count"] == 4
    assert survey_of(api, "/c/two")["documents"]["count"] == 3


# --- what is checked


def test_a_text_is_checked_and_not_stored(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add(TEXTS)
    text = f"As I wrote myself: {HARBOUR} And that was that."
    view = api.ok("POST", "/api/view/check", json={"text": text, "name": "both"})
    assert view["document"]["id"] == "both"  # what is called so in the index is a source as others
    assert {source["id"] for source in view["sources"]} == {"harbour", "both"}
    assert api.ok("POST", "/api/view/check", json={"text": text})["document"]["id"] == "your text"
    assert api.ok("GET", "/api/index")["documents"] == len(TEXTS) + 3
    similar = api.ok("POST", "/api/view/check", json={"text": TEXTS["harbour"]})["matches"]
    assert (similar[0]["id"], similar[0]["jaccard"]) == ("harbour", 1.0)


@pytest.mark.parametrize("text", ["", " ", "…", "word", HOSTILE, "\u200b" * 50, "日本語" * 20])
def test_any_text_can_be_checked(shelf: Api, text: str) -> None:
    view = shelf.ok("POST", "/api/view/check", json={"text": text})
    assert view["document"]["text"] == text
    assert view["sources"] == []


def test_a_file_is_checked_with_its_pages_and_flags(shelf: Api) -> None:
    pdf = make_pdf([["A title of its own"], [HARBOUR[:60], HARBOUR[60:]]])
    view = shelf.ok("POST", "/api/view/check/file?name=mine.pdf", content=pdf)
    assert view["document"]["id"] == "mine.pdf"
    assert len(view["document"]["page_starts"]) == 2
    assert {source["id"] for source in view["sources"]} == {"harbour", "both"}
    latin = TEXTS["neither"].replace("o", "\u043e")
    told = shelf.ok("POST", "/api/view/check/file?name=x.txt", content=latin.encode())
    assert told["document"]["flags"]
    assert {source["id"] for source in told["sources"]} == {"neither"}


def test_a_file_that_gives_no_text_is_reported(shelf: Api) -> None:
    path = "/api/view/check/file?name=broken.pdf"
    told = shelf.refused(422, "POST", path, content=b"%PDF-1.7 and no more")
    assert told == "no text could be extracted: damaged or truncated"
    assert shelf.refused(422, "POST", path, content=b"") == "this file is empty"


@pytest.mark.parametrize("asked", [{}, {"text": None}, {"text": 1}, {"text": "a", "name": 7},
                                   {"text": "a\0"}, {"text": "a", "more": 1},
                                   {"text": "a", "name": "x" * 1025}])  # fmt: skip
def test_what_cannot_be_checked_is_refused(shelf: Api, asked: dict[str, Any]) -> None:
    shelf.refused(422, "POST", "/api/view/check", json=asked)


# --- indexes that know less


def test_without_texts_similar_documents_are_reported_with_intervals(
    make_api: MakeApi, tmp_path: Path
) -> None:
    path = str(tmp_path / "without.db")
    make_index(path, keep_text=False)
    api = make_api(path)
    near = TEXTS["neither"] + " and again"
    api.add({"near": near})
    view = api.ok("GET", "/api/view/document/neither")
    # Not known, and not nothing.
    assert (view["document"]["text"], view["document"]["words"]) == (None, None)
    assert (view["searched"], view["sources"]) == (False, [])
    (match,) = view["matches"]
    assert match["id"] == "near"
    assert 0 < match["low"] < match["jaccard"] <= match["high"] <= 1
    (note,) = view["notes"]
    assert note.startswith("This collection stores no texts.")
    pair = api.ok("GET", "/api/view/pair?a=neither&b=near")
    assert pair["measures"]["low"] == match["low"]
    passages = ("words", "share_a", "share_b", "passages", "run")
    assert [pair["measures"][name] for name in passages] == [None] * len(passages)
    assert pair["a"]["text"] is pair["b"]["text"] is None
    assert pair["notes"] == view["notes"]
    checked = api.ok("POST", "/api/view/check", json={"text": near})
    assert [one["id"] for one in checked["matches"]] == ["near", "neither"]
    assert checked["document"]["text"] == near
    survey = survey_of(api)
    documents = rows(survey["documents"])
    (row,) = rows(survey["pairs"])
    assert {documents[row["a"]]["id"], documents[row["b"]]["id"]} == {"neither", "near"}
    assert row["low"] == match["low"]
    assert {one["text"] for one in documents} == {0}
    assert next(one["title"] for one in documents if one["id"] == "harbour") == "Lamps"
    assert sum(survey["histogram"]["documents"]) == len(TEXTS) + 1
    assert survey["similarity"]["highest"] == row["jaccard"]
    assert not {"words", "matched", "share_a", "passages", "run"} & {*row, *documents[0]}


def test_without_texts_all_pairs_are_counted_and_the_most_similar_listed(
    make_api: MakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sketched_survey, "MAX_PAIRS", 2)
    path = str(tmp_path / "without.db")
    make_index(path, keep_text=False)
    api = make_api(path)
    near = f"{TEXTS['neither']} and again"
    api.add({**{f"copy {i}": TEXTS["neither"] for i in range(8)}, "near": near})
    survey = survey_of(api)
    assert survey["pairs"]["count"] == 9 * 8 // 2 + 9 == sum(survey["histogram"]["pairs"])
    assert [row["jaccard"] for row in rows(survey["pairs"])] == [1.0, 1.0]
    sources = {row["id"]: row["sources"] for row in rows(survey["documents"])}
    assert (sources["near"], sources["neither"], sources["harbour"]) == (9, 9, 0)
    assert survey["left_out"] == ["45 pairs were found; the 2 most similar are listed."]


def test_without_texts_a_document_that_goes_meanwhile_is_passed_over(
    make_api: MakeApi, tmp_path: Path
) -> None:
    path = str(tmp_path / "without.db")
    make_index(path, keep_text=False)
    client = IndexClient(path, print)

    def remove(stage: str, done: int, total: int | None) -> None:
        if stage == "compare":
            with Index(path) as index:
                index.remove(["both"])

    try:
        made = surveys.make_survey(client, archives_of(client, path), "shelf", remove)
    finally:
        client.close()
    assert len(made["documents"]["columns"]["id"]) == len(TEXTS)


def test_without_passages_similar_documents_are_reported(make_api: MakeApi, tmp_path: Path) -> None:
    path = str(tmp_path / "without.db")
    make_index(path, min_words=None)
    api = make_api(path)
    api.add({"near": TEXTS["neither"] + " and again"})
    view = api.ok("GET", "/api/view/document/neither")
    assert view["document"]["text"] == TEXTS["neither"]
    assert ([match["id"] for match in view["matches"]], view["sources"]) == (["near"], [])
    assert view["notes"][0].startswith("This collection was created without passages")
    assert view["searched"] is False
    pair = api.ok("GET", "/api/view/pair?a=harbour&b=both")
    assert len(pair["passages"]) == 1  # two texts can be held against each other in any case
    assert survey_of(api)["documents"]["count"] == len(TEXTS) + 1


def test_of_another_index_in_the_same_place_there_is_another_survey(
    make_api: MakeApi, tmp_path: Path
) -> None:
    first, second = (str(tmp_path / name) for name in ("shelf.db", "other.db"))
    make_index(first)
    with Index.create(second) as index:
        index.add(list(TEXTS.values()), [f"other {id_}" for id_ in TEXTS])
    api = make_api(first)
    assert "harbour" in survey_of(api)["documents"]["columns"]["id"]
    for path in tmp_path.glob("shelf.db*"):
        path.unlink()
    Path(second).rename(first)
    assert "other harbour" in survey_of(api)["documents"]["columns"]["id"]


def test_one_survey_is_made_at_a_time_whatever_collection_it_is_of(
    make_api: MakeApi, tmp_path: Path
) -> None:
    for name in ("index", "other"):
        make_index(str(tmp_path / f"{name}.db"))
    api = make_api(None, folder=str(tmp_path))
    turn = api.app.state.services.pools.survey_lock
    with turn:  # as while one is made
        until(lambda: api.ok("GET", "/c/other/api/view/survey")["stage"] == surveys.WAITING)
        api.ok("GET", "/c/other/api/documents")  # all else goes on
    assert survey_of(api, "/c/other")["documents"]["count"] == len(TEXTS)
    assert survey_of(api)["documents"]["count"] == len(TEXTS)
    assert not turn.locked()


def test_a_survey_that_waits_for_its_turn_ends_with_the_server(tmp_path: Path) -> None:
    path = str(tmp_path / "shelf.db")
    make_index(path)
    client, turn = IndexClient(path, print), threading.Lock()
    waiting = surveys.Surveys(client, archives_of(client, path), "shelf", turn)
    with turn:
        waiting.get()
        assert waiting.stop(30)
    assert not waiting.is_running
    client.close()


# --- nothing leaks


def test_no_answer_names_a_path_or_a_host(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add(TEXTS)
    survey_of(api)
    answers = [
        api("GET", "/"), api("GET", "/api/collections"), api("GET", "/api/view/survey"),
        api("GET", "/api/view/document/both"), api("GET", "/api/view/pair?a=both&b=harbour"),
        api("POST", "/api/view/check", json={"text": HARBOUR}), api("GET", "/api/view/document/no"),
        api("POST", "/api/view/check/file?name=a.pdf", content=b"%PDF-1.7"),
        api("POST", "/api/uploads?name=a.zip", content=b"PK"), api("GET", "/c/none/api/index"),
        api("POST", "/api/collections", json={"name": "new"}),
        api("POST", "/api/collections", json={"name": "../x"}), api("GET", "/static/../../x"),
    ]  # fmt: skip
    for answer in answers:
        told = answer.text + str(answer.headers)
        for secret in ("/tmp", "/work", "/home", "site-packages", ".db", "postgres", "127.0.0.1"):
            assert secret not in told, (str(answer.url), secret)


def test_what_nobody_waits_for_any_more_is_given_up(
    make_api: MakeApi, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, given_up = threading.Event(), threading.Event()

    def endless(*given: Any) -> bytes:
        is_cancelled = given[-1]
        begun.set()
        while not is_cancelled():
            time.sleep(0.01)
        given_up.set()
        return b""

    monkeypatch.setattr("likewise.server.routes.views.text_answer", endless)
    api = make_api(file)
    body = json.dumps({"text": "a text"}).encode()
    scope = {
        "type": "http", "method": "POST", "path": "/api/view/check", "query_string": b"",
        "raw_path": b"/api/view/check", "headers": [
            (b"host", b"localhost"), (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ], "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 1), "root_path": "",
    }  # fmt: skip
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await asyncio.to_thread(begun.wait, 30)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    api.run(api.app(scope, receive, send))
    assert given_up.wait(30)
    assert sent[0]["status"] == 503


def unread_of(api: Api) -> dict[str, str]:
    unread = api.ok("GET", "/api/view/survey")["unread"]
    return {file["name"]: file["reason"] for file in unread["files"]}


def test_files_that_could_not_be_read_stay_known(make_api: MakeApi, anywhere: str) -> None:
    shelf = make_api(anywhere)
    survey_of(shelf)
    assert unread_of(shelf) == {}
    for name, content in {"broken.pdf": b"%PDF-1.7 and no more", "empty.txt": b""}.items():
        shelf("POST", "/api/uploads", params={"name": name}, content=content)
    files = [{"name": "movie.mp4", "reason": "Unsupported file type."}]
    answer = shelf.ok("POST", "/api/view/unread", json={"files": files})
    assert answer["files"][-1] == files[0]
    assert list(unread_of(shelf)) == ["broken.pdf", "empty.txt", "movie.mp4"]
    assert "damaged" in unread_of(shelf)["broken.pdf"]
    shelf("POST", "/api/uploads", params={"name": "empty.txt"}, content=b"no longer empty")
    assert list(unread_of(shelf)) == ["broken.pdf", "movie.mp4"]
    shelf.ok("POST", "/api/view/unread/dismiss", json={"names": ["movie.mp4", "none"]})
    assert list(unread_of(shelf)) == ["broken.pdf"]
    shelf.ok("POST", "/api/view/unread/dismiss", json={})
    assert unread_of(shelf) == {}
