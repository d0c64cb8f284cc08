"""What is stored together: one transaction, an answer of its own for every request."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

from likewise.index.index import Index
from likewise.server.index_client import Entry, IndexClient
from likewise.server.jobs.writer import Writer
from tests.server.conftest import STORED, Api

MakeApi = Callable[..., Api]


@contextmanager
def another_writing(path: str) -> Iterator[sqlite3.Connection]:
    """Another process holds the lock that writers need."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield other
    finally:
        other.close()


def transactions(api: Api) -> int:
    found = re.search(r"^likewise_transactions_total (\d+)", api("GET", "/metrics").text, re.M)
    assert found
    return int(found[1])


def adding(api: Api, *documents: tuple[str, str]) -> Awaitable[httpx.Response]:
    listed = [{"id": id_, "text": text} for id_, text in documents]
    return api.client.post("/api/documents", json={"documents": listed})


def statuses(response: httpx.Response) -> dict[str, str]:
    return {one["id"]: one["status"] for one in response.json()["documents"]}


def test_requests_that_arrive_together_get_their_own_answers(
    make_api: MakeApi, anywhere: str
) -> None:
    api = make_api(anywhere)
    before = transactions(api)
    asked = [adding(api, (f"own {i}", f"text {i}"), ("moon", STORED["moon"])) for i in range(40)]
    answers = api.together(*asked, adding(api, ("sun", "another sun")))
    for i, answer in enumerate(answers[:-1]):
        assert statuses(answer) == {f"own {i}": "added", "moon": "unchanged"}
    assert statuses(answers[-1]) == {"sun": "replaced"}
    assert 1 <= transactions(api) - before <= 41
    with Index(anywhere) as index:
        assert len(index) == 43
        assert index.verify() == []


def test_the_last_of_several_with_one_id_stays(make_api: MakeApi, file: str) -> None:
    api = make_api(file)
    answers = api.together(*(adding(api, ("same", f"version {i}")) for i in range(10)))
    assert [statuses(answer)["same"] for answer in answers] == ["added", *["replaced"] * 9]
    assert api.ok("GET", "/api/documents/same")["text"] == "version 9"


class Waiting:
    """A writer that begins when all that it is to do waits."""

    def __init__(self, path: str) -> None:
        self.client = IndexClient(path, print)
        self.transactions = 0
        self.writer = Writer(self.client, 100, self._count)
        self._free = threading.Event()
        self.writer._pool.submit(self._free.wait)

    def _count(self) -> None:
        self.transactions += 1

    def do(self, api: Api, *jobs: Awaitable[object]) -> list[object]:
        """What becomes of jobs, put in this order."""

        async def gathered() -> list[object]:
            waiting = asyncio.gather(*jobs, return_exceptions=True)
            await asyncio.sleep(0)
            self._free.set()
            return list(await waiting)

        done = api.run(gathered())
        assert self.writer.stop(10)
        self.client.close()
        return done


@pytest.fixture
def waiting(file: str) -> Waiting:
    return Waiting(file)


def test_what_waits_together_is_stored_in_one_transaction(
    api: Api, waiting: Waiting, file: str
) -> None:
    jobs = (waiting.writer.add([Entry(f"{i}", f"text {i}")], 20) for i in range(40))
    assert waiting.do(api, *jobs) == [["added"]] * 40
    assert waiting.transactions == 1
    with Index(file) as index:
        assert index.ids()[3:] == [str(i) for i in range(40)]
        assert index.verify() == []


def test_removing_and_adding_keep_their_order(api: Api, waiting: Waiting) -> None:
    one, two = [Entry("x", "one")], [Entry("x", "two")]
    writer = waiting.writer
    done = waiting.do(
        api,
        writer.add(one, 20),
        writer.remove(["x"], 20),
        writer.add(two, 20),
        writer.add(one, 20),
        writer.remove(["x", "y"], 20),
        writer.remove(["x"], 20),
    )
    assert done == [["added"], ["x"], ["added"], ["replaced"], ["x"], []]
    assert waiting.transactions == 6


def test_documents_that_cannot_be_stored_do_not_concern_others(
    api: Api, waiting: Waiting, file: str
) -> None:
    """Pages that begin nowhere near are refused when they are packed, behind all checks."""
    done = waiting.do(
        api,
        *(
            waiting.writer.add([Entry(f"{i}", f"text {i}", None, (2**40,) if i == 3 else None)], 20)
            for i in range(8)
        ),
    )
    assert [result == ["added"] for result in done] == [i != 3 for i in range(8)]
    assert isinstance(done[3], Exception)
    with Index(file) as index:
        assert index.ids()[3:] == [str(i) for i in range(8) if i != 3]
        assert index.verify() == []


def test_a_request_that_waited_too_long_is_reported_and_not_begun(
    make_api: MakeApi, file: str
) -> None:
    api = make_api(file, timeout=0.4)
    with another_writing(file):
        first, second = api.together(adding(api, ("a", "one")), adding(api, ("b", "two")))
        assert (first.status_code, second.status_code) == (504, 504)
        assert first.json()["error"]["message"] == "not finished within 0.4 s"
        # Questions do not wait for writers.
        assert len(api.query(STORED["moon"])) == 2
    api("POST", "/api/documents", json={"documents": [{"id": "c", "text": "three"}]})
    deadline = time.monotonic() + 30
    while "c" not in (ids := _ids(file)) and time.monotonic() < deadline:
        time.sleep(0.05)
    # What had been begun may be there, what had not is not.
    assert set(ids) - {"a"} == {*STORED, "c"} or set(ids) - {"a", "b"} == {*STORED, "c"}


def _ids(path: str) -> list[str]:
    with Index(path) as index:
        return index.ids()
