"""`Spill`: more records than fit in memory, set aside and given back in parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import U64
from likewise.dedup.files.workspace import disk_errors

_FILES_BITS = 5
_FILES = 1 << _FILES_BITS
_WORK = 4  # what a part takes of memory while it is worked on, against its size

Records = NDArray[Any]


class Spill:
    """Records with a key each: all those with equal keys come back together, by ascending keys.

    Args:
        path: how the names of the files begin; None to keep the records in memory.
        keys: the keys of records, spread evenly over 64 bits.
        room: how many bytes there is room for in memory.
        again: read what an earlier one wrote, and leave it there.
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
        self._again = again
        if path is not None:
            self._paths = [path.with_name(f"{path.name}-{at:02}") for at in range(_FILES)]
            for own in () if again else self._paths:
                own.write_bytes(b"")

    def append(self, records: Records) -> None:
        if not len(records):
            return
        if not self._paths:
            self._records.append(records)
            return
        file = (self._keys(records) >> np.uint64(64 - _FILES_BITS)).astype(np.uint8)
        order = np.argsort(file, kind="stable")
        cuts = np.searchsorted(file[order], np.arange(_FILES + 1))
        records = records[order]
        for at in np.flatnonzero(np.diff(cuts)).tolist():
            # Opened anew each time, which costs little: nothing is left open if a run ends here.
            with disk_errors(self._paths[at].parent), open(self._paths[at], "ab") as out:
                out.write(records[cuts[at] : cuts[at + 1]].tobytes())

    def parts(self) -> Iterator[Records]:
        """Records of neighbouring keys, in the order in which they were appended; only once."""
        if not self._paths:
            records, self._records = self._records, []
            if records:
                yield np.concatenate(records)
            return
        for path in self._paths:
            size = path.stat().st_size
            pieces = 1 + _WORK * size // max(1, self._room())
            for piece in range(pieces if size else 0):
                part = self._piece(path, piece, pieces)
                if len(part):
                    yield part
                del part
            if not self._again:
                path.unlink()

    def __len__(self) -> int:
        """How many records there are."""
        if not self._paths:
            return sum(map(len, self._records))
        size = sum(path.stat().st_size for path in self._paths)
        return size // int(self._dtype.itemsize)

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
        """Sees to it that the files are on the disk."""
        for path in self._paths:
            with disk_errors(path.parent), open(path, "rb") as file:
                os.fsync(file.fileno())

    def remove(self) -> None:
        """Deletes the files."""
        for path in self._paths:
            path.unlink(missing_ok=True)
