"""The HTTP protocol of the server, with an end to patience.

uvicorn waits for ever for the rest of a request's headers, and for a client that does not take its
answer; and it takes any number of connections.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from likewise.server.errors import RETRY_SECONDS, error_body

MAX_CONNECTIONS = 500  # under the 1,024 files that a process often may open
_BODY = error_body("too many connections", "try again in a moment")
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"retry-after: %d\r\ncontent-length: %d\r\n\r\n" % (RETRY_SECONDS, len(_BODY))
)


class Protocol(HttpToolsProtocol):
    """One connection."""

    seconds = 30.0
    """For the headers of a request, and for each part of an answer that a client does not take."""

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
