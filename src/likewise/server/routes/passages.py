"""Copied passages: what a text, or a file, shares with stored documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from likewise.documents.document import Document
from likewise.passages.matching_text import Exclusions
from likewise.server.answer import as_json, json_answer
from likewise.server.errors import ApiError
from likewise.server.index_client import PassageSearch
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
from likewise.server.schemas import passages as schemas
from likewise.server.schemas.common import DEFAULT_TOP, Text, Top
from likewise.server.service import Service

router = APIRouter(prefix=PREFIX, tags=["passages"])
json_router = APIRouter(prefix=PREFIX, tags=["passages"], route_class=JsonRoute)

# In an address, all of which must stay below 64 KB.
MAX_PHRASES = 16
MAX_VALUE_CHARACTERS = 200
MetadataValue = Annotated[Text, Field(max_length=MAX_VALUE_CHARACTERS)]


@json_router.post(
    "/passages",
    summary="Find passages of texts",
    response_model=schemas.PassageAnswers,
    responses=errors(400, 415, 422, *BODY),
)
async def passages(body: schemas.PassageQuery, request: Request) -> Response:
    """Which passages a text, or each of several, shares with stored documents.

    They are found however small a part of both they are: every run of equal words, unless very many
    documents have it, and most copies in which words were changed.
    """
    service = service_of(request)
    texts = body.all_texts()
    check_number(texts, "texts", service.settings.max_documents)
    exclusions = body.exclude
    exclude = Exclusions(
        quotations=exclusions.quotations,
        bibliography=exclusions.bibliography,
        phrases=tuple(exclusions.phrases),
        templates=tuple(exclusions.templates),
        min_passage=exclusions.min_passage,
        min_share=exclusions.min_share,
        same=tuple(dict.fromkeys(exclusions.same)),
        max_sources=exclusions.max_sources,
        common_text=exclusions.common_text,
    )
    search = PassageSearch(
        body.min_words, body.edited, body.top, body.excerpts, exclude, body.metadata
    )
    return await _answers(service, list(map(Document, texts)), search, {})


@router.post(
    "/passages/document",
    summary="Find passages of a file",
    response_model=schemas.PassageFileAnswer,
    responses=errors(422, *BODY),
    openapi_extra=binary_body("The file as it is: text, PDF, DOCX, ODT, EPUB or HTML."),
)
async def passages_document(
    request: Request,
    min_words: Annotated[schemas.MinWords | None, Query()] = None,
    edited: Annotated[schemas.Edited, Query()] = True,
    top: Annotated[Top, Query()] = DEFAULT_TOP,
    excerpts: Annotated[schemas.Excerpts, Query()] = False,
    exclude: Annotated[
        list[Literal["quotations", "bibliography", "common_text"]],
        Query(max_length=3, description="Parts excluded from matching; may be repeated."),
    ] = [],  # noqa: B006
    phrase: Annotated[
        list[Annotated[schemas.Phrase, Field(max_length=MAX_VALUE_CHARACTERS)]],
        Query(max_length=MAX_PHRASES, description="Phrases to exclude, wherever they occur."),
    ] = [],  # noqa: B006
    min_passage: Annotated[schemas.MinPassage, Query()] = 0,
    min_share: Annotated[schemas.MinShare, Query()] = 0.0,
    max_sources: Annotated[schemas.MaxSources | None, Query()] = None,
    same: Annotated[schemas.Same, Query()] = [],  # noqa: B006
    author: Annotated[MetadataValue | None, Query(description="Of the file, for `same`.")] = None,
    group: Annotated[MetadataValue | None, Query(description="Of the file, for `same`.")] = None,
) -> Response:
    """Which passages a file shares with stored documents. It is not stored.

    What is too long for an address, many phrases and templates, can be left out of texts that are
    sent as JSON.
    """
    metadata = {"author": author, "group": group}
    try:
        schemas.check_same(same, metadata)
    except ValueError as error:
        raise ApiError(422, str(error), hint="?same=author&author=NAME") from None
    exclusions = Exclusions(
        quotations="quotations" in exclude,
        bibliography="bibliography" in exclude,
        common_text="exclude" if "common_text" in exclude else "keep",
        phrases=tuple(phrase),
        min_passage=min_passage,
        min_share=min_share,
        same=tuple(dict.fromkeys(same)),
        max_sources=max_sources,
    )
    search = PassageSearch(min_words, edited, top, excerpts, exclusions, metadata)
    service = service_of(request)
    type_, charset = media_type(request)
    extracted, notes = await service.read(await document_body(request), "", type_, charset)
    about = {"characters": len(extracted.text), "notes": notes}
    return await _answers(service, [extracted], search, about)


async def _answers(
    service: Service, texts: list[Document], search: PassageSearch, about: dict[str, Any]
) -> Response:
    answers = await service.passages(texts, search)
    rest = as_json({"search": service.index.passage_promise(search), **about})
    # Each answer is JSON already, made on the thread that found it.
    return json_answer(b'{"answers":[' + b",".join(answers) + b"]," + rest[1:])
