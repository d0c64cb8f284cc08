"""How many threads the core may use; and threads that an interruption does not wait for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from likewise.whole_numbers import check_whole

MAX_THREADS = 1024


def thread_count(threads: int | None = None) -> int:
    """The number asked for, or one for each processor that this process may run on."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return max(1, len(os.sched_getaffinity(0)))
        return max(1, os.cpu_count() or 1)
    check_whole("threads", threads, 1, MAX_THREADS)
    return threads


@contextmanager
def thread_pool(threads: int, name: str) -> Iterator[ThreadPoolExecutor]:
    """Threads for other work, which is finished at the end of the block.

    After an exception in the block, such as Ctrl-C, nobody waits for work under way, and work that
    has not begun is dropped.
    """
    pool = ThreadPoolExecutor(threads, f"likewise-{name}")
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
