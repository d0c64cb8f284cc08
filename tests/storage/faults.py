"""A proxy in front of a server, which limits requests, cuts connections, and writes all down."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

SLOW_DOWN = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code>'
    b"<Message>Please reduce your request rate.</Message></Error>"
)


@dataclass
class Request:
    """A request as the server got it, and how many bytes were sent back."""

    method: str
    path: str
    headers: dict[str, str]
    sent: int = 0


@dataclass
class Fault:
    """What to do instead of answering: an answer, or only so many bytes of the right one."""

    status: int = 503
    body: bytes = SLOW_DOWN
    cut_after: int | None = None


Policy = Callable[[Request], Fault | None]


@dataclass
class Proxy:
    """Forwards to a server; `policy` says which requests fail. Use it as a context manager."""

    host: str
    port: int
    policy: Policy = lambda request: None
    requests: list[Request] = field(default_factory=list)

    def __enter__(self) -> Proxy:
        proxy = self

        class Handler(_Handler):
            target = proxy

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def of(self, method: str, part: str = "") -> list[Request]:
        """The requests with a method, and with something in their path."""
        return [one for one in self.requests if one.method == method and part in one.path]


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is gone is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    target: Proxy

    def log_message(self, format: str, *arguments: object) -> None:
        pass

    def _forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = Request(self.command, self.path, dict(self.headers.items()))
        self.target.requests.append(request)
        fault = self.target.policy(request)
        if fault is not None and fault.cut_after is None:
            self._answer(fault.status, [("Content-Type", "application/xml")], fault.body, request)
            return
        connection = http.client.HTTPConnection(self.target.host, self.target.port, timeout=60)
        headers = {
            name: value
            for name, value in self.headers.items()
            if name.lower() not in ("connection", "expect")
        }
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        cut = None if fault is None else fault.cut_after
        self._answer(answer.status, answer.getheaders(), data, request, cut)

    def _answer(
        self,
        status: int,
        headers: list[tuple[str, str]],
        data: bytes,
        request: Request,
        cut_after: int | None = None,
    ) -> None:
        self.send_response_only(status)
        length = next((value for name, value in headers if name.lower() == "content-length"), None)
        for name, value in headers:
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", length if self.command == "HEAD" else str(len(data)))
        self.end_headers()
        if self.command == "HEAD":
            return
        data = data[:cut_after]
        self.wfile.write(data)
        request.sent = len(data)
        if cut_after is not None:
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _forward  # noqa: N815
