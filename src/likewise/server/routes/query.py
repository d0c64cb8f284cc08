"""Which stored documents are similar to a text, or to a file."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from likewise.server.json_response import JsonResponse
from likewise.server.routes.dependencies import CurrentService, check_number, read_file
from likewise.server.routes.router import FILE, JSON, api_router, errors, file_body, for_readers
from likewise.server.schemas import query as schemas

router = api_router("query")


@router.post(
    "/query",
    summary="Find documents similar to texts",
    response_model=schemas.Answers,
    responses=errors(*JSON),
)
@for_readers
async def query(body: schemas.Query, service: CurrentService) -> Response:
    """Which stored documents are similar to a text, or to each of several.

    If texts are stored, matches are verified on the full sets of shingles. Otherwise they are
    estimates with intervals, and those whose interval reaches the threshold are listed.
    """
    texts = body.all_texts()
    check_number(texts, "texts", service)
    return JsonResponse(await service.query(texts, body.options()))


@router.post(
    "/query/document",
    summary="Find documents similar to a file",
    response_model=schemas.FileAnswer,
    responses=errors(*FILE),
    openapi_extra=file_body(),
)
@for_readers
async def query_document(
    request: Request, search: Annotated[schemas.SearchOptions, Query()], service: CurrentService
) -> Response:
    """Which stored documents are similar to a file. It is not stored."""
    extracted, notes = await read_file(request, service)
    facts = {"characters": len(extracted.text), "notes": notes}
    return JsonResponse(await service.query([extracted.text], search, facts))
