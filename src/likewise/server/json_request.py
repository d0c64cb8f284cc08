"""`JsonRequest`: a request whose body is JSON, parsed without holding up other requests.

Python's parser keeps its lock until it is done: 5 ns per character of a text, but 100 ns and 100
bytes of memory per empty list. So values are counted before they are parsed, and one body is parsed
at a time: between two of them, the event loop gets its turn.
"""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

from fastapi import Request

from likewise.server.errors import ApiError

MAX_VALUES = 200_000
"""Values, names and empty containers: 200 for each of 1,000 documents."""
MAX_CONTENT_TYPE_CHARACTERS = 500  # Python's parser of parameters takes quadratic time
_MAX_SHORT_BYTES = 50_000  # parsed on the event loop
_parsing = threading.Lock()


class JsonRequest(Request):
    """A request with a JSON body, as the framework reads it."""

    async def json(self) -> Any:
        body = await self.body()
        if len(body) <= _MAX_SHORT_BYTES:
            return parse_json(body)
        return await asyncio.to_thread(_parse_in_turn, body)


def parse_json(body: bytes) -> Any:
    """The value; raises `ApiError`."""
    if _has_too_many_values(body):
        message = f"the request has more than {MAX_VALUES:,} JSON values"
        raise ApiError(413, message, hint="send fewer documents at once")
    try:
        return json.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ApiError(400, "not JSON: not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ApiError(400, f"not JSON: {error.msg}") from None
    except RecursionError:
        raise ApiError(400, "not JSON: nested too deeply") from None
    except ValueError:
        raise ApiError(400, "not JSON: a number has too many digits") from None


def _parse_in_turn(body: bytes) -> Any:
    with _parsing:
        return parse_json(body)


def _has_too_many_values(body: bytes) -> bool:
    """Whether JSON has too many values; a wrong count only after the place where it is not JSON."""
    if len(body) <= MAX_VALUES:
        return False
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    strings = unescaped.count(b'"') // 2
    if strings > MAX_VALUES:
        return True
    outside = b"".join(unescaped.split(b'"')[::2])
    return strings + sum(map(outside.count, (b"[", b"{", b","))) > MAX_VALUES


def check_content_type(content_type: str) -> str:
    """The header; raises `ApiError` if it is too long."""
    if len(content_type) > MAX_CONTENT_TYPE_CHARACTERS:
        message = f"Content-Type has more than {MAX_CONTENT_TYPE_CHARACTERS} characters"
        raise ApiError(415, message)
    return content_type
