"""Copied passages: what a text, or a file, shares with stored documents."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from likewise.documents.document import Document
from likewise.server.errors import ApiError
from likewise.server.index_client import PassageSearch
from likewise.server.json_response import JsonResponse
from likewise.server.routes.dependencies import CurrentService, check_number, read_file
from likewise.server.routes.router import FILE, JSON, api_router, errors, file_body, for_readers
from likewise.server.schemas import passages as schemas

router = api_router("passages")


@router.post(
    "/passages",
    summary="Find passages of texts",
    response_model=schemas.PassageAnswers,
    responses=errors(*JSON),
)
@for_readers
async def passages(body: schemas.PassageQuery, service: CurrentService) -> Response:
    """Which passages a text, or each of several, shares with stored documents.

    Passages are found however short they are compared with the documents: every run of identical
    words, unless very many documents contain it, and most copies in which words were changed.
    """
    texts = body.all_texts()
    check_number(texts, "texts", service)
    search = PassageSearch(body, body.exclude.to_exclusions(), body.metadata)
    return JsonResponse(await service.passages(list(map(Document, texts)), search))


@router.post(
    "/passages/document",
    summary="Find passages of a file",
    response_model=schemas.PassageFileAnswer,
    responses=errors(*FILE),
    openapi_extra=file_body(),
)
@for_readers
async def passages_document(
    request: Request, query: Annotated[schemas.PassageFileQuery, Query()], service: CurrentService
) -> Response:
    """Which passages a file shares with stored documents. It is not stored.

    To exclude templates or many phrases, send the text as JSON instead.
    """
    metadata = {"author": query.author, "group": query.group}
    try:
        schemas.check_same(query.same, metadata)
    except ValueError as error:
        raise ApiError(422, str(error), hint="?same=author&author=NAME") from None
    search = PassageSearch(query, query.to_exclusions(), metadata)
    extracted, notes = await read_file(request, service)
    facts = {"characters": len(extracted.text), "notes": notes}
    return JsonResponse(await service.passages([extracted], search, facts))
