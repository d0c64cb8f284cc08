"""Questions: which stored documents are similar to a text, or to a file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from likewise.server.answer import as_json, json_answer
from likewise.server.index_client import Search
from likewise.server.routes.common import (
    BODY,
    PREFIX,
    JsonRoute,
    binary_body,
    check_number,
    document_body,
    errors,
    media_type,
    service_of,
)
from likewise.server.schemas import query as schemas
from likewise.server.schemas.common import DEFAULT_TOP, Top
from likewise.server.service import Service

router = APIRouter(prefix=PREFIX, tags=["query"])
json_router = APIRouter(prefix=PREFIX, tags=["query"], route_class=JsonRoute)


@json_router.post(
    "/query",
    summary="Find documents similar to texts",
    response_model=schemas.Answers,
    responses=errors(400, 415, 422, *BODY),
)
async def query(body: schemas.Query, request: Request) -> Response:
    """Which stored documents are similar to a text, or to each of several.

    Where texts are kept, answers are verified on the full sets of shingles; else they are estimates
    with intervals, and those are listed whose interval reaches the threshold.
    """
    service = service_of(request)
    texts = body.all_texts()
    check_number(texts, "texts", service.settings.max_documents)
    search = Search(body.threshold, body.top, body.scan, body.level)
    return await _answers(service, texts, search, {})


@router.post(
    "/query/document",
    summary="Find documents similar to a file",
    response_model=schemas.FileAnswer,
    responses=errors(422, *BODY),
    openapi_extra=binary_body("The file as it is: text, PDF, DOCX, ODT, EPUB or HTML."),
)
async def query_document(
    request: Request,
    threshold: Annotated[schemas.Threshold | None, Query()] = None,
    top: Annotated[Top, Query()] = DEFAULT_TOP,
    scan: Annotated[schemas.Scan, Query()] = False,
    level: Annotated[schemas.Level, Query()] = 0.95,
) -> Response:
    """Which stored documents are similar to a file. It is not stored."""
    service = service_of(request)
    type_, charset = media_type(request)
    extracted, notes = await service.read(await document_body(request), "", type_, charset)
    about = {"characters": len(extracted.text), "notes": notes}
    return await _answers(service, [extracted.text], Search(threshold, top, scan, level), about)


async def _answers(
    service: Service, texts: list[str], search: Search, about: dict[str, Any]
) -> Response:
    answers = await service.query(texts, search)
    rest = as_json({"search": service.index.promise(search), **about})
    # Each answer is JSON already, made on the thread that found it.
    return json_answer(b'{"answers":[' + b",".join(answers) + b"]," + rest[1:])
