"""`ConnectionPool`: connections to a store, as many as are used at once, kept for reuse.

For SQLite and PostgreSQL alike; CONTRIBUTING.md says why psycopg_pool is not used.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)

MAX_IDLE = 8
TRUSTED_SECONDS = 1.0  # one that was used just now is not asked whether it still works


class ConnectionPool(Generic[C]):
    """Connections of one store, each used by one thread at a time.

    Args:
        connect: opens one.
        is_usable: whether one can be used again, as far as the client knows.
        check: asks the server, if there is one; raises if the connection is lost.
    """

    def __init__(
        self,
        connect: Callable[[], C],
        is_usable: Callable[[C], bool],
        check: Callable[[C], None] | None = None,
    ) -> None:
        self._connect = connect
        self._is_usable = is_usable
        self._check = check
        self._idle: list[tuple[C, float]] = []  # and since when
        self._lock = threading.Lock()
        self._process = os.getpid()

    @contextmanager
    def acquire(self) -> Iterator[C]:
        """A connection, for as long as the block lasts."""
        connection = self._open()
        try:
            yield connection
        finally:
            self._release(connection)

    def _open(self) -> C:
        while True:
            with self._lock:
                if self._process != os.getpid():  # after a fork they are still the parent's
                    self._idle, self._process = [], os.getpid()
                last = self._idle.pop() if self._idle else None
            if last is None:
                return self._connect()
            connection, since = last
            try:
                if not self._is_usable(connection):
                    connection.close()
                    continue
                if self._check is not None and monotonic() - since > TRUSTED_SECONDS:
                    self._check(connection)
                return connection
            except Exception:  # it went while nobody looked; the next one may be better
                connection.close()

    def _release(self, connection: C) -> None:
        if self._is_usable(connection):
            with self._lock:
                if len(self._idle) < MAX_IDLE:
                    self._idle.append((connection, monotonic()))
                    return
        connection.close()

    def close(self) -> None:
        """Closes those that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()
