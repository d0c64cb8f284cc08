"""Items that come next are made in other threads while the last ones are worked on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from queue import Queue
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class ReadAhead(Generic[T]):
    """The same items in the same order; up to `count` of them wait, made by a thread."""

    def __init__(self, items: Iterator[T], count: int) -> None:
        self._queue: Queue[tuple[T] | BaseException | None] = Queue(count)
        self._closed = Event()
        self._thread = Thread(
            target=self._read, args=(items,), name="likewise-ahead", daemon=True
        )  # fmt: skip
        self._thread.start()

    def _read(self, items: Iterator[T]) -> None:
        try:
            for item in items:
                self._queue.put((item,))
                if self._closed.is_set():
                    return
            self._queue.put(None)
        except BaseException as error:
            self._queue.put(error)

    def __iter__(self) -> Iterator[T]:
        """Yield the items, and raise what they raise."""
        try:
            while (item := self._queue.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item[0]
        finally:
            self.close()

    def close(self) -> None:
        """Wait until no more items are made."""
        self._closed.set()
        while self._thread.is_alive():
            while not self._queue.empty():
                self._queue.get()
            self._thread.join(0.01)


def in_order(sources: Iterable[Iterator[T]], threads: int, count: int) -> Iterator[T]:
    """Yield the items of one source after another, of which up to `threads` are read at once.

    Up to `count` items of each wait.
    """
    if threads == 1:
        for source in sources:
            yield from source
        return
    under_way: deque[ReadAhead[T]] = deque()
    try:
        for source in sources:
            under_way.append(ReadAhead(source, count))
            if len(under_way) == threads:
                yield from under_way.popleft()
        while under_way:
            yield from under_way.popleft()
    finally:
        for one in under_way:
            one.close()
