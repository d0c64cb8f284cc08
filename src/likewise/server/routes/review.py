"""Review marks: what people decided about pairs and passages."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query, Request, Response

from likewise.documents.texts import text_digest
from likewise.index.review_marks import ReviewMark
from likewise.server.errors import ApiError
from likewise.server.json_response import JsonResponse
from likewise.server.middleware.access import ROLE
from likewise.server.routes.dependencies import CurrentService
from likewise.server.routes.router import JSON, api_router, errors
from likewise.server.schemas import review as schemas
from likewise.server.service import Service

router = api_router("review")


@router.get(
    "/review", summary="List review marks", response_model=schemas.Marks, responses=errors(422)
)
async def list_(
    request: Request,
    service: CurrentService,
    revision: Annotated[
        int | None, Query(ge=0, lt=2**63, description="Of the marks that are known already.")
    ] = None,
) -> Response:
    """All marks of pairs and passages, also those whose documents or texts have changed since.

    Readers see the marks of documents that they see, and change none.
    """
    is_reviewer = request.scope[ROLE] == "reviewer"
    return JsonResponse(
        await service.fetch(lambda index: _marks(service, revision, is_reviewer=is_reviewer))
    )


@router.put(
    "/review",
    summary="Mark pairs and passages",
    response_model=schemas.Marks,
    responses=errors(*JSON, 409, 507),
)
async def mark(body: schemas.NewMarks, service: CurrentService) -> Response:
    """Stores all marks or none, each in place of one of the same pair or passage."""
    marks = await service.fetch(lambda index: _checked(service, body.marks))
    await service.set_review_marks(marks)
    return JsonResponse(await service.fetch(lambda index: _marks(service, is_reviewer=True)))


@router.post(
    "/review/remove",
    summary="Remove review marks",
    response_model=schemas.Marks,
    responses=errors(*JSON, 507),
)
async def remove(body: schemas.MarkKeys, service: CurrentService) -> Response:
    """Removes marks; keys of marks that are gone are ignored."""
    await service.remove_review_marks(body.keys)
    return JsonResponse(await service.fetch(lambda index: _marks(service, is_reviewer=True)))


def _checked(service: Service, given: Sequence[schemas.NewMark]) -> list[ReviewMark]:
    """Marks of the texts as they are now. Raises `ApiError` if one is about another text."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    digests: dict[str, tuple[str | None, int]] = {}  # with the lengths of the texts
    marks = []
    for one in given:
        if one.a == one.b:
            raise ApiError(422, "a and b are the same document", hint="name two documents")
        for id_, digest in ((one.a, one.digest_a), (one.b, one.digest_b)):
            if id_ not in digests:
                digests[id_] = _digest(service, id_)
            own, _ = digests[id_]
            if digest is not None and own is not None and digest != own:
                raise ApiError(
                    409, f"the text of {id_!r} has changed since", hint="reload it and look again"
                )
        place = one.passage
        passage = None if place is None else (place[0], place[1], place[2], place[3])
        ends = digests[one.a][1], digests[one.b][1]
        if passage and not (
            passage[0] < passage[1] <= ends[0] and passage[2] < passage[3] <= ends[1]
        ):
            raise ApiError(422, "passage: is not a stretch of each of the two texts")
        marks.append(
            ReviewMark.of(
                (one.a, one.b), one.status, note=one.note, time=one.time or now, passage=passage,
                digests=(digests[one.a][0], digests[one.b][0]),
            )
        )  # fmt: skip
    return marks


def _digest(service: Service, id_: str) -> tuple[str | None, int]:
    """Of a stored text, with its length; None if the collection stores no texts."""
    _, document = service.archives.find(id_)
    if not service.index.settings.keep_text:
        return None, 0
    return text_digest(document.text), len(document.text)


def _marks(service: Service, known: int | None = None, *, is_reviewer: bool) -> dict[str, Any]:
    # In this order: a change between the two is found with the next request.
    revision = service.index.run(lambda index: index.review_revision)
    if revision == known:
        return {"revision": revision, "marks": None, "can_change": is_reviewer}
    marks = service.index.run(lambda index: index.review_marks())
    if not is_reviewer:  # of an archive that is not shared, nothing is shown
        seen = service.archives.existing({id_ for mark in marks for id_ in (mark.a, mark.b)})
        marks = [mark for mark in marks if mark.a in seen and mark.b in seen]
    return {
        "revision": revision,
        "marks": [{"key": mark.key, **asdict(mark)} for mark in marks],
        "can_change": is_reviewer,
    }
