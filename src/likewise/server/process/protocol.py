"""`Protocol`: uvicorn's HTTP protocol with limits on time, connections and headers.

uvicorn waits forever for the rest of a request's headers and for clients that do not read, joins
headers of any length byte by byte, and queues any number of requests of one connection. All of that
is before the token is checked.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from likewise.server.errors import ApiError, unavailable

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

MAX_CONNECTIONS = 500  # below the common limit of 1,024 open files per process
MAX_URL_BYTES = 40_000  # 16 phrases of 200 characters, percent-encoded
MAX_HEADERS = 100
MAX_HEAD_BYTES = 65_536
"""Of a request line and headers, of the trailers after a body, or of one chunk's extensions."""
MAX_PIPELINED = 8  # requests that wait for the answer to an earlier one
_PIECE_BYTES = 8_192  # fed to the parser at a time; the limit on heads is exact up to one piece
_LINGER_SECONDS = 1.0


class _RefusedError(Exception):
    """Ends the parser; the client has been answered."""


class Protocol(HttpToolsProtocol):
    """One connection."""

    seconds = 30.0
    """Time limit for the headers of a request, and for the client to read the answer."""

    _receiving: asyncio.TimerHandle | None = None
    _sending: asyncio.TimerHandle | None = None
    _running: RequestResponseCycle | None = None  # later requests may have arrived
    _idle_since = 0.0
    _unparsed = 0  # bytes since the last complete head, chunk header or part of a body
    _in_head = True
    _is_deaf = False  # what else arrives is ignored

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._idle_since = self.loop.time()
        if len(self.connections) > MAX_CONNECTIONS and not self._make_room():
            self._refuse(unavailable("too many connections", "try again in a moment"))
            return
        self._receiving = self.loop.call_later(self.seconds, transport.abort)

    def _make_room(self) -> bool:
        """Close the connection that has been idle for longest; False if all others are in use."""
        others = cast("set[Protocol]", self.connections) - {self}
        is_open = [one for one in others if not one.transport.is_closing()]
        if len(is_open) < MAX_CONNECTIONS:
            return True
        idle = [one for one in is_open if one._is_idle]
        if not idle:
            return False
        min(idle, key=lambda one: one._idle_since).transport.close()
        return True

    @property
    def _is_idle(self) -> bool:
        """Whether no request is in progress; part of the next one may have arrived.

        One that is answered before its body has arrived is refused, and the client is given a
        moment to read that.
        """
        cycle = self.cycle
        if cycle is None or cycle.response_complete or self._is_deaf:
            return True
        return cycle.response_started and cycle.more_body

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _disconnect(self) -> None:
        """Let the request in progress know; uvicorn tells only the one that arrived last."""
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.waiting_for_100_continue = False  # it would be written
            self._running.message_event.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disconnect()
        self._cancel(self._receiving)
        self._cancel(self._sending)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), _PIECE_BYTES):
            if self._is_deaf or self.transport.is_closing():
                return
            piece = data[start : start + _PIECE_BYTES]
            self._unparsed += len(piece)
            super().data_received(piece)
            if self._unparsed > MAX_HEAD_BYTES:
                self._refuse(_too_long())
        if self._is_idle and self._receiving is None:
            # Empty lines before a request begin none, but end the time limit of idle connections.
            self._receiving = self.loop.call_later(self.seconds, self.transport.abort)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._cancel(self._receiving)
        self._receiving = self.loop.call_later(self.seconds, self.transport.abort)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > MAX_URL_BYTES:
            message = f"the address has more than {MAX_URL_BYTES:,} bytes"
            self._stop(ApiError(414, message, hint="send the values as JSON"))

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer: it must not change headers that were checked already
        super().on_header(name, value)
        if len(self.headers) > MAX_HEADERS:
            self._stop(_too_long())

    def on_headers_complete(self) -> None:
        self._cancel(self._receiving)
        self._receiving = None
        self._unparsed = 0
        self._in_head = False
        if len(self.pipeline) >= MAX_PIPELINED:
            # Those that were accepted are answered, and the client sends the others again.
            self.cycle.keep_alive = False
            self._stop(None)
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self._unparsed = 0

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unparsed = 0
        self._in_head = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._idle_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._cancel(self._sending)
        self._sending = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._cancel(self._sending)
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Called by uvicorn for anything that is not HTTP."""
        self._refuse(ApiError(400, "the request is not valid HTTP"))

    def _stop(self, error: ApiError | None) -> None:
        """Refuse a request while it is parsed."""
        if error is not None:
            self._refuse(error)
        self._is_deaf = True
        raise _RefusedError

    def _refuse(self, error: ApiError) -> None:
        """Answer, and close the connection when the client has had time to read the answer."""
        if self._is_deaf:
            return
        self._is_deaf = True
        self._cancel(self._receiving)
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            if self._in_head:
                cycle.keep_alive = False  # the requests before this one are answered
                return
            self._disconnect()
            if cycle.response_started or self.pipeline:
                self.transport.abort()  # in the middle of an answer, or before an earlier one
                return
        self.transport.write(_as_bytes(error))
        self.transport.write_eof()
        self._receiving = self.loop.call_later(_LINGER_SECONDS, self.transport.close)

    def _cancel(self, timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()


def _too_long() -> ApiError:
    message = f"the headers have more than {MAX_HEAD_BYTES:,} bytes or {MAX_HEADERS} lines"
    return ApiError(431, message)


def _as_bytes(error: ApiError) -> bytes:
    """An error as a whole HTTP response, after which the connection is closed."""
    response = error.response()
    lines = [f"HTTP/1.1 {error.status_code} {HTTPStatus(error.status_code).phrase}".encode()]
    lines += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join([*lines, b"connection: close", b"", bytes(response.body)])
