"""`Promise`: what a request asked a thread for, and the place in the event loop that waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

from likewise.server.errors import took_too_long

P = TypeVar("P")
T = TypeVar("T")


class Promise(Generic[P, T]):
    """Made and waited for in the event loop, kept by a thread.

    Attributes:
        asked: what was asked for; None when nobody waits any more, so that nothing is held.
    """

    def __init__(self, asked: P) -> None:
        self.asked: P | None = asked
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[T] = self._loop.create_future()

    async def wait(self, seconds: float) -> T:
        """The result; an error that says so if it is not there in time."""
        try:
            async with asyncio.timeout(seconds) as clock:
                return await self._future
        except TimeoutError:
            if clock.expired():
                raise took_too_long(seconds) from None
            raise
        finally:
            self.asked = None

    def keep(self, result: T, then: Callable[[], object] | None = None) -> None:
        """The result is there; called by the thread. `then` is called in the event loop."""
        self._tell(partial(self._settle, lambda: self._future.set_result(result), then))

    def fail(self, error: BaseException, then: Callable[[], object] | None = None) -> None:
        """It will not be there; called by the thread."""
        self._tell(partial(self._settle, lambda: self._future.set_exception(error), then))

    def _tell(self, settle: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(settle)

    def _settle(self, settle: Callable[[], object], then: Callable[[], object] | None) -> None:
        if then is not None:
            then()
        if not self._future.done():
            settle()
