"""`CollectionRouting`: `/c/NAME/api/…` is `/api/…` of the collection NAME.

Without a name, a request is about the default collection. Routes see one path for each resource,
and find the service of the collection in the request's scope.

For readers, a collection that is not shared with them does not exist, whatever a request is about;
routes get the service that they may see.
"""

from __future__ import annotations

from contextlib import ExitStack
from urllib.parse import unquote, unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from likewise.server.collections import is_name
from likewise.server.errors import ApiError, no_collection, not_found
from likewise.server.middleware.access import ROLE
from likewise.server.services import Services

SERVICE = "likewise.service"
"""The key in the scope."""
_PREFIX = b"/c/"
_COLLECTION_PATHS = ("/api/", "/health", "/metrics")
# Without a name, these are about the server; routes answer what readers may know of it.
_SERVER_PATHS = ("/api/collections", "/api/samples", "/metrics")


class CollectionRouting:
    """Middleware that removes the collection from the path."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        name, inner = _split_collection(scope)
        with ExitStack() as stack:
            if inner["path"].startswith(_COLLECTION_PATHS):
                service = stack.enter_context(self._services.acquire(name))
                if scope[ROLE] != "reader":
                    inner[SERVICE] = service
                elif await self._services.is_shared(service):
                    inner[SERVICE] = service.for_readers
                elif name is not None or inner["path"] not in _SERVER_PATHS:
                    raise _not_shared() if name is None else no_collection(name)
            await self._app(inner, receive, send)
        if "route" in inner:
            scope["route"] = inner["route"]  # for the metrics


def _not_shared() -> ApiError:
    """Without the name of the default collection."""
    return ApiError(
        404,
        "no collection is shared with readers at this address",
        hint="ask a reviewer to share one in its Library; /api/collections lists those that are",
    )


def _split_collection(scope: Scope) -> tuple[str | None, Scope]:
    """The name of the collection, and the request without it."""
    # From the bytes: a name may contain an escaped slash.
    raw: bytes = scope["raw_path"]
    if not raw.startswith(_PREFIX):
        return None, dict(scope)
    quoted_name, slash, rest = raw.removeprefix(_PREFIX).partition(b"/")
    try:
        name = unquote_to_bytes(quoted_name).decode()
    except UnicodeDecodeError:
        name = ""
    if not is_name(name):
        raise ApiError(404, "there is no such collection", hint="/api/collections lists them")
    if not rest.startswith(b"api/"):
        raise not_found()
    raw = slash + rest
    return name, {**scope, "raw_path": raw, "path": unquote(raw.decode("ascii", "replace"))}
