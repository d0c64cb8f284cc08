"""`Job`: a future that the event loop waits for and a thread completes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from likewise.server.errors import ApiError

P = TypeVar("P")
T = TypeVar("T")
IsCancelled = Callable[[], bool]
"""Whether the request that the work is for has ended."""


class Job(Future[T], Generic[P, T]):
    """A future with its input.

    Attributes:
        payload: None once the request has ended, so that its texts can be freed while the job is
            still in a queue.
    """

    def __init__(self, payload: P) -> None:
        super().__init__()
        self.payload: P | None = payload

    async def wait(self, seconds: float) -> T:
        """The result; raises `ApiError` 504 after `seconds`."""
        try:
            async with asyncio.timeout(seconds) as timeout:
                return await asyncio.wrap_future(self)
        except TimeoutError:
            if timeout.expired():
                hint = "documents may still be stored; send less at once, or try again later"
                raise ApiError(504, f"not finished within {seconds:g} s", hint=hint) from None
            raise
        finally:
            self.payload = None

    def is_cancelled(self) -> bool:
        return self.payload is None
