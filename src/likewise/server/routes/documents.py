"""Documents: stored, fetched, listed, removed."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import Query, Request, Response

from likewise.server.errors import ApiError, no_document
from likewise.server.index_client import Entry, IndexClient
from likewise.server.json_response import JsonResponse
from likewise.server.routes.dependencies import (
    CurrentService,
    DocumentId,
    check_number,
    read_file,
)
from likewise.server.routes.router import FILE, JSON, api_router, errors, file_body
from likewise.server.schemas import documents as schemas
from likewise.server.schemas.common import MAX_ID_BYTES, Text

router = api_router("documents")

MAX_LISTED = 1_000


@router.post(
    "/documents",
    summary="Store documents",
    response_model=schemas.StoredDocuments,
    responses=errors(*JSON, 507),
)
async def add(body: schemas.NewDocuments, service: CurrentService) -> Response:
    """Stores all documents or none; they are on disk when the response is sent.

    A stored document with the same id and content is not changed, so the request can be repeated.
    One with the same id and different content is replaced.
    """
    check_number(body.documents, "documents", service)
    id_, times = Counter(document.id for document in body.documents).most_common(1)[0]
    if times > 1:
        raise ApiError(422, f"duplicate id {id_!r} among the documents to add")
    outcomes = await service.add([Entry(one.id, one.text, one.metadata) for one in body.documents])
    counts = Counter[str](outcomes)
    return JsonResponse(
        {
            **{status: counts[status] for status in ("added", "replaced", "unchanged")},
            "documents": [
                {"id": document.id, "status": status}
                for document, status in zip(body.documents, outcomes, strict=True)
            ],
        }
    )


@router.get(
    "/documents",
    summary="List documents",
    response_model=schemas.Page,
    responses=errors(422),
)
async def list_(
    service: CurrentService,
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

    def read(index: IndexClient) -> Response:
        documents, following = index.page(after, limit, contains)
        listed = [{"id": d.id, "size": d.size, "metadata": d.metadata} for d in documents]
        return JsonResponse({"documents": listed, "next": following})

    return await service.fetch(read)


@router.put(
    "/documents/{id:any}",
    summary="Store a file",
    response_model=schemas.StoredFile,
    responses=errors(*FILE, 507),
    openapi_extra=file_body(),
)
async def put(id_: DocumentId, request: Request, service: CurrentService) -> Response:
    """Stores the text of a file, with its pages; it is on disk when the response is sent.

    The type is detected from the content, not the name. `curl -T essay.pdf ADDRESS/essay.pdf`
    sends a file.
    """
    extracted, notes = await read_file(request, service, id_)
    starts = extracted.page_starts
    entry = Entry(id_, extracted.text, None, starts, references=extracted.references)
    (outcome,) = await service.add([entry])
    return JsonResponse(
        {
            "id": id_,
            "status": outcome,
            "characters": len(extracted.text),
            "pages": None if starts is None else len(starts),
            "notes": notes,
        }
    )


@router.get(
    "/documents/{id:any}",
    summary="Fetch a document",
    response_model=schemas.StoredDocument,
    responses=errors(422),
)
async def fetch(id_: DocumentId, service: CurrentService) -> Response:
    """A stored document: its text, the offsets of its pages, references and metadata."""

    def read(index: IndexClient) -> Response:
        document = index.document(id_)
        fields = schemas.StoredDocument.model_fields
        values = {name: getattr(document, name) for name in fields}
        if document.references is not None:
            values["references"] = document.references.to_dict()
        return JsonResponse(values)

    return await service.fetch(read)


@router.delete(
    "/documents/{id:any}",
    summary="Remove a document",
    response_model=schemas.Removed,
    responses=errors(422, 507),
)
async def remove(id_: DocumentId, service: CurrentService) -> Response:
    """Removes a document; no later answer contains it."""
    if not await service.remove([id_]):
        raise no_document(id_)
    return JsonResponse({"id": id_})


@router.post(
    "/remove",
    summary="Remove documents",
    response_model=schemas.RemovedDocuments,
    responses=errors(*JSON, 507),
)
async def remove_many(body: schemas.Ids, service: CurrentService) -> Response:
    """Removes the documents that are stored, all or none of them."""
    check_number(body.ids, "ids", service)
    missing = dict.fromkeys(body.ids)
    removed = await service.remove(list(missing))
    for id_ in removed:
        del missing[id_]
    return JsonResponse({"removed": removed, "missing": list(missing)})
