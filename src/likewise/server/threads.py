"""`Threads`: a few threads, and a line before them that has an end.

Work that nobody waits for any more is not begun; what has begun goes on, and keeps its place in the
count until it ends. So there are never more threads, nor more work, than was allowed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from likewise.server.errors import overloaded
from likewise.server.promise import Promise

T = TypeVar("T")
Wanted = Callable[[], bool]
"""Whether somebody still waits for the work."""
Work = Callable[[Wanted], T]


class Threads:
    """Runs work on threads of its own.

    Args:
        name: of the threads.
        count: how many.
        most: how much may be under way or in line.
    """

    def __init__(self, name: str, count: int, most: int) -> None:
        self._most = most
        self._unfinished = 0  # changed in the event loop only
        self._line: SimpleQueue[Promise[Work[Any], Any] | None] = SimpleQueue()
        # A stop must not wait for work without end: these end with the process.
        self._threads = [
            threading.Thread(target=self._serve, name=f"likewise-{name}", daemon=True)
            for _ in range(count)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    async def run(self, work: Work[T], seconds: float) -> T:
        """The result of `work`, which can ask whether it is still wanted."""
        if self._unfinished >= self._most:
            raise overloaded()
        promise: Promise[Work[T], T] = Promise(work)
        self._unfinished += 1
        self._line.put(promise)
        return await promise.wait(seconds)

    def stop(self, seconds: float) -> bool:
        """Lets work under way end; whether it has, in that time."""
        for _ in self._threads:
            self._line.put(None)
        return all_ended(self._threads, seconds)

    def _serve(self) -> None:
        while (promise := self._line.get()) is not None:
            self._do(promise)
            del promise  # a text is not held while there is nothing to do

    def _do(self, promise: Promise[Work[Any], Any]) -> None:
        work = promise.asked
        try:
            result = work(lambda: promise.asked is not None) if work is not None else None
        except BaseException as error:
            promise.fail(error, then=self._finished)
        else:
            promise.keep(result, then=self._finished)

    def _finished(self) -> None:
        self._unfinished -= 1


def all_ended(threads: list[threading.Thread], seconds: float) -> bool:
    """Waits for threads to end; whether they have."""
    deadline = time.monotonic() + seconds
    for thread in threads:
        if thread.ident is not None:
            thread.join(max(0.0, deadline - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)
