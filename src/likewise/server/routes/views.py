"""Pages of the app: the overview, a document, a pair, a synopsis, and texts that are checked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

from fastapi import Query, Request, Response

from likewise.documents.document import Document
from likewise.passages.settings import Exclusions
from likewise.server.errors import ApiError
from likewise.server.jobs.executor import Work
from likewise.server.json_response import JsonResponse
from likewise.server.routes.dependencies import (
    CurrentService,
    DocumentId,
    cancel_on_disconnect,
    read_file,
)
from likewise.server.routes.router import (
    FILE,
    JSON,
    PREFIX,
    api_router,
    errors,
    file_body,
    for_readers,
)
from likewise.server.schemas import views as schemas
from likewise.server.schemas.common import Id
from likewise.server.schemas.synopsis import SynopsisView
from likewise.server.service import Service
from likewise.server.stretches import stretches_answer
from likewise.server.synopsis_answer import synopsis_answer
from likewise.server.view_answers import pair_answer, stored_answer, text_answer
from likewise.survey.synopsis.synopsis import MAX_TEXTS, MIN_TEXTS

router = api_router("views", f"{PREFIX}/view")


@router.get("/survey", summary="View the collection", response_model=schemas.SurveyAnswer)
async def survey(service: CurrentService) -> Response:
    """All documents and all pairs that are similar or share passages, the most similar first.

    It is computed in the background: repeat the request until `state` is `ready`. It covers at
    most the 10,000 documents that were added last.
    """
    return JsonResponse(await service.fetch(lambda index: service.surveys.get()))


@router.post(
    "/unread",
    summary="Note files that could not be read",
    response_model=schemas.KnownUnread,
    responses=errors(*JSON, 507),
)
async def note_unread(body: schemas.UnreadFiles, service: CurrentService) -> Response:
    """Notes files that could not be read, and so were not uploaded, with the reason.

    Uploads do that themselves. A file leaves the list when it is stored.
    """
    await service.note_unread({file.name: file.reason for file in body.files})
    return JsonResponse(await service.fetch(lambda index: index.unread()))


@router.post(
    "/unread/dismiss",
    summary="Dismiss files that could not be read",
    response_model=schemas.KnownUnread,
    responses=errors(*JSON, 507),
)
async def dismiss_unread(body: schemas.UnreadNames, service: CurrentService) -> Response:
    """Removes files from the list of those that could not be read."""
    await service.forget_unread(body.names)
    return JsonResponse(await service.fetch(lambda index: index.unread()))


@router.get(
    "/document/{id:any}",
    summary="View a document",
    response_model=schemas.DocumentView,
    responses=errors(422),
)
async def document(id_: DocumentId, request: Request, service: CurrentService) -> Response:
    """A stored document with its text, and what other documents share with it.

    Documents of the archive have ids such as `Essays 2018: a.txt`, with the name of their
    collection.
    """
    archive, viewed = await service.fetch(lambda index: service.archives.find(id_))
    work = partial(stored_answer, service.index, service.archives, viewed, archive)
    return await _view(request, service, work, len(viewed.text))


@router.get(
    "/pair",
    summary="View two documents side by side",
    response_model=schemas.PairView,
    responses=errors(422),
)
async def pair(
    request: Request,
    service: CurrentService,
    a: Annotated[Id, Query()],
    b: Annotated[Id, Query()],
) -> Response:
    """Two stored documents side by side, with their measures and the passages they share."""
    if a == b:
        raise ApiError(422, "a and b are the same document", hint="name two documents")
    find = service.archives.find
    (of_a, first), (of_b, second) = await service.fetch(lambda index: (find(a), find(b)))
    characters = len(first.text) + len(second.text)
    return await _view(
        request,
        service,
        lambda is_cancelled: pair_answer(service.index, first, second, (of_a, of_b)),
        characters,
    )


@router.get(
    "/synopsis",
    summary="View documents in parallel columns",
    response_model=SynopsisView,
    responses=errors(422),
)
async def synopsis(
    request: Request,
    service: CurrentService,
    document: Annotated[
        list[Id],
        Query(
            min_length=MIN_TEXTS,
            max_length=MAX_TEXTS,
            description="Ids of stored documents, in the order of the columns.",
        ),
    ],
    exclude: Annotated[
        list[Literal["quotations", "bibliography"]], Query(description="Text to exclude.")
    ] = [],  # noqa: B006
) -> Response:
    """Two to five stored documents in parallel columns, aligned by the passages they share.

    Every text is complete and in its own order; what another text has in another place is shown
    beside it as well.
    """
    if len(set(document)) < len(document):
        raise ApiError(422, "a document is named more than once", hint="name different documents")
    find = service.archives.find
    found = await service.fetch(lambda index: [find(id_) for id_ in document])
    settings = Exclusions(
        quotations="quotations" in exclude, bibliography="bibliography" in exclude
    )
    work = partial(synopsis_answer, service.index, found, settings)
    return await _view(request, service, work, sum(len(one.text) for _, one in found))


@router.post(
    "/stretches",
    summary="Get the wording of places",
    response_model=schemas.StretchTexts,
    responses=errors(*JSON),
)
@for_readers
async def stretches(body: schemas.Stretches, request: Request, service: CurrentService) -> Response:
    """The texts of places in stored documents, such as the witnesses of a passage family."""
    if not service.index.settings.keep_text:
        raise ApiError(422, "this collection stores no texts")
    work = partial(stretches_answer, service.archives, body.places)
    return JsonResponse(await cancel_on_disconnect(request, service.view_collection(work)))


@router.post(
    "/check",
    summary="Check a text",
    response_model=schemas.DocumentView,
    responses=errors(*JSON),
)
@for_readers
async def check(body: schemas.CheckedText, request: Request, service: CurrentService) -> Response:
    """What stored documents share with a text. It is not stored."""
    viewed = Document(body.text, id=body.name or "your text")
    work = partial(text_answer, service.index, service.archives, viewed, ())
    return await _view(request, service, work, len(viewed.text))


@router.post(
    "/check/file",
    summary="Check a file",
    response_model=schemas.DocumentView,
    responses=errors(*FILE),
    openapi_extra=file_body(),
)
@for_readers
async def check_file(
    request: Request,
    service: CurrentService,
    name: Annotated[Id | None, Query(description="Name of the file.")] = None,
) -> Response:
    """What stored documents share with a file. It is not stored."""
    extracted, notes = await read_file(request, service, name or "")
    viewed = replace(extracted, id=name or "your file")
    work = partial(text_answer, service.index, service.archives, viewed, notes)
    return await _view(request, service, work, len(viewed.text))


async def _view(request: Request, service: Service, work: Work[bytes], characters: int) -> Response:
    return JsonResponse(await cancel_on_disconnect(request, service.view(work, characters)))
