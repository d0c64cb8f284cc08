"""`AnswerLimit`: large answers are sent in parts, and only so many of them are in memory at a time.

A client that reads slowly keeps its answer in memory. The protocol gives it some time for each part
(`Protocol.pause_writing`), which would be the time for all of it if it were written at once.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.errors import overloaded

PART_BYTES = 1 << 20


class AnswerLimit:
    """Middleware; one answer of any size is always sent, however large."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.bytes_in_memory = 0  # of all large answers that are being sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _Answer(self, scope, receive, send)
        try:
            await self.app(scope, receive, answer.send)
        finally:
            self.bytes_in_memory -= answer.size


class _Answer:
    """The answer to one request."""

    def __init__(self, limit: AnswerLimit, scope: Scope, receive: Receive, send: Send) -> None:
        self._limit = limit
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_refused = False
        self.size = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            size = int(Headers(raw=message["headers"]).get("content-length", 0))
            self._is_refused = size > PART_BYTES and not self._count(size)
            if self._is_refused:
                # Not raised: the framework has noted that the answer has begun.
                await overloaded().response()(self._scope, self._receive, self._send)
                return
        elif self._is_refused:
            return
        body = message.get("body", b"")
        if len(body) <= PART_BYTES:
            await self._send(message)
            return
        more_body = message.get("more_body", False)
        for start in range(0, len(body), PART_BYTES):
            more = more_body or start + PART_BYTES < len(body)
            part = body[start : start + PART_BYTES]
            await self._send({**message, "body": part, "more_body": more})

    def _count(self, size: int) -> bool:
        """Count the bytes of the answer; False if there are too many."""
        others = self._limit.bytes_in_memory
        if others and others + size > self._limit.max_bytes:
            return False
        self._limit.bytes_in_memory += size
        self.size = size
        return True
