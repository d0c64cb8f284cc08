"""Every request counted, timed and logged; and nothing unforeseen gets out as it is."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

from likewise.server.answer import send_error
from likewise.server.errors import ApiError, internal_error
from likewise.server.log import log_request
from likewise.server.metrics import Metrics

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RequestLog:
    """Middleware; only the security headers are outside of it."""

    def __init__(self, app: ASGIApp, metrics: Metrics, quiet: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._quiet = quiet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        began = time.perf_counter()
        self._metrics.in_flight.inc()
        try:
            error = await self._call_app(scope, receive, watched)
            if error is not None and not status:
                await send_error(watched, error)
        finally:
            self._metrics.in_flight.dec()
            seconds = time.perf_counter() - began
            self._metrics.observe(scope["method"], _route(scope), status, seconds)
            if not self._quiet:
                log_request(scope, status, seconds)

    async def _call_app(self, scope: Scope, receive: Receive, send: Send) -> ApiError | None:
        """What went wrong without having been answered, if something did."""
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            return ApiError(
                504, "the server is being stopped", hint="what was to be stored may still be"
            )
        except ClientDisconnect:
            return ApiError(400, "the request was broken off")
        except Exception as error:
            return internal_error(error)
        return None


def _route(scope: Scope) -> str:
    """The address as it was written in `routes`; ids and other addresses are without number."""
    return getattr(scope.get("route"), "path_format", "other")
