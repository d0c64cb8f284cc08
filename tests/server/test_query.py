"""Questions over HTTP: what the index answers, with all that is known of each answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from likewise.index.index import Index
from likewise.server.index_client import IndexClient
from likewise.server.jobs.query_batcher import Query, QueryBatcher
from likewise.server.schemas.query import SearchOptions
from tests.documents.makers import make_pdf
from tests.server.conftest import SEA, SEA_AND_MOON, STORED, Api, fill

MakeApi = Callable[..., Api]


def test_answers_are_verified_and_tell_what_was_looked_for(
    make_api: MakeApi, anywhere: str
) -> None:
    answer = make_api(anywhere).ok("POST", "/api/query", json={"text": SEA})
    (of_sea,) = answer["answers"]
    first, second = of_sea["matches"]
    assert first == {
        "id": "moon", "verified": True, "jaccard": SEA_AND_MOON, "containment": 8 / 9,
        "containment_of_document": 8 / 9, "shared": 8, "size": 9, "size_of_document": 9,
        "intervals": None, "metadata": None,
    }  # fmt: skip
    assert second["id"] == "sun"
    search = answer["search"]
    assert (search["profile"], search["threshold"], search["scan"]) == ("word:3", 0.5, False)
    assert search["top"] == 100
    with Index(anywhere) as index:
        assert search["recall"] == index.settings.layout.recall(0.5) > 0.99


def test_several_texts_are_asked_about_one_by_one(make_api: MakeApi, file: str) -> None:
    texts = [STORED["train"], "nothing of that kind is there", SEA, ""] * 10
    answers = make_api(file).ok("POST", "/api/query", json={"texts": texts})["answers"]
    found = [[match["id"] for match in answer["matches"]] for answer in answers]
    assert found == [["train"], [], ["moon", "sun"], []] * 10


def test_top_and_threshold_say_how_many(api: Api) -> None:
    assert [match["id"] for match in api.query(SEA, top=1)] == ["moon"]
    assert [match["id"] for match in api.query(SEA, threshold=SEA_AND_MOON)] == ["moon", "sun"]
    assert api.query(SEA, threshold=0.81) == []


def test_a_lower_threshold_needs_a_scan(api: Api, file: str) -> None:
    low = {"text": "the cat sat on a very different thing", "threshold": 0.1}
    response = api("POST", "/api/query", json=low)
    assert response.status_code == 422
    assert response.json()["error"] == {
        "message": "the index was created for similarities of 0.5 or more; at 0.1 documents "
        "would be missed",
        "hint": 'compare with every document ("scan": true), or create another index',
    }
    assert file not in response.text
    answer = api.ok("POST", "/api/query", json={**low, "scan": True})
    assert {match["id"] for match in answer["answers"][0]["matches"]} == {"moon", "sun"}
    assert answer["search"]["recall"] == 1


def test_without_texts_answers_are_estimates_with_intervals(
    make_api: MakeApi, tmp_path: Path
) -> None:
    path = str(tmp_path / "without.db")
    fill(path, keep_text=False)
    (match, _) = make_api(path).query(SEA, level=0.9)
    assert (match["id"], match["verified"], match["shared"]) in [
        ("moon", False, None), ("sun", False, None),
    ]  # fmt: skip
    intervals = match["intervals"]
    assert intervals["level"] == 0.9
    for name in ("jaccard", "containment", "containment_of_document"):
        assert 0 <= intervals[name]["low"] <= match[name] <= intervals[name]["high"] <= 1
    assert intervals["jaccard"]["low"] < SEA_AND_MOON < intervals["jaccard"]["high"]


def test_a_file_is_asked_about_and_not_stored(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    answer = api.ok("POST", "/api/query/document?top=1", content=make_pdf([[SEA]]))
    assert [match["id"] for match in answer["answers"][0]["matches"]] == ["moon"]
    assert answer["characters"] == len(SEA) + 1
    assert api.ok("GET", "/api/index")["documents"] == len(STORED)


@pytest.mark.parametrize("asked", ["threshold=0", "threshold=nan", "threshold=1.1", "top=0",
                                   "level=1", "level=inf", "scan=perhaps", "top=1e3"])  # fmt: skip
def test_what_cannot_be_asked_about_a_file_is_refused(shared_api: Api, asked: str) -> None:
    shared_api.refused(422, "POST", f"/api/query/document?{asked}", content=b"a text")


def test_the_index_is_described_without_its_place(make_api: MakeApi, anywhere: str) -> None:
    response = make_api(anywhere)("GET", "/api/index")
    told = response.json()
    assert (told["documents"], told["profile"], told["keeps_text"]) == (3, "word:3", True)
    assert "index.db" not in response.text
    assert "postgres" not in response.text


def test_questions_that_wait_together_get_their_own_answers(
    make_api: MakeApi, anywhere: str
) -> None:
    api = make_api(anywhere)
    asked = [
        {"texts": [SEA, STORED["train"]]},
        {"text": SEA, "top": 1},
        {"text": "nothing of that kind"},
        {"text": SEA, "threshold": 0.1},  # refused, and none of the others
        {"text": STORED["train"]},
        {"text": SEA, "threshold": 0.1, "scan": True},
    ] * 10
    answers = api.together(*(api.client.post("/api/query", json=one) for one in asked))
    found = [
        [[match["id"] for match in answer["matches"]] for answer in one.json()["answers"]]
        if one.status_code == 200
        else one.status_code
        for one in answers
    ]
    assert found == [
        [["moon", "sun"], ["train"]], [["moon"]], [[]], 422, [["train"]], [["moon", "sun"]],
    ] * 10  # fmt: skip


def test_a_text_that_cannot_be_asked_about_does_not_concern_others(api: Api, file: str) -> None:
    client = IndexClient(file, print)
    batcher = QueryBatcher(client, threads=1, max_texts=32, max_waiting=100)
    free = threading.Event()
    batcher._pool.submit(free.wait)
    texts = [SEA, b"not a text", STORED["train"]]

    async def ask() -> list[object]:
        asked = [batcher.run(Query([text], SearchOptions()), 20) for text in texts]  # type: ignore[list-item]
        waiting = asyncio.gather(*asked, return_exceptions=True)
        await asyncio.sleep(0)
        free.set()  # when all three wait
        return list(await waiting)

    first, second, third = api.run(ask())
    assert isinstance(first, list)
    assert isinstance(second, Exception)
    assert isinstance(third, list)
    assert batcher.stop(10)
    client.close()
