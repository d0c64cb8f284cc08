"""Collections: which there are, and a new one."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response

from likewise import __version__
from likewise.documents.formats import FORMATS
from likewise.documents.kinds import EXTENSIONS, advice
from likewise.server.answer import as_json, json_answer
from likewise.server.errors import ApiError
from likewise.server.index_client import IndexClient
from likewise.server.jobs.shared_pools import LOOKUP_THREADS
from likewise.server.routes.common import BODY, PREFIX, JsonRoute, errors, services_of
from likewise.server.schemas import collections as schemas
from likewise.server.services import Services

router = APIRouter(prefix=PREFIX, tags=["collections"])
json_router = APIRouter(prefix=PREFIX, tags=["collections"], route_class=JsonRoute)

LOOKUP_SECONDS = 5.0
KINDS = sorted(
    ending for ending, kind in EXTENSIONS.items() if kind in {*FORMATS, "text", "zip"} and ending
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
    names = await services.pools.lookups.run(
        lambda is_cancelled: services.collections.names(), LOOKUP_SECONDS
    )
    limit = asyncio.Semaphore(LOOKUP_THREADS)
    found = await asyncio.gather(*(_facts(services, name, limit) for name in names))
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
                    "unsupported": advice(),
                },
                "version": __version__,
            }
        )
    )


@json_router.post(
    "/collections",
    summary="Create a collection",
    status_code=201,
    response_model=schemas.MadeCollection,
    responses=errors(400, 409, 415, 422, 507, *BODY),
)
async def make(body: schemas.NewCollection, request: Request) -> Response:
    """Makes a collection with nothing in it, where the server was started for a folder."""
    services = services_of(request)
    name = await services.pools.lookups.run(
        lambda is_cancelled: services.collections.make(body.name), services.settings.timeout
    )
    return Response(as_json({"name": name}), 201, media_type="application/json")


async def _facts(services: Services, name: str, limit: asyncio.Semaphore) -> dict[str, Any]:
    facts = {"name": name, **dict.fromkeys(schemas.Collection.model_fields.keys() - {"name"})}
    try:
        async with limit:
            return facts | await services.pools.lookups.run(
                lambda is_cancelled: _read_info(services, name), LOOKUP_SECONDS
            )
    except ApiError as error:
        return {**facts, "error": error.message}


def _read_info(services: Services, name: str) -> dict[str, Any]:
    service = services.get_open(name)
    if service is not None:
        return _info(service.index)
    address = services.collections.address(name)
    if address is None:
        raise ApiError(404, "the index no longer exists")
    client = IndexClient(address, lambda said: None)
    try:
        return _info(client)
    finally:
        client.close()


def _info(client: IndexClient) -> dict[str, Any]:
    settings = client.settings
    return {
        "documents": client.count(),
        "keeps_text": settings.keep_text,
        "min_words": settings.min_words,
        "threshold": settings.threshold,
        "profile": str(settings.profile),
    }
