"""The log on stderr: one line per event, without texts or tokens."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress

_REPEAT_SECONDS = 1.0


def log(message: str) -> None:
    from likewise.output.table import printable

    with suppress(OSError, ValueError):  # stderr is closed
        sys.stderr.write(f"likewise: {printable(message)}\n")
        sys.stderr.flush()


class ThrottledLog:
    """Logs the same message at most once per second."""

    _message = ""
    _time = 0.0

    def write(self, message: str) -> None:
        now = time.monotonic()
        if message != self._message or now - self._time >= _REPEAT_SECONDS:
            self._message, self._time = message, now
            log(message)


class UvicornLog(logging.Handler):
    """Errors of uvicorn in the same format."""

    def emit(self, record: logging.LogRecord) -> None:
        log(record.getMessage().strip())
        if record.exc_info and record.exc_info[0] is not None:
            with suppress(OSError, ValueError):
                sys.stderr.write(logging.Formatter().formatException(record.exc_info) + "\n")


def configure_uvicorn_log() -> None:
    """Let uvicorn log errors only."""
    logger = logging.getLogger("uvicorn.error")
    logger.handlers = [UvicornLog()]
    logger.propagate = False
    logger.setLevel(logging.ERROR)
