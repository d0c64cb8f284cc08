"""How many threads the core may use."""

from __future__ import annotations

import os

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
