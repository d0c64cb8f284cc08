"""Documents: stored, fetched, listed, removed."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from likewise.server.answer import as_json, json_answer
from likewise.server.errors import ApiError, no_document
from likewise.server.index_client import Entry
from likewise.server.routes.common import (
    BODY,
    PREFIX,
    DocumentId,
    JsonRoute,
    binary_body,
    check_number,
    document_body,
    errors,
    media_type,
    service_of,
)
from likewise.server.schemas import documents as schemas
from likewise.server.schemas.common import MAX_ID_BYTES, Text

router = APIRouter(prefix=PREFIX, tags=["documents"])
json_router = APIRouter(prefix=PREFIX, tags=["documents"], route_class=JsonRoute)

MAX_LISTED = 1_000


@json_router.post(
    "/documents",
    summary="Store documents",
    response_model=schemas.StoredDocuments,
    responses=errors(400, 415, 422, 507, *BODY),
)
async def add(body: schemas.NewDocuments, request: Request) -> Response:
    """Stores documents, all or none; they are on disk when this answers.

    One whose id is there with the same content stays as it is, so that a request can be repeated;
    one whose id is there with other content replaces it.
    """
    service = service_of(request)
    check_number(body.documents, "documents", service.settings.max_documents)
    id_, times = Counter(document.id for document in body.documents).most_common(1)[0]
    if times > 1:
        raise ApiError(422, f"duplicate id {id_!r} among the documents to add")
    outcomes = await service.add([Entry(one.id, one.text, one.metadata) for one in body.documents])
    counts = Counter[str](outcomes)
    return json_answer(
        as_json(
            {
                **{status: counts[status] for status in ("added", "replaced", "unchanged")},
                "documents": [
                    {"id": document.id, "status": status}
                    for document, status in zip(body.documents, outcomes, strict=True)
                ],
            }
        )
    )


@router.get(
    "/documents",
    summary="List documents",
    response_model=schemas.Page,
    responses=errors(422),
)
async def list_(
    request: Request,
    after: Annotated[int, Query(ge=0, lt=2**63, description="`next` of the previous page.")] = 0,
    limit: Annotated[
        int, Query(ge=1, le=MAX_LISTED, description="Maximum number of documents.")
    ] = 100,
    contains: Annotated[
        Text | None,
        Query(max_length=MAX_ID_BYTES, description="Part of the id; case is ignored."),
    ] = None,
) -> Response:
    """Lists documents in the order in which they were added, without their texts."""
    service = service_of(request)

    def work() -> bytes:
        documents, following = service.index.page(after, limit, contains)
        listed = [{"id": d.id, "size": d.size, "metadata": d.metadata} for d in documents]
        return as_json({"documents": listed, "next": following})

    return json_answer(await service.fetch(work))


@router.put(
    "/documents/{id:any}",
    summary="Store a file",
    response_model=schemas.StoredFile,
    responses=errors(422, 507, *BODY),
    openapi_extra=binary_body("The file as it is: text, PDF, DOCX, ODT, EPUB or HTML."),
)
async def put(id_: DocumentId, request: Request) -> Response:
    """Stores the text of a file, with its pages; the text is on disk when this answers.

    What the file is decides, whatever it is called. `curl -T essay.pdf ADDRESS/essay.pdf` sends
    one.
    """
    service = service_of(request)
    type_, charset = media_type(request)
    extracted, notes = await service.read(await document_body(request), id_, type_, charset)
    starts = extracted.page_starts
    (outcome,) = await service.add([Entry(id_, extracted.text, None, starts)])
    return json_answer(
        as_json(
            {
                "id": id_,
                "status": outcome,
                "characters": len(extracted.text),
                "pages": None if starts is None else len(starts),
                "notes": notes,
            }
        )
    )


@router.get(
    "/documents/{id:any}",
    summary="Fetch a document",
    response_model=schemas.StoredDocument,
    responses=errors(404, 422),
)
async def fetch(id_: DocumentId, request: Request) -> Response:
    """A stored document: its text, where its pages begin, and what is known about it."""
    service = service_of(request)

    def work() -> bytes:
        document = service.index.document(id_)
        if document is None:
            raise no_document(id_)
        return as_json(
            {
                "id": document.id,
                "size": document.size,
                "metadata": document.metadata,
                "text": document.text,
                "page_starts": document.page_starts,
            }
        )

    return json_answer(await service.fetch(work))


@router.delete(
    "/documents/{id:any}",
    summary="Remove a document",
    response_model=schemas.Removed,
    responses=errors(404, 422, 507),
)
async def remove(id_: DocumentId, request: Request) -> Response:
    """Removes a document; it is in no answer from then on."""
    service = service_of(request)
    if not await service.remove([id_]):
        raise no_document(id_)
    return json_answer(as_json({"id": id_}))


@json_router.post(
    "/remove",
    summary="Remove documents",
    response_model=schemas.RemovedDocuments,
    responses=errors(400, 415, 422, 507, *BODY),
)
async def remove_many(body: schemas.Ids, request: Request) -> Response:
    """Removes documents, all that are there or none."""
    service = service_of(request)
    check_number(body.ids, "ids", service.settings.max_documents)
    ids = list(dict.fromkeys(body.ids))
    removed = await service.remove(ids)
    gone = set(removed)
    missing = [id_ for id_ in ids if id_ not in gone]
    return json_answer(as_json({"removed": removed, "missing": missing}))
