"""Errors as answers: one shape for all of them, without details of the machine."""

from __future__ import annotations

import json
import sqlite3
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match

from likewise.documents.encoding import OR_OPTION
from likewise.errors import DocumentError, LikewiseError, SourceError, UsageError
from likewise.server.json_response import JsonResponse
from likewise.server.log import log

RETRY_SECONDS = 1
_NO_TEXT = "no text could be extracted: "
_MAX_PROBLEMS = 3  # reported per request


class ApiError(HTTPException):
    """An error with its status, a message and a hint."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        hint: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, message, headers)
        self.message = message
        self.hint = hint

    def to_dict(self) -> dict[str, Any]:
        return {"error": {"message": self.message, "hint": self.hint}}

    def response(self) -> Response:
        # In ASCII: a message may quote half a character.
        body = json.dumps(self.to_dict(), separators=(",", ":")).encode()
        return JsonResponse(body, self.status_code, self.headers)


def unavailable(message: str, hint: str | None = None) -> ApiError:
    """Nothing was done; a later try may succeed."""
    return ApiError(503, message, hint=hint, headers={"Retry-After": str(RETRY_SECONDS)})


def overloaded() -> ApiError:
    return unavailable("too many requests at once", "try again in a moment")


def not_found() -> ApiError:
    return ApiError(404, "address not found", hint="/openapi.json lists all addresses")


def no_collection(name: str) -> ApiError:
    return ApiError(404, f"there is no collection {name!r}", hint="/api/collections lists them")


def no_document(id_: str) -> ApiError:
    return ApiError(404, f"no document {id_!r}")


def to_api_error(error: LikewiseError, name: str) -> ApiError:
    """An error of the package as an answer.

    Args:
        name: what messages call the index, a path or an address; it is in no answer.
    """
    if isinstance(error, DocumentError):
        reason = error.reason.removesuffix(OR_OPTION)
        # "unsupported file type: save .doc as .docx" says it all.
        return ApiError(422, reason if ": " in reason else _NO_TEXT + reason)
    if isinstance(error, UsageError):
        hint = error.hint and error.hint.replace("(`scan=True`)", '("scan": true)')
        return ApiError(422, str(error).replace(name, "the index"), hint=hint)
    return _store_error(error)


def reason_of(error: ApiError) -> str:
    """Why a document was not read."""
    return error.message.removeprefix(_NO_TEXT)


def internal_error(error: Exception) -> ApiError:
    """A bug in the server; logged without the data that it occurred with."""
    log(f"unexpected error: {type(error).__name__}")
    with suppress(OSError, ValueError):
        # Only the frames: the message may contain a text.
        traceback.print_tb(error.__traceback__)
    return ApiError(500, "internal server error")


def _store_error(error: LikewiseError) -> ApiError:
    """An error of the store by its kind, since its own message may name hosts and paths."""
    if _disk_is_full(error.__cause__):
        message = "no space left for the index; earlier data is intact"
        return ApiError(507, message, hint="free some disk space, and try again")
    if isinstance(error, SourceError):
        return unavailable("the index no longer exists")
    reason = str(error.__cause__ or error)
    if "locked" in reason or "busy" in reason:
        return unavailable("another process has been writing to the index for a long time")
    if "readonly" in reason:
        return unavailable("the index cannot be written to", "ask its owner for write permission")
    return unavailable("the index cannot be reached", "try again later")


def _disk_is_full(cause: BaseException | None) -> bool:
    if isinstance(cause, sqlite3.Error):
        return str(cause).startswith(("database or disk is full", "disk I/O error"))
    return type(cause).__name__ == "DiskFull"  # psycopg's


def is_lost_connection(error: LikewiseError) -> bool:
    """Whether a database has closed the connection, so that a new one may work."""
    kinds = {kind.__name__ for kind in type(error.__cause__).__mro__}
    return "OperationalError" in kinds and not isinstance(error.__cause__, sqlite3.Error)


def add_error_handlers(app: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """Every error in one shape; `routes` are all routes of the application."""

    async def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if isinstance(error, ApiError):
            return error.response()
        if error.status_code == 404:
            return not_found().response()
        message, headers = str(error.detail), dict(error.headers or {})
        if error.status_code == 405:
            # The framework names the methods of one route; an address may have several.
            headers["Allow"] = ", ".join(sorted(_methods(request, routes)))
            message = f"{request.method} is not allowed for this address"
        return ApiError(error.status_code, message, headers=headers).response()

    app.add_exception_handler(HTTPException, answer)
    app.add_exception_handler(RequestValidationError, _answer_invalid)


def _methods(request: Request, routes: Sequence[BaseRoute]) -> set[str]:
    found = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in found for method in getattr(route, "methods", None) or ()}


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems: Sequence[Mapping[str, Any]] = error.errors()
    # That null would be allowed as well helps nobody.
    problems = [one for one in problems if one["type"] != "none_required"] or problems
    message = "; ".join(map(_describe, problems[:_MAX_PROBLEMS]))
    if len(problems) > _MAX_PROBLEMS:
        message += f"; and {len(problems) - _MAX_PROBLEMS} more"
    return ApiError(422, message).response()


def _describe(problem: Mapping[str, Any]) -> str:
    """The field and the problem; never the value itself, which may be a text."""
    # Without validators, which are listed as well where several types are allowed.
    parts = [str(part) for part in problem["loc"] if part not in ("body", "query", "path")]
    field = ".".join(part for part in parts if not part.startswith("function-"))
    message = str(problem["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    return f"{field}: {message}" if field else message
