"""`Spill`: more records than fit in memory, set aside and given back in parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import U64
from likewise.dedup.files.workspace import disk_error

_FILES_BITS = 5
_FILES = 1 << _FILES_BITS
_BUFFER = 1 << 17
_WORK = 4  # what a part takes of memory while it is worked on, against its size

Records = NDArray[Any]


class Spill:
    """Records with a key each: all those with equal keys come back together, by ascending keys.

    Args:
        path: how the names of the files begin; None to keep the records in memory.
        keys: the keys of records, spread evenly over 64 bits.
        room: how many bytes there is room for in memory.
        again: read what an earlier one wrote.
    """

    def __init__(
        self,
        path: Path | None,
        dtype: Any,
        keys: Callable[[Records], U64],
        room: Callable[[], int] = lambda: 1 << 62,
        *,
        again: bool = False,
    ) -> None:
        self._dtype = np.dtype(dtype)
        self._keys = keys
        self._room = room
        self._records: list[Records] = []
        self._paths: list[Path] = []
        self._files: list[IO[bytes]] = []
        self.count = 0
        if path is not None:
            self._paths = [path.with_name(f"{path.name}-{at:02}") for at in range(_FILES)]
            mode = "ab" if again else "wb"
            self._files = [open(own, mode, buffering=_BUFFER) for own in self._paths]  # noqa: SIM115

    def append(self, records: Records) -> None:
        if not len(records):
            return
        self.count += len(records)
        if not self._files:
            self._records.append(records)
            return
        file = (self._keys(records) >> np.uint64(64 - _FILES_BITS)).astype(np.uint8)
        order = np.argsort(file, kind="stable")
        cuts = np.searchsorted(file[order], np.arange(_FILES + 1))
        records = records[order]
        for at in np.flatnonzero(np.diff(cuts)).tolist():
            try:
                self._files[at].write(records[cuts[at] : cuts[at + 1]].tobytes())
            except OSError as error:
                raise disk_error(error, self._paths[at].parent) from error

    def parts(self) -> Iterator[Records]:
        """Records of neighbouring keys, in the order in which they were appended; only once."""
        if not self._files:
            records, self._records = self._records, []
            if records:
                yield np.concatenate(records)
            return
        for file in self._files:
            file.close()
        for path in self._paths:
            size = path.stat().st_size
            pieces = 1 + _WORK * size // max(1, self._room())
            for piece in range(pieces if size else 0):
                part = self._piece(path, piece, pieces)
                if len(part):
                    yield part
                del part
            path.unlink()

    def _piece(self, path: Path, piece: int, pieces: int) -> Records:
        """The records in a file whose keys are in one of equal parts of what keys there may be."""
        if pieces == 1:
            return np.fromfile(path, self._dtype)
        width = np.uint64(-(-(2**32) // pieces))
        chosen = [np.zeros(0, self._dtype)]
        with open(path, "rb") as file:
            while len(some := np.fromfile(file, self._dtype, count=1 << 18)):
                own = self._keys(some) << np.uint64(_FILES_BITS) >> np.uint64(32)
                chosen.append(some[own // width == np.uint64(piece)])
        return np.concatenate(chosen)

    def flush(self) -> None:
        """Leaves the files to another one."""
        for file in self._files:
            file.flush()
            os.fsync(file.fileno())
            file.close()
