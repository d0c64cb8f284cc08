"""The other end of `pool.Pool`: a process that extracts text, one document at a time.

It is started as a plain Python program and not by `multiprocessing`, which would run the user's
own script again in every worker.
"""

from __future__ import annotations

import contextlib
import json
import math
import signal
from importlib import import_module
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from likewise.documents.extraction.cache_entry import Outcome, encode_outcome
from likewise.documents.limits import size_in_words
from likewise.documents.unreadable import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from likewise.documents.document import Document

    Extract = Callable[[str, bytes, str | None], Document]

READY = b"ready"
GRACE_SECONDS = 2


def serve(fd: int, extract: str, seconds: float, memory: int) -> None:
    """Answer requests until the other end is closed.

    Args:
        fd: of the socket to the pool.
        extract: "module:function", which gives the text of a kind, bytes and an encoding.
        seconds: the time that a document may take. The pool sees to that; if there is no pool any
            more, the process still ends soon after.
        memory: the most that the process may take, in bytes, where the system allows such a limit.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the pool, which ends us
    module, _, name = extract.partition(":")
    function: Extract = getattr(import_module(module), name)
    _limit(memory)
    connection = Connection(fd)
    connection.send_bytes(READY)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            kind, encoding = json.loads(connection.recv_bytes())
            data = connection.recv_bytes()
            # The system's own action for this signal ends us even inside a parser that hangs.
            signal.alarm(math.ceil(seconds) + GRACE_SECONDS)
            connection.send_bytes(encode_outcome(_try(function, kind, data, encoding, memory)))
            signal.alarm(0)


def _try(function: Extract, kind: str, data: bytes, encoding: str | None, memory: int) -> Outcome:
    try:
        return function(kind, data, encoding)
    except UnreadableError as error:
        return error
    except MemoryError:
        reason = f"needs more than {size_in_words(memory)} of memory to read"
        return UnreadableError(reason, lasting=False)
    except Exception as error:  # a parser's; one document must not end the others
        return UnreadableError(f"cannot be read: {error}", lasting=False)


def _limit(memory: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        # A crash must not leave a copy of somebody's text on the disk.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
