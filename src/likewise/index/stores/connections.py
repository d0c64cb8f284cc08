"""`ConnectionPool`: connections to a database, as many as are used at once, kept for reuse.

For SQLite and PostgreSQL alike; CONTRIBUTING.md says why psycopg_pool is not used.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)

MAX_IDLE = 8
TRUSTED_SECONDS = 1.0  # a connection that was just used is not checked


class ConnectionPool(ABC, Generic[C]):
    """Connections, each used by one thread at a time."""

    def __init__(self) -> None:
        self._idle: list[tuple[C, float]] = []  # and since when
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._closed = False

    @abstractmethod
    def connect(self) -> C:
        """Opens a connection."""

    @abstractmethod
    def is_usable(self, connection: C) -> bool:
        """Whether a connection can be used again, as far as the client knows."""

    @abstractmethod
    def closed_error(self) -> Exception:
        """What is raised when a closed pool is used."""

    def ping(self, connection: C) -> None:
        """Raises if an idle connection was lost."""

    @contextmanager
    def acquire(self) -> Iterator[C]:
        connection = self._take()
        try:
            yield connection
        finally:
            self._release(connection)

    def _take(self) -> C:
        while True:
            with self._lock:
                if self._closed:
                    raise self.closed_error()
                if self._process != os.getpid():  # after a fork they are still the parent's
                    self._idle, self._process = [], os.getpid()
                last = self._idle.pop() if self._idle else None
            if last is None:
                return self.connect()
            connection, since = last
            try:
                if self.is_usable(connection):
                    if monotonic() - since > TRUSTED_SECONDS:
                        self.ping(connection)
                    return connection
            except Exception:  # lost while idle; the next one may be better
                pass
            connection.close()

    def _release(self, connection: C) -> None:
        if self.is_usable(connection):
            with self._lock:
                if len(self._idle) < MAX_IDLE and not self._closed:
                    self._idle.append((connection, monotonic()))
                    return
        connection.close()

    def close(self) -> None:
        """Closes the idle connections, and the others when they are released."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for connection, _ in idle:
            connection.close()
