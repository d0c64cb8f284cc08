"""Runs in a worker in the place of the parsers, and does what documents must not be able to."""

from __future__ import annotations

import os
import signal
import time

from likewise.documents.document import Document
from likewise.documents.unreadable import UnreadableError


def extract(kind: str, data: bytes, encoding: str | None) -> Document:
    """What is to happen stands in the document."""
    what, _, rest = data.decode().partition(" ")
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "hang":
        while True:
            pass
    elif what == "hog":
        return Document("x" * (1 << 40))
    elif what == "sleep":
        time.sleep(float(rest))
    elif what == "refuse":
        raise UnreadableError(rest)
    elif what == "fail":
        raise RuntimeError("a parser's own error")
    return Document(f"{os.getpid()} {kind} {rest}")
