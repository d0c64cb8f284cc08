"""The application: routes, middleware and services put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from likewise import __version__
from likewise.server.errors import add_error_handlers
from likewise.server.middleware.access import AccessControl
from likewise.server.middleware.answer import AnswerLimit
from likewise.server.middleware.body import MAX_BODIES, BodyLimit
from likewise.server.middleware.collection_routing import CollectionRouting
from likewise.server.middleware.concurrency_limit import ConcurrencyLimit
from likewise.server.middleware.headers import SecurityHeaders
from likewise.server.middleware.request_log import RequestLog
from likewise.server.routes import (
    collections,
    documents,
    exclusions,
    operation,
    pages,
    passages,
    query,
    reports,
    review,
    uploads,
    views,
)
from likewise.server.services import Services
from likewise.server.settings import ServerSettings

DESCRIPTION = """\
Stores documents and finds those that are similar to new ones.

Every error is a JSON object with an `error`, which has a `message` and often a `hint`. With a
token, every request except `/health` must send it: `Authorization: Bearer TOKEN`.

If there are several collections, each address under `/api/` is also available under
`/c/NAME/api/`, for the collection of that name.

Addresses have no version: fields are only ever added to answers. An incompatible change would use
new addresses.
"""


# Matched in this order: the most frequent first.
MODULES = (
    query, passages, documents, uploads, views, review, exclusions, reports, collections,
    operation, pages,
)  # fmt: skip


def create_app(settings: ServerSettings) -> FastAPI:
    """The application; its threads run while it is served."""
    services = Services(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        app.state.ended = services.stop()

    app = FastAPI(
        title="likewise",
        summary="An index of documents over HTTP.",
        description=DESCRIPTION,
        version=__version__,
        lifespan=lifespan,
        # Their pages load scripts from other sites.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.ended = False
    for module in MODULES:
        app.include_router(module.router)
    add_error_handlers(app, [route for module in MODULES for route in module.router.routes])
    # The last one added is the first to see a request.
    app.add_middleware(CollectionRouting, services=services)
    app.add_middleware(ConcurrencyLimit, max_requests=settings.at_once)
    app.add_middleware(AccessControl, settings=settings)
    app.add_middleware(BodyLimit, max_bytes=settings.max_request, seconds=settings.timeout)
    app.add_middleware(AnswerLimit, max_bytes=MAX_BODIES * settings.max_request)
    app.add_middleware(RequestLog, metrics=services.pools.metrics, quiet=settings.quiet)
    app.add_middleware(SecurityHeaders)
    return app
