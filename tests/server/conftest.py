"""Servers for tests: the application in this process, and real processes on real sockets."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from likewise.index.index import Index
from likewise.server.app import create_app
from likewise.server.settings import ServerSettings
from tests.index.conftest import Server as PostgresServer
from tests.index.conftest import server as postgres

__all__ = ["postgres"]

T = TypeVar("T")
_numbers = count()

STORED = {
    "moon": "the cat sat on the mat and looked at the moon",
    "train": "a dog barked at the passing train all night long",
    "sun": "the cat sat on the mat and looked at the sun",
}
SEA = "the cat sat on the mat and looked at the sea"
SEA_AND_MOON = 8 / 10  # nine runs of three words each, of which eight are shared
QUIET: dict[str, Any] = {"quiet": True, "timeout": 20.0}


class Api:
    """The application, asked without a socket; all requests run on one event loop."""

    def __init__(self, settings: ServerSettings, headers: dict[str, str] | None = None) -> None:
        self.settings = settings
        self.app = create_app(settings)
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app), base_url="http://localhost", headers=headers
        )

    def __enter__(self) -> Api:
        self.run(self._stack.enter_async_context(self.app.router.lifespan_context(self.app)))
        return self

    def __exit__(self, *error: object) -> None:
        self.run(self.client.aclose())
        self.run(self._stack.aclose())
        self._runner.close()

    def run(self, what: Awaitable[T]) -> T:
        async def wait() -> T:
            return await what

        return self._runner.run(wait())

    def together(self, *requests: Awaitable[T]) -> list[T]:
        """Requests that are made at once."""

        async def all_() -> list[T]:
            return list(await asyncio.gather(*requests))

        return self._runner.run(all_())

    def __call__(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.run(self.client.request(method, path, **more))

    def add(self, documents: dict[str, str]) -> dict[str, Any]:
        listed = [{"id": id_, "text": text} for id_, text in documents.items()]
        return self.ok("POST", "/api/documents", json={"documents": listed})

    def query(self, text: str, **more: Any) -> list[dict[str, Any]]:
        answer = self.ok("POST", "/api/query", json={"text": text, **more})
        matches: list[dict[str, Any]] = answer["answers"][0]["matches"]
        return matches

    def ok(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        response = self(method, path, **more)
        assert response.status_code == 200, response.text
        told: dict[str, Any] = response.json()
        return told

    def refused(self, status: int, method: str, path: str, **more: Any) -> str:
        """The message with which a request is refused."""
        response = self(method, path, **more)
        assert response.status_code == status, response.text
        return message_of(response)


def message_of(response: httpx.Response) -> str:
    """The message of an error, which has the shape that all have."""
    told = response.json()
    assert set(told) == {"error"}
    assert set(told["error"]) == {"message", "hint"}
    message: str = told["error"]["message"]
    return message


@pytest.fixture
def file(tmp_path: Path) -> str:
    """An index in a file, with the stored documents."""
    path = str(tmp_path / "some index.db")
    fill(path)
    return path


@pytest.fixture(params=["sqlite", "postgres"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An index in a file, or in a database, with the stored documents."""
    if request.param == "sqlite":
        path = str(tmp_path / "some index.db")
    else:
        path = new_schema(request.getfixturevalue("postgres"))
    fill(path)
    return path


def new_schema(server: PostgresServer) -> str:
    return f"{server.url}#serve_{next(_numbers)}"


def fill(path: str, **settings: Any) -> None:
    with Index.create(path, **settings) as index:
        index.add(list(STORED.values()), list(STORED))


@pytest.fixture
def make_api() -> Iterator[Callable[..., Api]]:
    """Makes applications, and ends them."""
    made: list[Api] = []

    def make(
        index: str | None,
        headers: dict[str, str] | None = None,
        more: Sequence[str] = (),
        **settings: Any,
    ) -> Api:
        indexes = (*(() if index is None else (index,)), *more)
        own = replace(ServerSettings(indexes), **{**QUIET, **settings})
        made.append(Api(own, headers).__enter__())
        return made[-1]

    yield make
    for api in made:
        api.__exit__()


@pytest.fixture
def api(make_api: Callable[..., Api], file: str) -> Api:
    return make_api(file)


@pytest.fixture(scope="module")
def shared_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """One for many tests, none of which leaves anything in it."""
    path = str(tmp_path_factory.mktemp("shared") / "index.db")
    fill(path)
    with Api(replace(ServerSettings((path,)), **QUIET)) as made:
        yield made


class Live:
    """`likewise serve` in a process of its own, on a port that was free."""

    def __init__(self, index: str | None, *arguments: object, env: dict[str, str] | None = None,
                 before: Callable[[], object] | None = None) -> None:  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-m", "likewise", "serve", "--port", "0",
             *(("--index", index) if index else ()), *map(str, arguments)],
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}, preexec_fn=before,
        )  # fmt: skip
        self._lines: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        self.url = self.wait_for(r"listening on (http://\S+)")[1]

    def _read(self) -> None:
        assert self.process.stderr is not None
        self._lines.extend(iter(self.process.stderr.readline, ""))

    @property
    def said(self) -> str:
        return "".join(self._lines)

    def wait_for(self, pattern: str, seconds: float = 60) -> re.Match[str]:
        """What the server says, as soon as it does."""

        def look() -> re.Match[str] | None:
            ended = self.process.poll() is not None
            found = re.search(pattern, self.said)
            assert found or not ended, self.said
            return found

        return until(look, seconds, lambda: self.said)

    def memory(self) -> int:
        """The largest memory that the process has ever had, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found
        return int(found[1]) << 10

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def ended(self, seconds: float = 60) -> int:
        """The exit status."""
        status = self.process.wait(seconds)
        self._reading.join(10)
        return status

    def stop(self) -> str:
        """Ends it, and gives what it said."""
        self.signal()
        assert self.ended() == 0, self.said
        return self.said

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self._reading.join(10)
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture
def live() -> Iterator[Callable[..., Live]]:
    """Starts servers, and sees to it that none stays."""
    made: list[Live] = []

    def start(index: str | None, *arguments: object, **more: Any) -> Live:
        made.append(Live(index, *arguments, **more))
        return made[-1]

    yield start
    for one in made:
        one.kill()


def until(
    what: Callable[[], T | None], seconds: float = 60, told: Callable[[], object] = lambda: ""
) -> T:
    """What a function gives as soon as it gives something."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, f"waited for {seconds} s: {told()}"
        time.sleep(0.02)
    return found
