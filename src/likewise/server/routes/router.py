"""`api_router`: a router for one group of routes, with the errors that every route can answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.convertors import PathConvertor, register_url_convertor

from likewise.server.errors import ApiError
from likewise.server.json_request import JsonRequest, check_content_type
from likewise.server.schemas.common import Error

PREFIX = "/api"
_STATUSES = {
    400: "The body is not JSON.",
    401: "The token is missing or wrong.",
    403: "The request comes from a page of another site, or under another name.",
    404: "The document or collection does not exist.",
    409: "The name is already in use.",
    408: "The body did not arrive in time.",
    413: "The body, or its content, is too large.",
    415: "The Content-Type of the body is not supported.",
    422: "The request is invalid; see the message.",
    429: "Too many requests from one address, or too many with a wrong token.",
    500: "Internal server error.",
    503: "Too many requests, or the index cannot be reached. Nothing was done; try again.",
    504: "The request timed out. Documents may still be stored.",
    507: "No space left for the index. Earlier data is intact.",
}
FILE = (408, 413, 415, 422)
JSON = (400, *FILE)
_KINDS = ("application/octet-stream", "application/pdf", "text/plain", "text/html")


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Errors of a route beside those of all routes, for the OpenAPI document."""
    return {status: {"model": Error, "description": _STATUSES[status]} for status in statuses}


def file_body(
    description: str = "The file as it is: text, PDF, DOCX, ODT, EPUB or HTML.",
    *,
    required: bool = True,
) -> dict[str, Any]:
    """A body that is a file, for the OpenAPI document."""
    content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _KINDS}
    return {"requestBody": {"description": description, "required": required, "content": content}}


class ApiRoute(APIRoute):
    """A route that accepts a JSON body only as JSON: a form of another site cannot declare that."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle

        async def check_and_handle(request: Request) -> Response:
            content_type = check_content_type(request.headers.get("content-type", ""))
            if content_type.partition(";")[0].strip().lower() != "application/json":
                raise ApiError(415, "the body is not JSON", hint="Content-Type: application/json")
            return await handle(JsonRequest(request.scope, request.receive))

        return check_and_handle


def api_router(tag: str, prefix: str = PREFIX) -> APIRouter:
    always = errors(401, 403, 404, 429, 500, 503, 504)
    return APIRouter(prefix=prefix, tags=[tag], responses=always, route_class=ApiRoute)


class AnyText(PathConvertor):
    """The rest of a path: ids may contain slashes, and even line ends."""

    regex = "(?s:.*)"


register_url_convertor("any", AnyText())
