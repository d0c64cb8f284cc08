"""`Protocol`: uvicorn's HTTP protocol with time limits and a limit on connections.

uvicorn waits forever for the rest of a request's headers and for clients that do not read.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from likewise.server.errors import RETRY_SECONDS, unavailable

MAX_CONNECTIONS = 500  # below the common limit of 1,024 open files per process
_BODY = unavailable("too many connections", "try again in a moment").response().body
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"retry-after: %d\r\ncontent-length: %d\r\n\r\n" % (RETRY_SECONDS, len(_BODY))
)


class Protocol(HttpToolsProtocol):
    """One connection."""

    seconds = 30.0
    """Time limit for the headers of a request, and for the client to read the answer."""

    _receiving: asyncio.TimerHandle | None = None
    _sending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.write(_FULL + _BODY)
            transport.close()
            return
        self._receiving = self.loop.call_later(self.seconds, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel(self._receiving)
        self._cancel(self._sending)
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._cancel(self._receiving)
        self._receiving = self.loop.call_later(self.seconds, self.transport.abort)

    def on_headers_complete(self) -> None:
        self._cancel(self._receiving)
        super().on_headers_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._cancel(self._sending)
        self._sending = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._cancel(self._sending)
        super().resume_writing()

    def _cancel(self, timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()
