"""A connection for each thread, made when the thread first needs one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class PerThread(Generic[C]):
    """Connections of one store; `connect` makes one, `usable` says whether it still serves."""

    def __init__(self, connect: Callable[[], C], usable: Callable[[C], bool] | None = None) -> None:
        self._connect = connect
        self._usable = usable or (lambda connection: True)
        self._own = threading.local()
        self._all: list[C] = []
        self._lock = threading.Lock()

    def get(self) -> C:
        """That of the thread that asks."""
        held: C | None = getattr(self._own, "connection", None)
        if held is not None and self._usable(held):
            return held
        made = self._connect()
        self._own.connection = made
        with self._lock:
            self._all.append(made)
        return made

    def close(self) -> None:
        """Closes those of all threads."""
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()
            self._own = threading.local()
