"""Connections to a store: as many as are used at once, kept for the next who needs one."""

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

MOST_IDLE = 8
TRUSTED_SECONDS = 1.0  # one that was used just now is not asked whether it still works


class Connections(Generic[C]):
    """Lends connections of one store, each to one thread at a time.

    Args:
        connect: makes one.
        usable: says whether one still serves, as far as can be seen from here.
        alive: asks the other side, where there is one; raises if it has gone.
    """

    def __init__(
        self,
        connect: Callable[[], C],
        usable: Callable[[C], bool],
        alive: Callable[[C], None] | None = None,
    ) -> None:
        self._connect = connect
        self._usable = usable
        self._alive = alive
        self._idle: list[tuple[C, float]] = []  # and since when
        self._lock = threading.Lock()
        self._process = os.getpid()

    @contextmanager
    def one(self) -> Iterator[C]:
        """A connection, for as long as the block lasts."""
        held = self._take()
        try:
            yield held
        finally:
            self._give_back(held)

    def _take(self) -> C:
        while True:
            with self._lock:
                if self._process != os.getpid():  # after a fork they are still the parent's
                    self._idle, self._process = [], os.getpid()
                last = self._idle.pop() if self._idle else None
            if last is None:
                return self._connect()
            held, since = last
            try:
                if not self._usable(held):
                    held.close()
                    continue
                if self._alive is not None and monotonic() - since > TRUSTED_SECONDS:
                    self._alive(held)
                return held
            except Exception:  # it went while nobody looked; the next one may be better
                held.close()

    def _give_back(self, held: C) -> None:
        if self._usable(held):
            with self._lock:
                if len(self._idle) < MOST_IDLE:
                    self._idle.append((held, monotonic()))
                    return
        held.close()

    def close(self) -> None:
        """Closes those that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for held, _ in idle:
            held.close()
