"""Collections: which there are, and a new one."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response

from likewise import __version__
from likewise.documents.formats import DOCUMENTS
from likewise.documents.kinds import EXTENSIONS
from likewise.server.answer import as_json, json_answer
from likewise.server.errors import ApiError
from likewise.server.lanes import LOOKING_THREADS
from likewise.server.library import Library
from likewise.server.routes.common import BODY, PREFIX, JsonRoute, errors, services_of
from likewise.server.schemas import collections as schemas
from likewise.server.services import Services

router = APIRouter(prefix=PREFIX, tags=["collections"])
json_router = APIRouter(prefix=PREFIX, tags=["collections"], route_class=JsonRoute)

LOOK_SECONDS = 5.0
KINDS = sorted(
    ending for ending, kind in EXTENSIONS.items() if ending and kind in {*DOCUMENTS, "text", "zip"}
)


@router.get(
    "/collections",
    summary="List collections",
    response_model=schemas.Collections,
    responses=errors(),
)
async def list_(request: Request) -> Response:
    """All collections of the server, and what may be sent to it."""
    services = services_of(request)
    names = await services.lanes.looking(lambda wanted: services.collections.names(), LOOK_SECONDS)
    few = asyncio.Semaphore(LOOKING_THREADS)
    found = await asyncio.gather(*(_facts(services, name, few) for name in names))
    settings = services.settings
    return json_answer(
        as_json(
            {
                "collections": found,
                "default": services.collections.default,
                "can_make": services.collections.can_make,
                "limits": {
                    "max_request": settings.max_request,
                    "max_documents": settings.max_documents,
                    "kinds": KINDS,
                },
                "version": __version__,
            }
        )
    )


@json_router.post(
    "/collections",
    summary="Make a collection",
    status_code=201,
    response_model=schemas.MadeCollection,
    responses=errors(400, 409, 415, 422, 507, *BODY),
)
async def make(asked: schemas.NewCollection, request: Request) -> Response:
    """Makes a collection with nothing in it, where the server was started for a folder."""
    services = services_of(request)
    name = await services.lanes.looking(
        lambda wanted: services.collections.make(asked.name), services.settings.timeout
    )
    return Response(as_json({"name": name}), 201, media_type="application/json")


async def _facts(services: Services, name: str, few: asyncio.Semaphore) -> dict[str, Any]:
    told = {"name": name, **dict.fromkeys(schemas.Collection.model_fields.keys() - {"name"})}
    try:
        async with few:
            return told | await services.lanes.looking(
                lambda wanted: _looked_at(services, name), LOOK_SECONDS
            )
    except ApiError as error:
        return {**told, "error": error.message}


def _looked_at(services: Services, name: str) -> dict[str, Any]:
    opened = services.opened(name)
    if opened is not None:
        return _told(opened.library)
    address = services.collections.address(name)
    if address is None:
        raise ApiError(404, "the index is not there any more")
    library = Library(address, lambda said: None)
    try:
        return _told(library)
    finally:
        library.close()


def _told(library: Library) -> dict[str, Any]:
    settings = library.settings
    return {
        "documents": library.count(),
        "keeps_text": settings.keep_text,
        "min_words": settings.min_words,
        "threshold": settings.threshold,
        "profile": str(settings.profile),
    }
