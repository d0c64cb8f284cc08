"""What routes share: the service, raw bodies, ids in addresses, and the errors that they tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from email.message import Message
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote_to_bytes

from fastapi import Depends, Path, Request, Response
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor

from likewise.server.errors import ApiError
from likewise.server.middleware.collection_routing import SERVICE
from likewise.server.schemas.common import Error, check_id
from likewise.server.service import Service
from likewise.server.services import Services

T = TypeVar("T")

PREFIX = "/api"
DOCUMENTS = f"{PREFIX}/documents/"

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
ALWAYS = (401, 403, 404, 429, 500, 503, 504)
BODY = (408, 413)


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Errors that a route may answer with, for its description."""
    listed = sorted({*ALWAYS, *statuses})
    return {status: {"model": Error, "description": _STATUSES[status]} for status in listed}


def binary_body(what: str, *, required: bool = True) -> dict[str, Any]:
    """The description of a body that is a document of any kind."""
    kinds = ("application/octet-stream", "application/pdf", "text/plain", "text/html")
    content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}
    return {"requestBody": {"description": what, "required": required, "content": content}}


class AnyText(Convertor[str]):
    """The rest of an address, whatever is in it: ids hold slashes, and even line ends."""

    regex = "(?s:.*)"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("any", AnyText())


def service_of(request: Request) -> Service:
    """That of the collection which the request is about."""
    service: Service = request.scope[SERVICE]
    return service


def services_of(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


# A coroutine though it waits for nothing: other dependencies are run on threads.
async def get_id(
    request: Request,
    id: Annotated[
        str,
        Path(
            description="The id, with `%` escapes where an address needs them; slashes may stand "
            "as they are.",
            examples=["2018/essay.pdf"],
        ),
    ],
) -> str:
    return id_after(DOCUMENTS, request)


def id_after(prefix: str, request: Request) -> str:
    """The id in an address; from the bytes, since the framework takes what is not UTF-8 too."""
    try:
        path = unquote_to_bytes(request.scope["raw_path"]).decode()
        return check_id(path[len(prefix) :])
    except UnicodeDecodeError:
        raise ApiError(422, "the id is not UTF-8") from None
    except ValueError as error:
        raise ApiError(422, f"id: {error}") from None


DocumentId = Annotated[str, Depends(get_id)]


class JsonRoute(APIRoute):
    """A route for JSON alone: what a form of any page can send is refused before it is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def checked(request: Request) -> Response:
            content_type = request.headers.get("content-type", "")
            if content_type.partition(";")[0].strip().lower() != "application/json":
                raise ApiError(415, "the body is not JSON", hint="Content-Type: application/json")
            return await handle(request)

        return checked


async def cancel_on_disconnect(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of work that is given up when whoever asked for it has gone.

    Pages ask anew while a text is written; the answers of before are wanted by nobody.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ApiError(503, "nobody waits for the answer any more")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def media_type(request: Request) -> tuple[str, str | None]:
    """The type of the body, and its encoding, as they are declared."""
    said = Message()
    said["content-type"] = request.headers.get("content-type", "application/octet-stream")
    return said.get_content_type(), said.get_content_charset()


async def document_body(request: Request) -> bytes:
    """A body that is a document."""
    body = await request.body()
    if not body:
        raise ApiError(422, "this file is empty")
    return body


def check_number(things: Sequence[object], what: str, most: int) -> None:
    """Raises if a request holds too many."""
    if len(things) > most:
        raise ApiError(
            413, f"{len(things):,} {what} in one request; at most {most:,}", hint="send fewer"
        )
