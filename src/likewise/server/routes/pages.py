"""The page of the web app, and the files that it loads. Neither contains data."""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.staticfiles import StaticFiles

from likewise import pages
from likewise.server.errors import not_found

router = APIRouter(include_in_schema=False)

# A name, or a folder and a name; nothing that leads to another folder.
_NAME = re.compile(r"(?:[a-z]+/)?[a-z0-9][a-z0-9_-]*\.[a-z]+")
_APP = StaticFiles(directory=Path(__file__).parent)
_STATIC = StaticFiles(directory=Path(pages.__file__).parent / "static")
mimetypes.add_type("text/javascript", ".js")  # whatever the system's table says


@router.api_route("/", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    """The page, which requests its data itself."""
    return await _file_response(request, _APP, "app.html")


@router.api_route("/static/{name:any}", methods=["GET", "HEAD"])
async def static(request: Request, name: str) -> Response:
    """A file that the page loads."""
    if not _NAME.fullmatch(name):
        raise not_found()
    return await _file_response(request, _STATIC, name)


async def _file_response(request: Request, files: StaticFiles, name: str) -> Response:
    """A file, or 304; browsers ask each time, so that they never use an old one."""
    response = await files.get_response(name, request.scope)
    response.headers["Cache-Control"] = "no-cache"
    return response
