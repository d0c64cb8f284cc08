"""Real servers: how they start, what they tell, how they stop, and what they survive."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from likewise.index.index import Index
from tests.documents.makers import make_pdf
from tests.server.conftest import SEA, STORED, Live, until

StartLive = Callable[..., Live]
TOKEN = "the-token-of-this-test-0123456789"


def put(url: str, id_: str, text: str, **more: object) -> httpx.Response:
    return httpx.put(f"{url}/api/documents/{id_}", content=text.encode(), timeout=60, **more)  # type: ignore[arg-type]


def ids(path: str) -> set[str]:
    with Index(path) as index:
        assert index.verify() == []
        return set(index.ids())


def children(pid: int) -> list[int]:
    """Those that any of its threads has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for task in tasks for one in task.read_text().split()]


def all_below(pid: int) -> list[int]:
    return [one for child in children(pid) for one in (child, *all_below(child))]


# --- one process


def test_it_says_where_it_listens_and_what_was_asked_and_no_more(
    live: StartLive, file: str
) -> None:
    server = live(file)
    assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+", server.url)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        assert client.get("/health").json() == {"status": "ok"}
        client.post("/api/query?token=secret", json={"text": SEA, "top": 1})
        client.put("/api/documents/a/b%20c", content=b"a private matter")
        client.get("/" + "x" * 1000)
    said = server.stop()
    assert f"listening on {server.url} ({file}, 3 documents)\n" in said
    assert re.search(r"^likewise: GET /health 200 \d+\.\d ms$", said, re.M)
    assert re.search(r"^likewise: POST /api/query 200 ", said, re.M)
    assert re.search(r"^likewise: PUT /api/documents/a/b%20c 200 ", said, re.M)
    assert re.search(r"^likewise: GET /x{199}… 404 ", said, re.M)
    for private in ("secret", "private", "looked at"):
        assert private not in said


def test_quiet_says_only_where_it_listens(live: StartLive, file: str) -> None:
    server = live(file, "--quiet")
    httpx.get(f"{server.url}/health", timeout=60)
    assert server.stop().count("\n") == 1


def test_documents_of_every_kind_are_read_by_a_real_server(live: StartLive, file: str) -> None:
    server = live(file)
    pdf = make_pdf([["a page that is sent as a file"]])
    told = httpx.put(f"{server.url}/api/documents/essay.pdf", content=pdf, timeout=60).json()
    assert (told["status"], told["pages"]) == ("added", 1)
    workers = children(server.process.pid)
    assert len(workers) == 1  # the process that read it
    server.stop()
    assert not Path(f"/proc/{workers[0]}").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_under_way_are_answered_before_it_ends(
    live: StartLive, file: str, number: int
) -> None:
    server = live(file)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # so that a request can be under way
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(put(server.url, "late", "a text")))
    asking.start()
    in_flight = "likewise_requests_in_flight 2.0"
    until(lambda: in_flight in httpx.get(f"{server.url}/metrics", timeout=60).text)
    server.signal(number)
    until(lambda: refuses(server.url))
    assert server.process.poll() is None
    other.execute("ROLLBACK")
    other.close()
    asking.join(60)
    assert answers[0].json()["status"] == "added"
    assert server.ended() == 0
    assert "late" in ids(file)


def refuses(url: str) -> bool:
    try:
        httpx.get(f"{url}/health", timeout=5)
    except httpx.TransportError:
        return True
    return False


@pytest.mark.slow
def test_a_request_without_end_does_not_keep_it(live: StartLive, file: str) -> None:
    server = live(file, "--grace", 0.5)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(put(server.url, "never", "a text")))
    asking.start()
    until(lambda: "in_flight 2.0" in httpx.get(f"{server.url}/metrics", timeout=60).text)
    server.signal()
    assert server.ended() == 0
    asking.join(60)
    assert answers[0].status_code == 504  # which says that it may still be stored
    assert "Traceback" not in server.said
    other.close()
    assert "never" not in ids(file)


def test_a_killed_server_leaves_what_it_had_answered(live: StartLive, file: str) -> None:
    server = live(file)
    answered: list[str] = []

    def add_many(base: int) -> None:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            for i in range(base, base + 10_000):
                try:
                    client.put(f"/api/documents/{i}", content=f"text {i}".encode())
                except httpx.TransportError:
                    return
                answered.append(str(i))

    threads = [threading.Thread(target=add_many, args=(10_000 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: len(answered) > 40)
    server.process.kill()
    for thread in threads:
        thread.join(60)
    assert {*STORED, *answered} <= ids(file)


# --- on the wire


def connection(server: Live) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def test_a_body_too_large_is_refused_while_it_is_sent_and_the_answer_is_read(
    live: StartLive, file: str
) -> None:
    server = live(file, "--max-request", "1MB")

    def body() -> object:
        for _ in range(3_000):
            yield b"word " * 200

    for _ in range(3):
        told = httpx.put(f"{server.url}/api/documents/x", content=body(), timeout=60)  # type: ignore[arg-type]
        assert told.status_code == 413
    declared = httpx.put(f"{server.url}/api/documents/x", content=b"x" * 2_000_000, timeout=60)
    assert declared.status_code == 413
    with connection(server) as wire:  # one that waits to be asked for its body
        wire.sendall(b"PUT /api/documents/x HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Length: 5000000\r\nExpect: 100-continue\r\n\r\n")  # fmt: skip
        assert wire.recv(1000).startswith(b"HTTP/1.1 413 ")
    assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200


def test_who_does_not_send_what_was_begun_is_not_waited_for(live: StartLive, file: str) -> None:
    server = live(file, "--timeout", 0.5)
    with connection(server) as silent, connection(server) as half, connection(server) as slow:
        half.sendall(b"GET /health HTTP/1.1\r\nHost: local")
        slow.sendall(b"PUT /api/documents/x HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Length: 100\r\n\r\nnot yet")  # fmt: skip
        assert slow.recv(1000).startswith(b"HTTP/1.1 408 ")
        for wire in (silent, half):
            assert wire_ended(wire)


def wire_ended(wire: socket.socket) -> bool:
    try:
        return wire.recv(1000) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01",
                                  b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
                                  b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n"])  # fmt: skip
def test_what_is_not_http_does_no_harm(live: StartLive, file: str, sent: bytes) -> None:
    server = live(file, "--timeout", 2)
    with connection(server) as wire:
        wire.sendall(sent)
        wire.shutdown(socket.SHUT_WR)
        answer = wire.recv(1000)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200
    assert "Traceback" not in server.stop()


# --- several processes


@pytest.mark.slow
def test_several_processes_serve_one_address_and_one_that_is_killed_is_started_again(
    live: StartLive, file: str, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    (tmp_path / "token").chmod(0o600)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    server = live(file, "--workers", 2, "--token-file", tmp_path / "token", "--quiet",
                  env={"TMPDIR": str(temporary)})  # fmt: skip
    shown = {"Authorization": f"Bearer {TOKEN}"}
    assert "token required" in server.said

    def ask() -> int:
        # A connection each, so that all processes are asked.
        return httpx.get(f"{server.url}/api/index", headers=shown, timeout=60).status_code

    assert [ask() for _ in range(20)] == [200] * 20
    assert httpx.get(f"{server.url}/api/index", timeout=60).status_code == 401
    workers = children(server.process.pid)
    assert len(workers) == 2
    for pid in (server.process.pid, *all_below(server.process.pid)):
        assert TOKEN not in Path(f"/proc/{pid}/cmdline").read_text()
        assert TOKEN not in Path(f"/proc/{pid}/environ").read_text()
    # Numbers of both, whichever is asked.
    counted = re.compile(r'route="/api/index",status="200"} (\d+)')
    told = httpx.get(f"{server.url}/metrics", headers=shown, timeout=60).text
    assert counted.findall(told) == ["20"]
    assert list(temporary.iterdir())

    os.kill(workers[0], signal.SIGKILL)
    server.wait_for("worker [12] ended by signal 9; restarting")
    until(lambda: len(set(children(server.process.pid)) - {workers[0]}) == 2)
    assert [ask() for _ in range(20)] == [200] * 20
    told = httpx.get(f"{server.url}/metrics", headers=shown, timeout=60).text
    assert counted.findall(told) == ["40"]
    assert "likewise_requests_in_flight 1.0" in told

    put_all = [put(server.url, f"new {i}", f"text {i}", headers=shown) for i in range(10)]
    assert {one.json()["status"] for one in put_all} == {"added"}
    below = all_below(server.process.pid)
    server.stop()
    assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]
    assert not list(temporary.iterdir())
    assert {f"new {i}" for i in range(10)} <= ids(file)


@pytest.mark.slow
def test_processes_end_with_their_supervisor(live: StartLive, file: str) -> None:
    server = live(file, "--workers", 2)
    assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200
    below = until(lambda: len(found := all_below(server.process.pid)) == 2 and found)
    server.process.kill()
    until(lambda: not [pid for pid in below if is_running(pid)])


def is_running(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_requests_under_way_in_any_process_are_answered_before_it_ends(
    live: StartLive, file: str
) -> None:
    server = live(file, "--workers", 2)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answers: list[dict[str, object]] = []
    asking = [
        threading.Thread(
            target=lambda i=i: answers.append(put(server.url, str(i), "a text").json())
        )
        for i in range(6)
    ]
    for one in asking:
        one.start()
    until(lambda: "in_flight 7.0" in httpx.get(f"{server.url}/metrics", timeout=60).text)
    server.signal()
    until(lambda: refuses(server.url))
    time.sleep(0.3)
    other.execute("ROLLBACK")
    other.close()
    for one in asking:
        one.join(60)
    assert [answer.get("status") for answer in answers] == ["added"] * 6, json.dumps(answers)
    assert server.ended() == 0
    assert {str(i) for i in range(6)} <= ids(file)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_serves_on_when_nobody_reads_what_it_says(file: str, workers: str) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "likewise", "serve", "--index", file, "--port", "0",
         "--workers", workers],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found
        server.stderr.close()
        for _ in range(5):
            assert httpx.get(f"{found[0]}/health", timeout=60).status_code == 200
        server.terminate()
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.wait()


@pytest.mark.slow
def test_a_server_whose_processes_cannot_begin_gives_up(
    live: StartLive, file: str, tmp_path: Path
) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ImportError('not this one')\n")
    server = live(file, "--workers", 2, env={"PYTHONPATH": str(tmp_path)})
    assert server.ended() == 1
    assert re.search(r"error: worker [12] has ended 4 times right after starting", server.said)
    assert "ImportError: not this one" in server.said
