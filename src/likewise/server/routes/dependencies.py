"""What routes get from a request: the service of its collection, ids and files."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from email.message import Message
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote_to_bytes

from fastapi import Depends, Path, Request

from likewise.documents.document import Document
from likewise.server.errors import ApiError
from likewise.server.json_request import check_content_type
from likewise.server.middleware.collection_routing import SERVICE
from likewise.server.schemas.common import check_id
from likewise.server.service import Service
from likewise.server.services import Services

T = TypeVar("T")


# Coroutines though they wait for nothing: other dependencies are run on threads.
async def _service(request: Request) -> Service:
    service: Service = request.scope[SERVICE]
    return service


async def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


async def _document_id(
    request: Request,
    id: Annotated[
        str,
        Path(
            description="The id, percent-encoded where necessary; slashes need no escaping.",
            examples=["2018/essay.pdf"],
        ),
    ],
) -> str:
    """From the bytes of the path, since the framework also accepts what is not UTF-8."""
    prefix = request.scope["route"].path.partition("{")[0]
    try:
        path = unquote_to_bytes(request.scope["raw_path"]).decode()
        return check_id(path.removeprefix(prefix))
    except UnicodeDecodeError:
        raise ApiError(422, "the id is not UTF-8") from None
    except ValueError as error:
        raise ApiError(422, f"id: {error}") from None


CurrentService = Annotated[Service, Depends(_service)]
AllServices = Annotated[Services, Depends(_services)]
DocumentId = Annotated[str, Depends(_document_id)]


def media_type(request: Request) -> tuple[str, str | None]:
    """The type of the body, and its encoding, as they are declared."""
    header = Message()
    declared = request.headers.get("content-type", "application/octet-stream")
    header["content-type"] = check_content_type(declared)
    if header.get_content_type() == "multipart/form-data":
        hint = "send the file as it is: curl --data-binary @FILE ADDRESS"
        raise ApiError(415, "the body is a form, not a file", hint=hint)
    return header.get_content_type(), header.get_content_charset()


async def read_file(
    request: Request, service: Service, name: str = ""
) -> tuple[Document, list[str]]:
    """The text of a body that is a file, and notes on how it was read."""
    body = await request.body()
    if not body:
        raise ApiError(422, "this file is empty")
    return await service.pools.read(body, name, *media_type(request))


def check_number(items: Sequence[object], what: str, service: Service) -> None:
    """Raises if a request has too many items."""
    limit = service.settings.max_documents
    if len(items) > limit:
        raise ApiError(
            413, f"{len(items):,} {what} in one request; at most {limit:,}", hint="send fewer"
        )


async def cancel_on_disconnect(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of work that is cancelled when the client disconnects.

    The app sends a new request whenever the user changes a text, and drops the earlier one.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ApiError(503, "the client has disconnected")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
