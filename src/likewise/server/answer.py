"""Answers, as bytes on their way out."""

from __future__ import annotations

import json
import math
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from likewise.index.matches import EstimatedMatch, Match
from likewise.server.errors import ApiError, error_body

if TYPE_CHECKING:
    from starlette.types import Send

    from likewise.statistics.estimate import Estimate

JSON = "application/json"
_dumps = partial(json.dumps, separators=(",", ":"))


def as_json(content: Any) -> bytes:
    """JSON in UTF-8."""
    try:
        return _dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        # Metadata that was stored from Python may hold what neither JSON nor UTF-8 has.
        return _dumps(_plain(content)).encode()


def _plain(content: Any) -> Any:
    """Numbers that JSON has no word for as null."""
    if isinstance(content, dict):
        return {name: _plain(value) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [_plain(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def json_answer(body: bytes) -> Response:
    return Response(body, media_type=JSON)


def as_match(match: Match | EstimatedMatch) -> dict[str, Any]:
    """A similar document, as `schemas.query.Match` describes it."""
    return {
        "id": match.id,
        "verified": isinstance(match, Match),
        "jaccard": _value(match.jaccard),
        "containment": _value(match.containment),
        "containment_of_document": _value(match.containment_of_document),
        "shared": match.shared if isinstance(match, Match) else None,
        "size": match.size,
        "size_of_document": match.size_of_document,
        "intervals": None if isinstance(match, Match) else _intervals(match),
        "metadata": match.metadata,
    }


def _value(number: float | Estimate) -> float:
    return number if isinstance(number, float) else number.value


def _intervals(match: EstimatedMatch) -> dict[str, Any]:
    numbers = {
        "jaccard": match.jaccard,
        "containment": match.containment,
        "containment_of_document": match.containment_of_document,
    }
    bounds = {name: {"low": one.low, "high": one.high} for name, one in numbers.items()}
    return {"level": match.jaccard.level, **bounds}


async def send_error(send: Send, error: ApiError) -> None:
    """Sends an error from where there is no framework to do it."""
    body = error_body(error.message, error.hint)
    headers = {"Content-Type": JSON, "Content-Length": str(len(body)), **(error.headers or {})}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": error.status_code, "headers": raw})
    await send({"type": "http.response.body", "body": body})
