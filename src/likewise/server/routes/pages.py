"""The page of the web app, and the files that it loads. There are no data in either."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files

from fastapi import APIRouter, Request, Response

from likewise.server.errors import nothing_there

router = APIRouter(include_in_schema=False)

PAGE = b"""\
<!doctype html>
<html lang="en" data-mode="app">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>likewise</title>
<link rel="icon" href="static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="static/style.css">
<script type="module" src="static/app.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. All of it comes from this server, and nothing else is
loaded.</noscript>
</body>
</html>
"""
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "txt": "text/plain; charset=utf-8",
}
# One name, with nothing in it that leads elsewhere.
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*\.([a-z]+)")
_STATIC = files("likewise.views") / "static"


@router.api_route("/", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    """The page, which asks for data by itself."""
    return _answer(request, PAGE, "text/html; charset=utf-8")


@router.api_route("/static/{name:any}", methods=["GET", "HEAD"])
async def static(request: Request, name: str) -> Response:
    """A file that the page loads."""
    found = _NAME.fullmatch(name)
    type_ = TYPES.get(found[1]) if found else None
    if type_ is None:
        raise nothing_there()
    try:
        # Read anew each time, which takes less than a request does: they are few and small.
        content = (_STATIC / name).read_bytes()
    except OSError:
        raise nothing_there() from None
    return _answer(request, content, type_)


def _answer(request: Request, content: bytes, type_: str) -> Response:
    """The content, unless the browser has it; it asks each time, so that it has no old one."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in re.split(r"\s*,\s*", request.headers.get("if-none-match", "").replace("W/", "")):
        return Response(None, 304, headers)
    made = Response(content, 200, headers, type_)
    if request.method == "HEAD":
        made.body = b""  # its length is told nevertheless
    return made
