"""`api_router`: a router for one group of routes, with the errors that every route can answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.convertors import PathConvertor, register_url_convertor

from likewise.server.errors import ApiError
from likewise.server.json_request import JsonRequest, check_content_type
from likewise.server.middleware.access import READ_METHODS, ROLE
from likewise.server.schemas.common import Error

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

PREFIX = "/api"
_STATUSES = {
    400: "The body is not JSON.",
    401: "The token is missing or wrong.",
    403: "The token is for reading only, or the request comes from a page of another site, or "
    "under another name.",
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
_FOR_READERS: set[Callable[..., Any]] = set()
_KINDS = ("application/octet-stream", "application/pdf", "text/plain", "text/html")


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Errors of a route beside those of all routes, for the OpenAPI document."""
    return {status: {"model": Error, "description": _STATUSES[status]} for status in statuses}


def file_body(
    description: str = "The file as it is: text, PDF, DOCX, ODT, EPUB, HTML, TEI, OSIS or USFM.",
    *,
    required: bool = True,
) -> dict[str, Any]:
    """A body that is a file, for the OpenAPI document."""
    content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _KINDS}
    return {"requestBody": {"description": description, "required": required, "content": content}}


def for_readers(endpoint: Endpoint) -> Endpoint:
    """Allow a route to readers that changes nothing, although its method is not GET."""
    _FOR_READERS.add(endpoint)
    return endpoint


class ApiRoute(APIRoute):
    """A route that checks a request before its body is read.

    Readers may use only GET, and routes that are marked with `for_readers`. A JSON body is accepted
    only as JSON: a form of another site cannot declare that.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        reads = self.endpoint in _FOR_READERS
        has_json = self.body_field is not None

        async def check_and_handle(request: Request) -> Response:
            is_reviewer = request.scope[ROLE] == "reviewer"
            if not (is_reviewer or reads or request.method in READ_METHODS):
                raise ApiError(
                    403,
                    "this token is for reading: it cannot store, change or remove anything",
                    hint="use the token for reviewers",
                )
            if not has_json:
                return await handle(request)
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
