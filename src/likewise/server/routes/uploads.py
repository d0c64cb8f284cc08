"""Uploads: files and archives of them, with an answer for each document as soon as it is stored."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import StreamingResponse

from likewise.server.routes.common import (
    BODY,
    PREFIX,
    binary_body,
    errors,
    media_type,
    service_of,
)
from likewise.server.schemas.views import Name
from likewise.server.uploads import Upload, check_upload_name

router = APIRouter(prefix=PREFIX, tags=["documents"])

LINES = "application/x-ndjson"


@router.post(
    "/uploads",
    summary="Upload a file or an archive",
    response_class=Response,
    responses={
        **errors(422, *BODY),
        200: {
            "description": "One line of JSON per document: `name`, `status` (`added`, "
            "`replaced`, `unchanged` or `skipped`), and `words` and `notes`, or the `reason` why "
            "it was skipped. The last line has `done` and counts, or an `error`.",
            "content": {LINES: {"schema": {"type": "string"}}},
        },
    },
    openapi_extra=binary_body("The file as it is, or a zip archive of files.", required=False),
)
async def upload(
    request: Request,
    name: Annotated[
        Name, Query(description="Name of the file, which becomes the id of the document.")
    ],
) -> Response:
    """Stores a file, or every file of a zip archive.

    Each document is told of when it is on disk; one that cannot be read is skipped with its reason,
    and the others are stored. Of an archive, documents have the path in it behind its name.
    """
    check_upload_name(name)
    type_, charset = media_type(request)
    made = Upload(service_of(request), await request.body(), name, type_, charset)
    return StreamingResponse(made.lines(), media_type=LINES)
