"""Asks a server on this machine, over several connections at once, each as quickly as it answers.

A client of its own, since it must tell how long questions and additions took apart, and must take
little of the processors that the server runs on: requests are made beforehand, and of an answer no
more is read than its status and its length. Run by `server_load` in a process of its own:

    python -m benchmarks.server.client HOST PORT REQUESTS SECONDS CONNECTIONS
"""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

Requests = list[tuple[str, bytes]]
"""What each is called, and its bytes."""


def request(method: str, path: str, body: dict[str, Any]) -> bytes:
    """A request with a JSON body, as it goes over the wire."""
    content = json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


class Load:
    """What is sent, and what became of it so far."""

    def __init__(self, requests: Requests, seconds: float) -> None:
        self._requests: Iterator[tuple[str, bytes]] = iter(requests)
        self.deadline = time.perf_counter() + seconds
        self.seconds: dict[str, list[float]] = {}
        self.statuses: Counter[str] = Counter()

    def next(self) -> tuple[str, bytes] | None:
        """The next request; None when it is time to stop."""
        return next(self._requests, None) if time.perf_counter() < self.deadline else None

    def done(self, kind: str, began: float, status: str) -> None:
        self.seconds.setdefault(kind, []).append(time.perf_counter() - began)
        self.statuses[status] += 1


class Connection(asyncio.Protocol):
    """Sends a request, waits for its answer, and sends the next."""

    def __init__(self, load: Load, ended: asyncio.Future[None]) -> None:
        self._load = load
        self._ended = ended
        self._received = b""
        self._kind = ""
        self._began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by its class
        self._ask()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        _, _, rest = head.lower().partition(b"content-length: ")
        if len(body) < int(rest.split(b"\r\n", 1)[0]):
            return
        self._load.done(self._kind, self._began, head[9:12].decode())
        self._received = b""
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._ended.done():
            self._load.done(self._kind, self._began, "lost")
            self._ended.set_result(None)

    def _ask(self) -> None:
        following = self._load.next()
        if following is None:
            self._ended.set_result(None)
            self._transport.close()
            return
        self._kind, sent = following
        self._began = time.perf_counter()
        self._transport.write(sent)


async def ask(host: str, port: int, load: Load, connections: int) -> float:
    """Asks until it is time to stop; the seconds that it took."""
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    endings = [loop.create_future() for _ in range(connections)]
    for ending in endings:
        await loop.create_connection(lambda ending=ending: Connection(load, ending), host, port)
    await asyncio.gather(*endings)
    return time.perf_counter() - began


def main() -> None:
    host, port, path, seconds, connections = sys.argv[1:]
    load = Load(pickle.loads(Path(path).read_bytes()), float(seconds))
    try:
        from uvloop import new_event_loop
    except ImportError:
        from asyncio import new_event_loop
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        took = runner.run(ask(host, int(port), load, int(connections)))
    told = {"took": took, "seconds": load.seconds, "statuses": load.statuses}
    Path(path + ".told").write_text(json.dumps(told))


if __name__ == "__main__":
    main()
