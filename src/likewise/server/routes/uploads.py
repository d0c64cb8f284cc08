"""Uploads: files and archives of them, each document answered when it is stored; and tables."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response
from starlette.responses import StreamingResponse

from likewise.server.json_response import JsonResponse
from likewise.server.routes.dependencies import CurrentService, media_type
from likewise.server.routes.router import FILE, api_router, errors, file_body
from likewise.server.schemas.common import Id
from likewise.server.schemas.documents import Described
from likewise.server.uploads import Upload, check_upload_name

router = api_router("documents")

LINES = "application/x-ndjson"


@router.post(
    "/uploads",
    summary="Upload a file or an archive",
    response_class=Response,
    responses={
        **errors(*FILE),
        200: {
            "description": "One line of JSON per document: `name`, `status` (`added`, "
            "`replaced`, `unchanged` or `skipped`), and `words` and `notes`, or the `reason` why "
            "it was skipped. The last line has `done` and counts, or an `error`.",
            "content": {LINES: {"schema": {"type": "string"}}},
        },
    },
    openapi_extra=file_body("The file as it is, or a zip archive of files.", required=False),
)
async def upload(
    request: Request,
    service: CurrentService,
    name: Annotated[
        Id, Query(description="Name of the file, which becomes the id of the document.")
    ],
) -> Response:
    """Stores a file, or every file of a zip archive.

    Each document is reported when it is on disk; one that cannot be read is skipped, with the
    reason, and the others are stored. The id of a document in an archive is the name of the
    archive, followed by the path in it.
    """
    check_upload_name(name)
    made = Upload(service, await request.body(), name, *media_type(request))
    return StreamingResponse(made.lines(), media_type=LINES)


@router.post(
    "/metadata",
    summary="Describe documents by a table",
    response_model=Described,
    responses=errors(*FILE, 507),
    openapi_extra=file_body("A .csv, .tsv, .xlsx, .jsonl or .parquet file.", required=False),
)
async def describe(
    request: Request,
    service: CurrentService,
    name: Annotated[Id, Query(description="Name of the file, which tells its kind.")],
) -> Response:
    """Adds title, author, date and group to the documents of the collection.

    Columns are found by their content and headers, as with `--metadata` on the command line.
    """
    return JsonResponse(await service.describe(name, await request.body()))
