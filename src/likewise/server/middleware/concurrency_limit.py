"""`ConcurrencyLimit`: the maximum of requests at once; the next one is refused with 503."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from likewise.server.errors import overloaded

_UNLIMITED = ("/health", "/metrics")  # needed most when the server is busy


class ConcurrencyLimit:
    """Middleware that counts requests in progress."""

    def __init__(self, app: ASGIApp, max_requests: int) -> None:
        self._app = app
        self._max_requests = max_requests
        self._in_progress = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _UNLIMITED:
            await self._app(scope, receive, send)
            return
        if self._in_progress >= self._max_requests:
            raise overloaded()
        self._in_progress += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._in_progress -= 1
