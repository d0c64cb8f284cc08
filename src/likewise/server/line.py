"""`Line`: jobs that wait for a thread, which takes as many at a time as go together."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from likewise.server.errors import overloaded

J = TypeVar("J")
T = TypeVar("T")


class Line(Generic[J]):
    """Has an end: what would stand behind it is refused.

    Args:
        most: how many jobs may wait.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[J] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, job: J) -> None:
        """One more at the end; raises `ApiError` if there is no room."""
        with self._changed:
            if len(self._waiting) >= self._most or self._closed:
                raise overloaded()
            self._waiting.append(job)
            self._changed.notify()

    def take(self, choose: Callable[[deque[J]], T]) -> T | None:
        """What `choose` takes from the front, as soon as there is something; None at the end."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            return choose(self._waiting) if self._waiting else None

    def close(self) -> None:
        """What waits is still taken; nothing more is."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
