"""`fetch_ahead`: many small files fetched side by side, and given in order."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO

from likewise.storage.range_reader import PART
from likewise.storage.stored_file import StoredFile

CONNECTIONS = 16
_MAX_FILES = 64
_MAX_BYTES = 64 << 20


@dataclass(frozen=True)
class _Fetched(StoredFile):
    """A file whose content is on its way."""

    content: Future[bytes]

    def open(self, *, exact: bool = False) -> IO[bytes]:
        return io.BytesIO(self.content.result())


def fetch_ahead(files: Iterable[StoredFile | None]) -> Generator[StoredFile | None, None, None]:
    """Yield the files, those of up to `PART` bytes with their content fetched or on its way.

    None stands for a file that is not in a store.
    """
    pool = ThreadPoolExecutor(CONNECTIONS, "fetch")
    waiting: deque[tuple[StoredFile | None, int]] = deque()
    pending = 0
    try:
        for file in files:
            size = 0
            if file is not None and file.size is not None and 0 < file.size <= PART:
                size = file.size
                content = pool.submit(file.store.fetch, file, 0, size)
                file = _Fetched(
                    file.store, file.path, file.address, file.size, file.version, content
                )
            waiting.append((file, size))
            pending += size
            while len(waiting) > _MAX_FILES or pending > _MAX_BYTES:
                file, size = waiting.popleft()
                pending -= size
                yield file
        while waiting:
            yield waiting.popleft()[0]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
