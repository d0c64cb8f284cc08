"""`Batcher`: jobs that wait for a thread at the same time are run together."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from likewise.server.errors import ApiError, overloaded
from likewise.server.jobs.executor import StoppablePool
from likewise.server.jobs.job import Job

P = TypeVar("P")
T = TypeVar("T")


class Batcher(StoppablePool, ABC, Generic[P, T]):
    """A bounded queue before a thread pool; each thread takes as many jobs as fit together.

    Args:
        max_waiting: how many jobs may be queued; the next is refused.
    """

    def __init__(self, name: str, *, threads: int, max_waiting: int) -> None:
        super().__init__(name, threads)
        self._max_waiting = max_waiting
        self._waiting: list[Job[P, T]] = []
        self._lock = threading.Lock()

    @abstractmethod
    def batch_size(self, payloads: Sequence[P]) -> int:
        """How many of the first of these fit into one batch; at least one."""

    @abstractmethod
    def run_batch(self, payloads: Sequence[P]) -> list[T]:
        """The result of each."""

    async def run(self, payload: P, seconds: float) -> T:
        """The result of one job; raises `ApiError` if the queue is full or it takes too long."""
        job: Job[P, T] = Job(payload)
        with self._lock:
            if len(self._waiting) >= self._max_waiting:
                raise overloaded()
            # One call per job: those whose job went into an earlier batch find nothing to do.
            self.submit(self._run_next)
            self._waiting.append(job)
        return await job.wait(seconds)

    def _run_next(self) -> None:
        with self._lock:
            # Without those whose requests have ended.
            waiting = [(job, job.payload) for job in self._waiting]
            live = [(job, payload) for job, payload in waiting if payload is not None]
            count = self.batch_size([payload for _, payload in live]) if live else 0
            self._waiting = [job for job, _ in live[count:]]
        batch = [(job, one) for job, one in live[:count] if job.set_running_or_notify_cancel()]
        if batch:
            self._run(batch)

    def _run(self, batch: Sequence[tuple[Job[P, T], P]]) -> None:
        try:
            results = self.run_batch([payload for _, payload in batch])
        except BaseException as error:
            store_failed = isinstance(error, ApiError) and error.status_code != 422
            if len(batch) > 1 and not store_failed:  # one of the requests may be the cause
                for one in batch:
                    self._run([one])
            else:
                for job, _ in batch:
                    job.set_exception(error)
            return
        for (job, _), result in zip(batch, results, strict=True):
            job.set_result(result)
