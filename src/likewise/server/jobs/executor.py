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


class BoundedExecutor:
    """Runs functions on threads of its own.

    Args:
        name: of the threads.
        threads: how many.
        max_jobs: how many may be running or queued.
    """

    def __init__(self, name: str, threads: int, max_jobs: int) -> None:
        self._pool = ThreadPoolExecutor(threads, f"likewise-{name}")
        self._slots = threading.Semaphore(max_jobs)

    async def run(self, work: Work[T], seconds: float) -> T:
        """The result of `work`, which can ask whether its request has ended."""
        if not self._slots.acquire(blocking=False):
            raise overloaded()
        job: Job[Work[T], T] = Job(work)
        submit(self._pool, self._run, job)
        return await job.result(seconds)

    def stop(self, seconds: float) -> bool:
        """Let running jobs end; whether they have, in that time."""
        return shut_down(self._pool, seconds)

    def _run(self, job: Job[Work[Any], Any]) -> None:
        work = job.payload
        try:
            result = None if work is None else work(job.is_cancelled)
        except BaseException as error:
            self._slots.release()
            job.set_exception(error)
        else:
            self._slots.release()
            job.set_result(result)


def submit(pool: ThreadPoolExecutor, function: Callable[..., object], *arguments: object) -> None:
    """Start a function on a pool; raises `ApiError` if the pool is shut down."""
    try:
        pool.submit(function, *arguments)
    except RuntimeError:
        raise overloaded() from None


def shut_down(pool: ThreadPoolExecutor, seconds: float) -> bool:
    """Finish what is queued and end the threads; whether they have ended, in that time."""
    # `shutdown` has no timeout of its own.
    waiting = threading.Thread(target=pool.shutdown, name="likewise-shutdown", daemon=True)
    waiting.start()
    waiting.join(seconds)
    return not waiting.is_alive()
