"""What clients may send before anybody has looked at their token: bytes, slowly or without end."""

from __future__ import annotations

import json
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest

from likewise.server.process.protocol import (
    MAX_CONNECTIONS,
    MAX_HEAD_BYTES,
    MAX_HEADERS,
    MAX_PIPELINED,
    MAX_URL_BYTES,
)
from tests.server.conftest import Live, fill

HOST = b"Host: localhost\r\n"
HEALTH = b"GET /health HTTP/1.1\r\n" + HOST + b"\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One server for all tests, which must still be there after each."""
    path = str(tmp_path_factory.mktemp("wire") / "index.db")
    fill(path)
    made = Live(path, "--timeout", 3)
    yield made
    said = made.stop()
    made.kill()
    assert "Traceback" not in said
    assert "unexpected error" not in said


@pytest.fixture
def wire(server: Live) -> Iterator[Callable[[], socket.socket]]:
    """Opens connections."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(connect(server))
    assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200


def connect(server: Live) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def send(wire: socket.socket, *parts: bytes) -> bytes:
    """All that is answered until the server closes the connection or says no more."""
    with suppress(ConnectionError):
        for part in parts:
            wire.sendall(part)
    answer = b""
    with suppress(ConnectionError):
        while part := wire.recv(65_536):
            answer += part
    return answer


def ask(wire: socket.socket, times: int = 1) -> bytes:
    """The answers to requests after which the connection stays open."""
    wire.sendall(HEALTH * times)
    received = b""
    while received.count(b'{"status":"ok"}') < times:
        received += wire.recv(65_536)
    return received


def error_of(answer: bytes, status: int) -> str:
    """The message of the only answer, which is an error in the shape that all have."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), answer[:200]
    assert b"connection: close" in head
    told: dict[str, Any] = json.loads(body)
    message: str = told["error"]["message"]
    return message


Wire = Callable[[], socket.socket]


def test_an_address_without_end_is_refused(wire: Wire) -> None:
    assert error_of(send(wire(), b"GET /", *[b"x" * 60_000] * 100), 414)


def test_the_longest_address_that_a_query_needs_is_read(wire: Wire) -> None:
    # 16 phrases of 200 characters, each of twelve bytes when it is percent-encoded.
    phrases = "&".join(f"phrase={'%F0%9F%90%9D' * 200}" for _ in range(16))
    assert len(phrases) < MAX_URL_BYTES
    line = f"POST /api/passages/document?{phrases} HTTP/1.1\r\nConnection: close\r\n"
    answer = send(wire(), line.encode() + HOST + b"Content-Length: 1\r\n\r\na")
    assert answer.startswith(b"HTTP/1.1 422 ")  # bees are no words


@pytest.mark.parametrize("header", [b"X", b"X: ", b": ", b"Cookie: a="])
def test_a_header_without_end_is_refused(wire: Wire, server: Live, header: bytes) -> None:
    before = server.memory()
    answer = send(wire(), b"GET /health HTTP/1.1\r\n", HOST + header, *[b"x" * 60_000] * 200)
    assert error_of(answer, 400 if header == b": " else 431)
    assert server.memory() - before < 20 << 20


def test_headers_without_end_are_refused(wire: Wire, server: Live) -> None:
    before = server.memory()
    many = b"".join(b"X-%d: y\r\n" % i for i in range(5_000))
    answer = send(wire(), b"GET /health HTTP/1.1\r\n" + HOST, *[many] * 200)
    assert str(MAX_HEADERS) in error_of(answer, 431)
    assert server.memory() - before < 20 << 20


def test_one_header_too_many_is_refused(wire: Wire) -> None:
    many = b"".join(b"X-%d: y\r\n" % i for i in range(MAX_HEADERS))
    assert str(MAX_HEADERS) in error_of(send(wire(), HEALTH[:-2] + many + b"\r\n"), 431)


def test_headers_within_the_limits_are_read(wire: Wire) -> None:
    cookies = b"".join(b"X-%d: %s\r\n" % (i, b"x" * 500) for i in range(MAX_HEADERS - 2))
    assert len(cookies) < MAX_HEAD_BYTES
    answer = send(wire(), HEALTH[:-2] + cookies + b"Connection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")


PUT = b"POST /api/query HTTP/1.1\r\nContent-Type: application/json\r\n" + HOST
CHUNKED = PUT + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("end", [b"0\r\nX: ", b"0\r\n", b"5;x="])
def test_trailers_and_extensions_without_end_are_refused(wire: Wire, end: bytes) -> None:
    more = b"X: y\r\n" * 10_000 if end == b"0\r\n" else b"x" * 60_000
    answer = send(wire(), CHUNKED + b'd\r\n{"text": "a"}\r\n' + end, *[more] * 200)
    if answer:  # the query may have been answered while the trailers arrived
        assert re.match(rb"HTTP/1.1 (200|431) ", answer)


def test_a_trailer_changes_no_header(wire: Wire) -> None:
    host = b"POST /api/query HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    body = b'Transfer-Encoding: chunked\r\n\r\nd\r\n{"text": "a"}\r\n0\r\n'
    refused = send(wire(), host + b"Host: evil.example\r\n" + body + HOST + b"\r\n")
    assert refused.startswith(b"HTTP/1.1 403 ")
    answered = send(wire(), host + HOST + body + b"Host: evil.example\r\n\r\n")
    assert answered.startswith(b"HTTP/1.1 200 ")


def test_two_hosts_are_refused(wire: Wire) -> None:
    closing = HEALTH[:-2] + b"Connection: close\r\n"
    for more in (HOST, b"Host: evil.example\r\n", b"host: localhost\r\n"):
        answer = send(wire(), closing + more + b"\r\n")
        assert error_of(answer, 400) == "more than one header Host"


@pytest.mark.parametrize("sent", [
    b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n",
    HEALTH[:-2] + b"Content-Length: x\r\n\r\n", HEALTH[:-2] + b"Content-Length: -1\r\n\r\n",
    HEALTH[:-2] + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
    HEALTH[:-2] + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    HEALTH[:-2] + b"Transfer-Encoding: chunked, x\r\n\r\n", HEALTH[:-2] + b"A\0: b\r\n\r\n",
    CHUNKED + b"x\r\n", CHUNKED + b"-1\r\n", CHUNKED + b"ffffffffffffffffff\r\n",
    b"CONNECT localhost:1 HTTP/1.1\r\n" + HOST + b"\r\n",
])  # fmt: skip
def test_what_is_not_http_is_told_so(wire: Wire, sent: bytes) -> None:
    assert error_of(send(wire(), sent), 400) == "the request is not valid HTTP"


def test_waiting_requests_of_one_connection_have_a_limit(wire: Wire) -> None:
    answer = send(wire(), HEALTH * 5_000)
    answered = answer.count(b"HTTP/1.1 200 ")
    assert 1 <= answered <= MAX_PIPELINED + 1
    assert ask(wire(), 3)


def test_requests_before_one_that_is_not_http_are_answered(wire: Wire) -> None:
    body = b'{"text": "a"}'
    query = PUT + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    for bad in (
        b"\x16\x03\x01\r\n",
        b"GET /health\r\n\r\n",
        b"GET / HTTP/1.1\r\nX" + b"x" * 99_999,
    ):
        answer = send(wire(), query + bad)
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b'"answers"' in answer


@pytest.mark.parametrize("wait", [b"", b"Expect: 100-continue\r\n"])
def test_clients_that_disconnect_cause_no_error(wire: Wire, wait: bytes) -> None:
    """The log is read when the server ends."""
    body = b"Content-Length: 13\r\n\r\n" + b'{"text": "a"}'
    bad = PUT + wait + b"Transfer-Encoding: chunked\r\n\r\nx\r\n"
    for _ in range(20):
        for sent in ((PUT + wait + body) * 5, (PUT + body) * 5 + bad, bad):
            one = wire()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.sendall(sent)
            one.close()
            send(wire(), bad)


def test_empty_lines_do_not_keep_a_connection(wire: Wire) -> None:
    one = wire()
    assert ask(one)
    assert send(one, b"\r\n") == b""  # closed after the time limit


def test_refused_requests_make_room(live: Callable[..., Live], file: str) -> None:
    token = "a-token-of-some-length"
    server = live(file, "--timeout", 600, env={"LIKEWISE_TOKEN": token})
    half = b"POST /api/query HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\n{"
    headers = {"Authorization": f"Bearer {token}"}
    with ExitStack() as stack:
        for _ in range(MAX_CONNECTIONS + 100):
            stack.enter_context(connect(server)).sendall(half)
        answer = httpx.get(f"{server.url}/api/index", headers=headers, timeout=60)
        assert answer.status_code == 200


def test_idle_connections_make_room_and_those_in_use_are_kept(
    live: Callable[..., Live], file: str
) -> None:
    server = live(file, "--timeout", 600)
    with ExitStack() as stack:

        def wire() -> socket.socket:
            return stack.enter_context(connect(server))

        busy, first = wire(), wire()
        busy.sendall(b"PUT /api/documents/x HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\n")
        assert ask(first)
        time.sleep(0.1)  # the clock of the event loop counts milliseconds
        idle = [wire() for _ in range(MAX_CONNECTIONS)]
        for one in idle[::2]:
            one.sendall(b"GET /health HT")
        for _ in range(5):
            assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200
        assert send(first) == b""  # closed: it was idle for longest
        busy.sendall(b"tides")
        assert busy.recv(65_536).startswith(b"HTTP/1.1 200 ")
    assert "Traceback" not in server.stop()
