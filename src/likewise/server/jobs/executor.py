"""`BoundedExecutor`: a thread pool that refuses jobs when too many are unfinished.

A job whose request has ended is not started. One that was started continues, and counts as
unfinished until it ends, so there are never more threads, nor more jobs, than allowed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from likewise.server.errors import overloaded
from likewise.server.jobs.job import IsCancelled, Job

T = TypeVar("T")
Work = Callable[[IsCancelled], T]


class StoppablePool:
    """A thread pool whose shutdown has a time limit."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, f"likewise-{name}")

    def submit(self, function: Callable[..., object], *arguments: object) -> None:
        """Raises `ApiError` after `stop`."""
        try:
            self._pool.submit(function, *arguments)
        except RuntimeError:
            raise overloaded() from None

    def stop(self, seconds: float) -> bool:
        """Finish what is queued and end the threads; whether they have ended in that time."""
        # `shutdown` has no timeout of its own.
        waiting = threading.Thread(target=self._pool.shutdown, daemon=True)
        waiting.start()
        waiting.join(seconds)
        return not waiting.is_alive()


class BoundedExecutor(StoppablePool):
    """Runs functions on threads of its own; `max_jobs` may be running or queued."""

    def __init__(self, name: str, threads: int, max_jobs: int) -> None:
        super().__init__(name, threads)
        self._slots = threading.Semaphore(max_jobs)

    async def run(self, work: Work[T], seconds: float) -> T:
        """The result of `work`, which is passed a function that says if its request has ended."""
        if not self._slots.acquire(blocking=False):
            raise overloaded()
        job: Job[Work[T], T] = Job(work)
        self.submit(self._run, job)
        return await job.wait(seconds)

    def _run(self, job: Job[Work[Any], Any]) -> None:
        work, result, failure = job.payload, None, None
        is_live = job.set_running_or_notify_cancel()
        try:
            if work is not None and is_live:
                result = work(job.is_cancelled)
        except BaseException as error:
            failure = error
        self._slots.release()
        if failure is not None:
            job.set_exception(failure)
        elif is_live:
            job.set_result(result)
