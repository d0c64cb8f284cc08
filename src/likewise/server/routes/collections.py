"""Collections: listed and created, and one of samples."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import Any

from fastapi import Request, Response

from likewise import __version__
from likewise.documents.descriptions.table_file import TABLE_EXTENSIONS
from likewise.documents.formats import FORMATS
from likewise.documents.kinds import EXTENSIONS, advice
from likewise.server.errors import ApiError
from likewise.server.index_client import Entry, IndexClient
from likewise.server.jobs.job import IsCancelled
from likewise.server.jobs.shared_pools import LOOKUP_THREADS
from likewise.server.json_response import JsonResponse
from likewise.server.middleware.access import ROLE
from likewise.server.routes.dependencies import AllServices, CurrentService
from likewise.server.routes.router import JSON, api_router, errors
from likewise.server.samples import SAMPLES, sample_entries
from likewise.server.schemas import collections as schemas
from likewise.server.service import Service
from likewise.server.services import Services
from likewise.server.sharing import Sharing

router = api_router("collections")

LOOKUP_SECONDS = 5.0
KINDS = sorted(
    ending for ending, kind in EXTENSIONS.items() if kind in {*FORMATS, "text", "zip"} and ending
)


@router.get("/collections", summary="List collections", response_model=schemas.Collections)
async def list_(request: Request, services: AllServices) -> Response:
    """All collections of the server, and the limits of requests.

    Readers get those that are shared with them; `default` is null if it is not one of these.
    """
    names = await services.pools.lookups.run(
        lambda is_cancelled: services.collections.names(), LOOKUP_SECONDS
    )
    limit = asyncio.Semaphore(LOOKUP_THREADS)
    settings = services.settings
    is_reviewer = request.scope[ROLE] == "reviewer"
    listed = await asyncio.gather(*(_describe(services, name, limit) for name in names))
    if not is_reviewer:
        listed = [one for one in listed if one["shared"]]
    default = services.collections.default
    return JsonResponse(
        {
            "collections": listed,
            "default": default if any(one["name"] == default for one in listed) else None,
            "can_make": services.collections.can_create and is_reviewer,
            "can_change": is_reviewer,
            "has_readers": settings.reader_token is not None,
            "limits": {
                "max_request": settings.max_request,
                "max_documents": settings.max_documents,
                "kinds": KINDS,
                "tables": TABLE_EXTENSIONS,
                "unsupported": advice(),
            },
            "version": __version__,
        }
    )


@router.post(
    "/collections",
    summary="Create a collection",
    status_code=201,
    response_model=schemas.MadeCollection,
    responses=errors(*JSON, 409, 507),
)
async def make(body: schemas.NewCollection, services: AllServices) -> Response:
    """Creates an empty collection, if the server was started with a folder."""
    name = await services.pools.lookups.run(
        lambda is_cancelled: services.collections.create(body.name), services.settings.timeout
    )
    return JsonResponse({"name": name}, 201)


@router.post(
    "/samples",
    summary="Create a collection of sample essays",
    response_model=schemas.MadeCollection,
    responses=errors(507),
)
async def add_samples(services: AllServices) -> Response:
    """Creates the collection of sample essays, unless there is one, if there is a folder for it."""

    def create(is_cancelled: IsCancelled) -> list[Entry]:
        if not services.collections.can_create or services.collections.address(SAMPLES) is None:
            services.collections.create(SAMPLES)
        return sample_entries()

    entries = await services.pools.lookups.run(create, services.settings.timeout)
    with services.acquire(SAMPLES) as service:
        await service.add(entries)
    return JsonResponse({"name": SAMPLES})


@router.get("/archive", summary="Get the archive", response_model=schemas.Archive)
async def archive(service: CurrentService) -> Response:
    """Other collections that the documents of this one are compared with.

    Its documents are then under review, and those of the archive are marked in all views.
    """
    return JsonResponse(await service.fetch(lambda index: _archive(service)))


@router.put(
    "/archive",
    summary="Choose the archive",
    response_model=schemas.Archive,
    responses=errors(*JSON, 507),
)
async def choose_archive(body: schemas.ArchiveChoice, service: CurrentService) -> Response:
    """Chooses the collections that the documents of this one are compared with."""

    def choose(index: IndexClient) -> dict[str, Any]:
        service.archives.choose(body.collections)
        return _archive(service)

    return JsonResponse(await service.fetch(choose))


@router.get("/sharing", summary="Get whether readers see it", response_model=schemas.Sharing)
async def sharing(service: CurrentService) -> Response:
    """Whether readers see the collection: those who have the token for readers."""
    return JsonResponse(await service.fetch(lambda index: _sharing(service)))


@router.put(
    "/sharing",
    summary="Share with readers",
    response_model=schemas.Sharing,
    responses=errors(*JSON, 507),
)
async def share(body: schemas.SharingChoice, service: CurrentService) -> Response:
    """Shares the collection with readers, or makes it private again; at first it is private."""

    def choose(index: IndexClient) -> dict[str, Any]:
        service.sharing.choose(body.readers)
        return _sharing(service)

    return JsonResponse(await service.fetch(choose))


def _sharing(service: Service) -> dict[str, Any]:
    return {"readers": service.sharing.is_on(), "always": service.sharing.always}


def _archive(service: Service) -> dict[str, Any]:
    return {"collections": service.archives.names(), "available": service.archives.others()}


async def _describe(services: Services, name: str, limit: asyncio.Semaphore) -> dict[str, Any]:
    unknown = dict.fromkeys(schemas.Collection.model_fields) | {"name": name}
    if name in services.settings.shared:
        unknown["shared"] = True
    try:
        async with limit:
            return unknown | await services.pools.lookups.run(
                lambda is_cancelled: _read_info(services, name), LOOKUP_SECONDS
            )
    except ApiError as error:
        return unknown | {"error": error.message}


def _read_info(services: Services, name: str) -> dict[str, Any]:
    service = services.get_open(name)
    always = name in services.settings.shared
    if service is not None:
        return _info(service.index, always)
    address = services.collections.address(name)
    if address is None:
        raise ApiError(404, "the index no longer exists")
    with closing(IndexClient(address, lambda message: None)) as client:
        return _info(client, always)


def _info(client: IndexClient, always: bool) -> dict[str, Any]:
    settings = client.settings
    return {
        "documents": client.count(),
        "keeps_text": settings.keep_text,
        "min_words": settings.min_words,
        "threshold": settings.threshold,
        "profile": str(settings.profile),
        "shared": Sharing(client, always=always).is_on(),
    }
