"""What the server says, on stderr: a line each. Never a text, never a token."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

_LONGEST = 200
_EVERY = 1.0  # seconds between two lines on the same trouble


def say(message: str) -> None:
    """One line."""
    from likewise.report.table import printable

    with suppress(OSError, ValueError):  # nobody reads it any more
        sys.stderr.write(f"likewise: {printable(message)}\n")
        sys.stderr.flush()


def say_request(scope: Mapping[str, Any], status: int, seconds: float) -> None:
    """One line about a request: without its query string, in which anything may stand."""
    path = scope.get("raw_path", b"").decode("ascii", "replace")
    if len(path) > _LONGEST:
        path = path[:_LONGEST] + "…"
    say(f"{scope['method']} {path} {status} {1000 * seconds:.1f} ms")


class Trouble:
    """Says what is wrong with the store, and not once for every request that meets it."""

    def __init__(self) -> None:
        self._last = ("", 0.0)

    def say(self, message: str) -> None:
        now = time.monotonic()
        what, when = self._last
        if message != what or now - when >= _EVERY:
            self._last = (message, now)
            say(message)


class UvicornLog(logging.Handler):
    """Lines of the HTTP server in our manner."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage().strip())
        if record.exc_info and record.exc_info[0] is not None:
            with suppress(OSError, ValueError):
                sys.stderr.write(logging.Formatter().formatException(record.exc_info) + "\n")


def use_our_log() -> None:
    """Has the HTTP server say what is wrong, and nothing else."""
    logger = logging.getLogger("uvicorn.error")
    logger.handlers = [UvicornLog()]
    logger.propagate = False
    logger.setLevel(logging.ERROR)
