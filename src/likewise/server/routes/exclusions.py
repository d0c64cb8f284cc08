"""Exclusions: phrases and templates of a collection, and where they are in its documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import Query, Request, Response

from likewise.index.exclusion_texts import ExclusionTexts
from likewise.server.errors import ApiError
from likewise.server.exclusions import excluded_words_answer
from likewise.server.index_client import IndexClient
from likewise.server.json_response import JsonResponse
from likewise.server.routes.dependencies import CurrentService, cancel_on_disconnect, read_file
from likewise.server.routes.router import (
    FILE,
    JSON,
    PREFIX,
    api_router,
    errors,
    file_body,
    for_readers,
)
from likewise.server.schemas import exclusions as schemas
from likewise.server.schemas.common import Id
from likewise.server.service import Service
from likewise.text.words import words_of

router = api_router("exclusions", f"{PREFIX}/exclusions")


@router.get("", summary="Get phrases and templates", response_model=schemas.ExclusionTexts)
async def texts(service: CurrentService) -> Response:
    """The phrases and templates of the collection, which its pages can exclude."""
    return JsonResponse(await service.fetch(lambda client: _texts(_known(client))))


@router.put(
    "/phrases",
    summary="Set the phrases",
    response_model=schemas.ExclusionTexts,
    responses=errors(*JSON, 507),
)
async def set_phrases(body: schemas.Phrases, service: CurrentService) -> Response:
    """Replaces the phrases of the collection."""
    return await _change(service, lambda known: known.with_phrases(body.phrases))


@router.post(
    "/templates",
    summary="Add a template",
    response_model=schemas.ExclusionTexts,
    responses=errors(*FILE, 507),
    openapi_extra=file_body(),
)
async def add_template(
    request: Request,
    service: CurrentService,
    name: Annotated[Id, Query(description="Name of the file.")],
) -> Response:
    """Adds a text that everyone was given, such as the assignment, or replaces one of this name.

    Runs of at least six words from it can then be excluded.
    """
    document, _ = await read_file(request, service, name)
    return await _change(service, lambda known: known.with_template(name, document.text))


@router.post(
    "/templates/remove",
    summary="Remove a template",
    response_model=schemas.ExclusionTexts,
    responses=errors(*JSON, 507),
)
async def remove_template(body: schemas.TemplateName, service: CurrentService) -> Response:
    """Removes a template from the collection."""
    return await _change(service, lambda known: known.without_template(body.name))


@router.post(
    "/words",
    summary="Find what is excluded",
    response_model=schemas.ExcludedWords,
    responses=errors(*JSON),
)
@for_readers
async def words(
    body: schemas.WantedExclusions, request: Request, service: CurrentService
) -> Response:
    """Where phrases, templates and passages are in the documents, as ranges of words.

    A passage is found wherever at least six words in a row of it are. It covers the documents of
    the overview: at most the 10,000 that were added last.
    """
    if not service.index.settings.keep_text:
        raise ApiError(422, "this collection stores no texts")
    work = partial(excluded_words_answer, service.index, service.archives, body)
    return JsonResponse(await cancel_on_disconnect(request, service.view_collection(work)))


async def _change(service: Service, change: Callable[[ExclusionTexts], ExclusionTexts]) -> Response:
    changed = await service.fetch(
        lambda client: client.run(lambda index: index.change_exclusion_texts(change))
    )
    return JsonResponse(_texts(changed))


def _known(client: IndexClient) -> ExclusionTexts:
    return client.run(lambda index: index.exclusion_texts)


def _texts(known: ExclusionTexts) -> dict[str, Any]:
    return {
        "phrases": list(known.phrases),
        "templates": [
            {"name": name, "words": len(words_of(text))} for name, text in known.templates.items()
        ],
    }
