"""`read_ahead`: what comes next is made in another thread while the last is worked on."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Queue
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")


def read_ahead(items: Iterator[T], count: int) -> Iterator[T]:
    """Yield the same items, in their order; up to `count` of them wait.

    What `items` raises is raised here. When this is closed, `items` is not advanced any more.
    """
    queue: Queue[tuple[T] | BaseException | None] = Queue(count)
    given_up = Event()

    def read() -> None:
        try:
            for item in items:
                queue.put((item,))
                if given_up.is_set():
                    return
            queue.put(None)
        except BaseException as error:
            queue.put(error)

    reader = Thread(target=read, name="likewise-ahead", daemon=True)
    reader.start()
    try:
        while (item := queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item[0]
    finally:
        given_up.set()
        while reader.is_alive():
            while not queue.empty():
                queue.get()
            reader.join(0.01)
