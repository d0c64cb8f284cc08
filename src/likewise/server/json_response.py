"""`JsonResponse`: JSON in UTF-8, also where metadata contains what JSON cannot represent."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from starlette.responses import Response

_dumps = partial(json.dumps, separators=(",", ":"))


class JsonResponse(Response):
    """An answer as JSON; bytes are sent as they are."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return content if isinstance(content, bytes) else as_json(content)


def as_json(content: Any) -> bytes:
    """JSON in UTF-8."""
    try:
        return _dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        # Metadata stored from Python may contain NaN or lone surrogates.
        return _dumps(_without_nan(content)).encode()


def _without_nan(content: Any) -> Any:
    """Numbers that JSON cannot represent become null."""
    if isinstance(content, dict):
        return {name: _without_nan(value) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [_without_nan(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def join_answers(
    answers: Sequence[bytes], search: dict[str, Any], facts: dict[str, Any] | None
) -> bytes:
    """Answers that are JSON already, the search that they answer, and facts about the file."""
    rest = as_json({"search": search, **(facts or {})})
    return b'{"answers":[' + b",".join(answers) + b"]," + rest[1:]
