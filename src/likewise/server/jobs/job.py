"""`Job`: a future of the event loop's requests, with what it takes to compute its result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Generic, TypeVar

from likewise.server.errors import timed_out

P = TypeVar("P")
T = TypeVar("T")
IsCancelled = Callable[[], bool]
"""Whether the request that the work is for has ended."""


class Job(Generic[P, T]):
    """Awaited in the event loop, completed by a thread.

    Attributes:
        payload: the input; None once the request has ended, so that its texts can be freed while
            the job is still in a queue.
    """

    def __init__(self, payload: P) -> None:
        self.payload: P | None = payload
        self._future: Future[T] = Future()

    async def result(self, seconds: float) -> T:
        """Wait for the result; raises `ApiError` 504 after `seconds`."""
        try:
            async with asyncio.timeout(seconds) as timeout:
                return await asyncio.wrap_future(self._future)
        except TimeoutError:
            if timeout.expired():
                raise timed_out(seconds) from None
            raise
        finally:
            self.payload = None

    def is_cancelled(self) -> bool:
        return self.payload is None

    def set_result(self, result: T) -> None:
        with suppress(InvalidStateError):  # cancelled meanwhile
            self._future.set_result(result)

    def set_exception(self, error: BaseException) -> None:
        with suppress(InvalidStateError):
            self._future.set_exception(error)
