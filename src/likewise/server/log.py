"""The log, on stderr: one line per event. Never a text, never a token."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

_MAX_PATH = 200
_REPEAT_SECONDS = 1.0  # between two lines with the same message


def log(message: str) -> None:
    """One line."""
    from likewise.output.table import printable

    with suppress(OSError, ValueError):  # nobody reads it any more
        sys.stderr.write(f"likewise: {printable(message)}\n")
        sys.stderr.flush()


def log_request(scope: Mapping[str, Any], status: int, seconds: float) -> None:
    """One line about a request: without its query string, in which anything may stand."""
    path = scope.get("raw_path", b"").decode("ascii", "replace")
    if len(path) > _MAX_PATH:
        path = path[:_MAX_PATH] + "…"
    log(f"{scope['method']} {path} {status} {1000 * seconds:.1f} ms")


class ThrottledLog:
    """Logs an error of the store at most once a second."""

    def __init__(self) -> None:
        self._last = ("", 0.0)

    def write(self, message: str) -> None:
        now = time.monotonic()
        what, when = self._last
        if message != what or now - when >= _REPEAT_SECONDS:
            self._last = (message, now)
            log(message)


class UvicornLog(logging.Handler):
    """The lines of the HTTP server in the same format."""

    def emit(self, record: logging.LogRecord) -> None:
        log(record.getMessage().strip())
        if record.exc_info and record.exc_info[0] is not None:
            with suppress(OSError, ValueError):
                sys.stderr.write(logging.Formatter().formatException(record.exc_info) + "\n")


def configure_uvicorn_log() -> None:
    """Let the HTTP server log errors only."""
    logger = logging.getLogger("uvicorn.error")
    logger.handlers = [UvicornLog()]
    logger.propagate = False
    logger.setLevel(logging.ERROR)
