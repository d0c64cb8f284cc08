"""`Budget`: the memory that a run may use, and how much of it is left."""

from __future__ import annotations

import ctypes
import resource
import sys
from contextlib import suppress

from likewise.documents.tables.table import READER_BYTES
from likewise.errors import LikewiseError, UsageError
from likewise.whole_numbers import check_whole

DEFAULT_MEMORY = 4 * 10**9

# Python, its libraries and small batches; and what must be there for a run to begin.
BASE_MEMORY = 250 * 10**6
MIN_MEMORY = 350 * 10**6

# At most, of the steps between scanning and writing.
BYTES_PER_DOCUMENT = 96

MIN_ROOM = 16 << 20  # of a single step: less would be slow and save nothing


class Budget:
    """Bytes that the process may have resident, all in all."""

    def __init__(self, memory: int) -> None:
        check_whole("memory", memory)
        if memory < MIN_MEMORY:
            raise UsageError(
                f"{format_size(memory)} of memory is too little",
                hint=f"the minimum is {format_size(MIN_MEMORY)}, and more for many documents",
            )
        self.memory = memory

    def room(self, share: float) -> int:
        """How many bytes a step may take now: a share of what is left."""
        return max(MIN_ROOM, int((self.memory - resident()) * share))

    def batch_bytes(self) -> int:
        """How much text to read at a time."""
        return min(16 << 20, self.memory // 64)

    def readers(self, threads: int) -> int:
        """How many threads may read at once: one in any case, more where there is room."""
        return min(threads, 1 + (self.memory - MIN_MEMORY) // (4 * READER_BYTES))

    def check(self, documents: int, more: int = 0) -> None:
        """Raises if the budget is too small for this number of documents, and more bytes."""
        needed = BASE_MEMORY + BYTES_PER_DOCUMENT * documents + more
        if needed > self.memory:
            raise LikewiseError(
                f"{format_size(self.memory)} of memory is too little for {documents:,} documents",
                hint=f"run it again with `memory={format_size(needed, up=True)}`: it resumes from "
                "here",
            )


def format_size(size: int, *, up: bool = False) -> str:
    """400MB, 6GB: as --memory takes it; `up` rounds up."""
    unit, name = (10**9, "GB") if size >= 10**10 else (10**6, "MB")
    return f"{-(-size // unit) if up else size // unit}{name}"


def resident() -> int:
    """Bytes of this process in memory now; where that is unknown, the peak so far."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return peak()


def peak() -> int:
    """The most bytes that this process has had in memory."""
    # What the system counts for a process on Linux begins with what its parent had.
    with suppress(OSError), open("/proc/self/status", "rb") as file:
        for line in file:
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) * 1024
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else size * 1024


def release() -> None:
    """Returns memory that was freed, but kept for later, to the system."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
