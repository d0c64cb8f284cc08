"""What the pages of the app show: the overview, a document, a pair, and texts that are checked."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from likewise.server.answer import json_answer
from likewise.server.routes.common import (
    BODY,
    PREFIX,
    JsonRoute,
    binary_body,
    cancel_on_disconnect,
    document_body,
    errors,
    id_after,
    media_type,
    service_of,
)
from likewise.server.schemas import views as schemas
from likewise.server.schemas.common import Id
from likewise.server.view_answers import (
    check_two,
    get_document,
    pair_answer,
    stored_answer,
    text_answer,
)
from likewise.survey.viewed_document import ViewedDocument

VIEWS = f"{PREFIX}/view"
DOCUMENT = f"{VIEWS}/document/"
PASTED = "your text"

router = APIRouter(prefix=VIEWS, tags=["views"])
json_router = APIRouter(prefix=VIEWS, tags=["views"], route_class=JsonRoute)


@router.get(
    "/survey",
    summary="View the collection",
    response_model=schemas.SurveyAnswer,
    responses=errors(),
)
async def survey(request: Request) -> Response:
    """All documents and all pairs that are similar or share passages, the most similar first.

    It is made in the background: ask again until its `state` is `ready`. At most the 10,000
    documents that were added last are looked at.
    """
    service = service_of(request)
    return json_answer(await service.fetch(service.surveys.get))


async def get_document_id(
    request: Request,
    id: Annotated[str, Path(description="The id, as for `/api/documents`.", examples=["a.pdf"])],
) -> str:
    return id_after(DOCUMENT, request)


@router.get(
    "/document/{id:any}",
    summary="View a document",
    response_model=schemas.DocumentView,
    responses=errors(404, 422),
)
async def document(id_: Annotated[str, Depends(get_document_id)], request: Request) -> Response:
    """A stored document with its text, and what other documents share with it."""
    service = service_of(request)
    viewed = await service.fetch(lambda: get_document(service.index, id_))
    return await _view_response(
        request,
        service.view(
            lambda is_cancelled: stored_answer(service.index, viewed, is_cancelled),
            len(viewed.text),
        ),
    )


@router.get(
    "/pair",
    summary="View two documents side by side",
    response_model=schemas.PairView,
    responses=errors(404, 422),
)
async def pair(
    request: Request,
    a: Annotated[Id, Query()],
    b: Annotated[Id, Query()],
) -> Response:
    """Two stored documents side by side, with their measures and the passages they share."""
    check_two(a, b)
    service = service_of(request)
    first, second = await service.fetch(
        lambda: (get_document(service.index, a), get_document(service.index, b))
    )
    return await _view_response(
        request,
        service.view(
            lambda is_cancelled: pair_answer(service.index, first, second),
            len(first.text) + len(second.text),
        ),
    )


@json_router.post(
    "/check",
    summary="Check a text",
    response_model=schemas.DocumentView,
    responses=errors(400, 415, 422, *BODY),
)
async def check(body: schemas.CheckedText, request: Request) -> Response:
    """What stored documents share with a text. It is not stored."""
    service = service_of(request)
    viewed = ViewedDocument(body.name or PASTED, body.text)
    return await _view_response(
        request,
        service.view(
            lambda is_cancelled: text_answer(service.index, viewed, (), is_cancelled),
            len(viewed.text),
        ),
    )


@router.post(
    "/check/file",
    summary="Check a file",
    response_model=schemas.DocumentView,
    responses=errors(422, *BODY),
    openapi_extra=binary_body("The file as it is: text, PDF, DOCX, ODT, EPUB or HTML."),
)
async def check_file(
    request: Request,
    name: Annotated[schemas.Name | None, Query(description="Name of the file.")] = None,
) -> Response:
    """What stored documents share with a file. It is not stored."""
    service = service_of(request)
    type_, charset = media_type(request)
    body = await document_body(request)
    extracted, notes = await service.read(body, name or "", type_, charset)
    viewed = ViewedDocument(
        name or "your file", extracted.text, extracted.page_starts, hidden=extracted.hidden
    )
    return await _view_response(
        request,
        service.view(
            lambda is_cancelled: text_answer(service.index, viewed, notes, is_cancelled),
            len(viewed.text),
        ),
    )


async def _view_response(request: Request, work: Coroutine[Any, Any, bytes]) -> Response:
    return json_answer(await cancel_on_disconnect(request, work))
