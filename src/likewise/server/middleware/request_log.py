"""`RequestLog`: counts, times and logs every request; answers unexpected errors with 500."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.errors import ApiError, internal_error
from likewise.server.log import log
from likewise.server.metrics import Metrics

_MAX_PATH_CHARACTERS = 200


class RequestLog:
    """Middleware around all others except the security headers."""

    def __init__(self, app: ASGIApp, metrics: Metrics, quiet: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._quiet = quiet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        start = time.perf_counter()
        self._metrics.in_flight.inc()
        try:
            error = await self._call_app(scope, receive, note_status)
            if error is not None and not status:
                await error.response()(scope, receive, note_status)
        finally:
            self._metrics.in_flight.dec()
            seconds = time.perf_counter() - start
            # By the path of the route: there is no limit to the number of ids.
            route = getattr(scope.get("route"), "path_format", "other")
            self._metrics.observe(scope["method"], route, status, seconds)
            if not self._quiet:
                # Without the query string, which may contain anything.
                path = scope.get("raw_path", b"").decode("ascii", "replace")
                if len(path) > _MAX_PATH_CHARACTERS:
                    path = path[:_MAX_PATH_CHARACTERS] + "…"
                log(f"{scope['method']} {path} {status} {1000 * seconds:.1f} ms")

    async def _call_app(self, scope: Scope, receive: Receive, send: Send) -> ApiError | None:
        """An error that the application has not answered itself."""
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            return ApiError(
                504, "the server is shutting down", hint="documents may still be stored"
            )
        except ClientDisconnect:
            return ApiError(400, "the request is incomplete")
        except Exception as error:
            return internal_error(error)
        return None
