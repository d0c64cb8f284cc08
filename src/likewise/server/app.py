"""The application: routes, layers and threads put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from likewise import __version__
from likewise.server.body import Bodies
from likewise.server.collected import Collected
from likewise.server.errors import add_error_handlers
from likewise.server.gate import Gate
from likewise.server.guard import Guard
from likewise.server.headers import Headers
from likewise.server.observing import Observing
from likewise.server.routes import (
    collections,
    documents,
    operation,
    pages,
    passages,
    query,
    uploads,
    views,
)
from likewise.server.services import Services
from likewise.server.settings import ServerSettings

DESCRIPTION = """\
Documents of the past, and which of them a new one is similar to.

Every error is a JSON object with an `error`, which has a `message` and often a `hint`. With a
token, every request but that for `/health` shows it: `Authorization: Bearer TOKEN`.

Where there are several collections, each address below `/api/` is also one below `/c/NAME/api/`,
for the collection of that name.

Addresses have no version: fields are only ever added to answers. Should that not do one day, new
addresses will stand beside these.
"""


# They are gone through in this order, so what is asked most comes first.
ROUTERS = (
    query.json_router,
    query.router,
    passages.json_router,
    passages.router,
    documents.json_router,
    documents.router,
    uploads.router,
    views.json_router,
    views.router,
    collections.json_router,
    collections.router,
    operation.router,
    pages.router,
)


def create_app(settings: ServerSettings) -> FastAPI:
    """The application for some indexes; its threads run while it is being served."""
    services = Services(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services.start()
        yield
        app.state.ended = services.stop()

    app = FastAPI(
        title="likewise",
        summary="An index of documents over HTTP.",
        description=DESCRIPTION,
        version=__version__,
        lifespan=lifespan,
        # Their pages load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.ended = False
    for router in ROUTERS:
        app.include_router(router)
    add_error_handlers(app, [route for router in ROUTERS for route in router.routes])
    # The last one added is the first to see a request.
    app.add_middleware(Collected, services=services)
    app.add_middleware(Gate, most=settings.at_once)
    app.add_middleware(Guard, token=settings.token, rate=settings.rate)
    app.add_middleware(Bodies, most=settings.max_request, seconds=settings.timeout)
    app.add_middleware(Observing, metrics=services.lanes.metrics, quiet=settings.quiet)
    app.add_middleware(Headers)
    return app
