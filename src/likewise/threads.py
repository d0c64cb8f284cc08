"""How many threads the core may use."""

from __future__ import annotations

import os

from likewise.errors import UsageError

MAX_THREADS = 1024


def thread_count(threads: int | None) -> int:
    """The number asked for, or one for each processor that this process may run on."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return max(1, len(os.sched_getaffinity(0)))
        return max(1, os.cpu_count() or 1)
    if not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"threads is {threads}; it must be from 1 to {MAX_THREADS}")
    return threads
