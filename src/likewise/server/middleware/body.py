"""`BodyLimit`: maximum size and time of a request's body.

Bytes are counted as they arrive, so that a body without a declared length is refused in time.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.errors import ApiError, overloaded

MAX_BODIES = 8  # of maximum size in memory at a time
_LINGER_SECONDS = 1.0


class BodyLimit:
    """Middleware that limits bodies, and answers the errors of the middleware inside of it."""

    def __init__(self, app: ASGIApp, max_bytes: int, seconds: float) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.seconds = seconds
        self.bytes_in_memory = 0  # of all requests in progress

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _Body(self, scope, receive, send)
        try:
            await self.app(scope, body.receive, body.send)
        except ApiError as error:
            await error.response()(scope, body.receive, body.send)
        finally:
            self.bytes_in_memory -= body.size


class _Body:
    """The body of one request, and the answer to it."""

    def __init__(self, limit: BodyLimit, scope: Scope, receive: Receive, send: Send) -> None:
        self._limit = limit
        self._receive = receive
        self._send = send
        self._deadline = time.monotonic() + limit.seconds
        self.size = 0
        headers = Headers(scope=scope)
        length = headers.get("content-length", "")
        self._declared = int(length) if length.isdecimal() else 0
        self._ended = not self._declared and "transfer-encoding" not in headers

    async def receive(self) -> Message:
        if self._ended:  # the application waits for the client to disconnect
            return await self._receive()
        self._check(self._declared)
        try:
            async with asyncio.timeout(max(0.0, self._deadline - time.monotonic())):
                message = await self._receive()
        except TimeoutError:
            reason = f"the request did not arrive within {self._limit.seconds:g} s"
            raise ApiError(408, reason) from None
        if message["type"] == "http.request":
            self._count(len(message.get("body", b"")))
            self._ended = not message.get("more_body", False)
        return message

    def _count(self, size: int) -> None:
        self._check(self.size + size)
        if self._limit.bytes_in_memory + size > MAX_BODIES * self._limit.max_bytes:
            raise overloaded()
        self.size += size
        self._limit.bytes_in_memory += size

    def _check(self, size: int) -> None:
        if size > self._limit.max_bytes:
            message = f"the request has more than {self._limit.max_bytes:,} bytes"
            raise ApiError(413, message, hint="send fewer documents at once")

    async def send(self, message: Message) -> None:
        if self._ended:
            await self._send(message)
        elif message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), (b"connection", b"close")]
            await self._send({**message, "headers": headers})
        elif message.get("more_body", False):
            await self._send(message)
        else:
            await self._send({**message, "more_body": True})
            await self._linger()
            await self._send({"type": "http.response.body", "body": b""})

    async def _linger(self) -> None:
        """Read on for a moment: a client that is still sending may not read the answer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                while not self._ended:
                    message = await self._receive()
                    self._ended = not message.get("more_body", False)
