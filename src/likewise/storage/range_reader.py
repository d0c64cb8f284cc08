"""`RangeReader`: a stored file as a stream, of which only the parts that are needed are fetched."""

from __future__ import annotations

import io
import os
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from likewise.storage.failures import has_changed

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from likewise.storage.stored_file import StoredFile

PART = 8 << 20
_FIRST = 64 << 10
_KEPT = 4  # Parquet reads the start of a column twice


class RangeReader(io.RawIOBase):
    """Reads a stored file by ranges.

    Where it is read from one end to the other, each request is for twice as much as the one before,
    up to `PART`, and from then on the next part is fetched while this one is used. With `exact`,
    the requests are those of the caller. A file of which several parts were fetched must be the
    same at the end, unless the store sees to that with each request.
    """

    def __init__(self, file: StoredFile, *, exact: bool) -> None:
        assert file.size is not None
        self._file, self._size, self._exact = file, file.size, exact
        self._position = 0
        self._window = _FIRST
        self._parts: OrderedDict[int, bytes] = OrderedDict()
        self._next: tuple[int, Future[bytes]] | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._fetched = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise OSError("negative position in a file")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self.read(len(view))
        view[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:
        return self.read(max(0, self._size - self._position))

    def read(self, size: int | None = -1, /) -> bytes:
        """Return `size` bytes, fewer only at the end of the file."""
        if size is None or size < 0:
            return self.readall()
        stop = min(self._size, self._position + size)
        pieces = []
        while self._position < stop:
            piece = self._piece(self._position, stop)
            pieces.append(piece)
            self._position += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _piece(self, start: int, stop: int) -> bytes:
        for first, part in self._parts.items():
            if first <= start < first + len(part):
                self._parts.move_to_end(first)
                return part[start - first : stop - first]
        part = self._fetch(start, stop)
        self._parts[start] = part
        while len(self._parts) > (_KEPT if self._exact else 2):
            self._parts.popitem(last=False)
        return part[: stop - start]

    def _fetch(self, start: int, stop: int) -> bytes:
        if self._exact:
            return self._request(start, min(stop, start + PART))
        if self._next is not None and self._next[0] == start:
            part = self._next[1].result()
        else:
            goes_on = any(start == first + len(part) for first, part in self._parts.items())
            self._window = min(PART, self._window * 2) if goes_on else _FIRST
            wanted = max(self._window, stop - start)
            part = self._request(start, min(self._size, start + min(wanted, PART)))
            if not (goes_on or len(part) == PART):
                return part
            self._window = max(self._window, len(part))
        self._look_ahead(start + len(part))
        return part

    def _look_ahead(self, start: int) -> None:
        self._next = None
        if self._window == PART and start < self._size:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, "read ahead")
            stop = min(self._size, start + PART)
            self._next = start, self._pool.submit(self._request, start, stop)

    def _request(self, start: int, stop: int) -> bytes:
        part = self._file.store.fetch(self._file, start, stop)
        if len(part) != stop - start:
            raise has_changed(self._file.address)
        self._fetched += 1
        return part

    def close(self) -> None:
        if not self.closed:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
            several = self._fetched > 1
            self._parts.clear()
            self._next = None
            super().close()
            if several and not self._file.store.is_conditional:
                self._file.store.check(self._file)
