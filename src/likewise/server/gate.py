"""`Gate`: how many requests are worked on at once; the next one is told to come again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.server.answer import send_error
from likewise.server.errors import overloaded

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_ALWAYS = ("/health", "/metrics")  # most of all when there is much to do


class Gate:
    """A layer of the application that counts."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most
        self._inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _ALWAYS:
            await self._app(scope, receive, send)
            return
        if self._inside >= self._most:
            await send_error(send, overloaded())
            return
        self._inside += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._inside -= 1
