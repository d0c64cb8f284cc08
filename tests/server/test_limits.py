"""More than can be done is refused at once, and what takes too long is given up."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from likewise.index.index import Index
from likewise.server.errors import ApiError
from likewise.server.file_reader import FileReader
from likewise.server.jobs.executor import BoundedExecutor
from likewise.server.jobs.job import IsCancelled
from likewise.server.middleware.body import MAX_BODIES
from tests.server.conftest import Api, Live, message_of
from tests.server.test_writer import adding, another_writing

MakeApi = Callable[..., Api]


def test_requests_beyond_those_at_once_are_told_to_come_again(make_api: MakeApi, file: str) -> None:
    api = make_api(file, at_once=3, timeout=1.0)
    with another_writing(file):
        answers = api.together(*(adding(api, (f"{i}", f"text {i}")) for i in range(8)))
        refused = [answer for answer in answers if answer.status_code == 503]
        assert len(refused) == 5
        for answer in refused:
            assert answer.headers["Retry-After"] == "1"
            assert message_of(answer) == "too many requests at once"
        assert api("GET", "/health").status_code == 200
    assert api("GET", "/api/index").status_code == 200  # there is room again


def test_a_body_that_does_not_arrive_is_given_up(make_api: MakeApi, file: str) -> None:
    api = make_api(file, timeout=0.3)

    async def body() -> AsyncIterator[bytes]:
        yield b"the beginning of "
        await asyncio.sleep(5)
        yield b"a text"

    headers = {"Transfer-Encoding": "chunked"}
    told = api.refused(408, "PUT", "/api/documents/slow", content=body(), headers=headers)
    assert told == "the request did not arrive within 0.3 s"


def test_bodies_together_have_a_limit(make_api: MakeApi, file: str) -> None:
    api = make_api(file, max_request=10_000, timeout=2.0)

    async def body() -> AsyncIterator[bytes]:
        yield b"word " * 1_900
        await asyncio.sleep(0.5)
        yield b"and more"

    async def send(i: int) -> httpx.Response:
        headers = {"Transfer-Encoding": "chunked"}
        return await api.client.put(f"/api/documents/{i}", content=body(), headers=headers)

    statuses = [answer.status_code for answer in api.together(*map(send, range(12)))]
    assert set(statuses) == {200, 503}
    assert statuses.count(200) == 8
    api.ok("PUT", "/api/documents/later", content=b"word " * 1_900)


def test_slow_readers_of_large_answers_do_not_fill_the_memory(
    live: Callable[..., Live], file: str
) -> None:
    size = 12_000_000  # more than the system keeps for a connection
    server = live(file, "--max-request", size + 1_000)
    address, text = f"{server.url}/api/documents/long.txt", "bees " * (size // 5)
    assert httpx.put(address, content=text, timeout=60).status_code == 200
    assert httpx.get(address, timeout=60).json()["text"] == text
    before = server.memory()
    host, port = server.url.removeprefix("http://").split(":")
    with ExitStack() as stack:
        begun = []
        for _ in range(40):
            wire = stack.enter_context(socket.socket())
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            wire.settimeout(60)
            wire.connect((host, int(port)))
            wire.sendall(b"GET /api/documents/long.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
            begun.append(wire.recv(15))
        assert [begun.count(b"HTTP/1.1 %d OK" % 200), begun.count(b"HTTP/1.1 503 Se")] == [8, 32]
        assert MAX_BODIES == 8
        assert server.memory() - before < 2 * MAX_BODIES * size
        assert httpx.get(f"{server.url}/health").status_code == 200
    assert httpx.get(address, timeout=60).json()["text"] == text


def test_a_single_answer_may_be_larger_than_all_may_be_together(
    make_api: MakeApi, tmp_path: Path
) -> None:
    path = str(tmp_path / "index.db")
    with Index.create(path) as index:
        index.add(["bees " * 1_000_000], ["long"])
    api = make_api(path, max_request=1_000)
    assert len(api.ok("GET", "/api/documents/long")["text"]) == 5_000_000


def test_a_document_that_hangs_or_crashes_its_reader_costs_itself_alone() -> None:
    reader = FileReader(1.0, 10**6, extract="tests.documents.awkward:extract")
    for what, reason in (
        ("hang now", "took longer than 1 s to read"),
        ("crash now", "the reader crashed"),
        ("refuse no words", "no words"),
    ):
        with pytest.raises(ApiError, match=f"no text could be extracted: .*{reason}") as raised:
            reader.read(what.encode(), "page.html", "", None)
        assert raised.value.status_code == 422
    extracted, notes = reader.read(b"fine now", "page.html", "", None)
    assert (extracted.text.endswith("html now"), notes) == (True, [])
    reader.close()


def test_questions_that_look_at_everything_do_not_hold_up_short_ones(
    make_api: MakeApi, tmp_path: Path
) -> None:
    path = str(tmp_path / "large.db")
    with Index.create(path) as index:
        texts = [f"{i} a text that shares most of its words with others" for i in range(2_000)]
        index.add(texts, range(2_000))
    api = make_api(path)

    async def ask() -> None:
        scan = {"texts": texts[:1000], "threshold": 0.1, "scan": True, "top": 1}
        long = asyncio.ensure_future(api.client.post("/api/query", json=scan))
        await asyncio.sleep(0.2)
        short = await api.client.post("/api/query", json={"text": texts[0], "top": 1})
        assert short.status_code == 200
        assert not long.done()
        long.cancel()  # and with nobody waiting, the rest of it is left

    api.run(ask())


# --- threads


def test_there_are_never_more_threads_than_allowed_nor_work_that_nobody_wants(api: Api) -> None:
    executor = BoundedExecutor("test", 2, max_jobs=4)
    free = threading.Event()
    begun: list[str] = []

    def work(name: str) -> Callable[[IsCancelled], str]:
        def do(is_cancelled: IsCancelled) -> str:
            begun.append(name)
            free.wait(30)
            return name

        return do

    async def ask() -> list[object]:
        jobs = [executor.run(work(name), 0.3) for name in "abcdef"]
        return list(await asyncio.gather(*jobs, return_exceptions=True))

    first = api.run(ask())
    assert [getattr(one, "status_code", one) for one in first] == [504] * 4 + [503] * 2
    again = api.run(ask())  # those that were begun are still under way
    assert [getattr(one, "status_code", one) for one in again] == [503] * 6
    free.set()
    assert sorted(begun) == ["a", "b"]

    async def later() -> str:
        while True:
            try:
                return await executor.run(work("g"), 5)
            except Exception:
                await asyncio.sleep(0.01)

    assert api.run(later()) == "g"
    assert sorted(begun) == ["a", "b", "g"]
    assert executor.stop(5)


def test_work_can_see_that_nobody_waits_any_more(api: Api) -> None:
    executor = BoundedExecutor("test", 1, max_jobs=1)
    seen: list[bool] = []

    def work(is_cancelled: IsCancelled) -> None:
        seen.append(is_cancelled())
        while not is_cancelled():
            time.sleep(0.01)
        seen.append(is_cancelled())

    async def ask() -> None:
        with pytest.raises(Exception, match="not finished within"):
            await executor.run(work, 0.1)

    api.run(ask())
    assert executor.stop(10)
    assert seen == [False, True]
