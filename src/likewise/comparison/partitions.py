"""Hashes on disk, split by their leading bits: two bags counted part by part in bounded memory."""

from __future__ import annotations

import tempfile
import weakref
from dataclasses import dataclass, fields
from typing import IO

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import Hashes
from likewise.errors import LikewiseError

_RECORD = np.dtype([("hash", "<u8"), ("count", "<u8")])
BITS = 5  # of the hash that one split uses: 32 files a bag, well below what a process may open
BYTES_A_RECORD = 96  # in memory while a part is sorted and counted, with all that NumPy makes of it


@dataclass(slots=True)
class Tally:
    """The overlap of two bags of hashes, as sets and as bags, and the sums that cosines need.

    Sums of squares and products of counts are over the hashes of a bag or of both.
    """

    distinct_a: int = 0
    distinct_b: int = 0
    distinct_shared: int = 0
    total_a: int = 0
    total_b: int = 0
    total_shared: int = 0
    squares_a: int = 0
    squares_b: int = 0
    shared_squares_a: int = 0
    shared_squares_b: int = 0
    products: int = 0

    def add(self, other: Tally) -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


class Partitions:
    """A bag of hashes on disk, in files without names that are gone when the process ends."""

    def __init__(self, level: int = 0) -> None:
        """`level`: how many splits by leading bits have been made already."""
        self._shift = np.uint64(64 - BITS * (level + 1))
        self._level = level
        self._files: list[IO[bytes]] = [
            tempfile.TemporaryFile(prefix="likewise-")  # noqa: SIM115
            for _ in range(1 << BITS)
        ]
        self.close = weakref.finalize(self, _close, self._files)
        self._records = [0] * len(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def records(self, part: int) -> int:
        """The number of records of a part; a hash may be in several."""
        return self._records[part]

    def add(self, hashes: Hashes) -> None:
        """Adds hashes, with repeats."""
        self._add_counted(*np.unique(hashes, return_counts=True))

    def _add_counted(self, hashes: Hashes, counts: NDArray[np.integer]) -> None:
        """Adds different hashes in ascending order, each `counts` times."""
        made = np.empty(len(hashes), _RECORD)
        made["hash"] = hashes
        made["count"] = counts
        parts = (hashes >> self._shift) & np.uint64(len(self) - 1)
        edges = np.searchsorted(parts, np.arange(len(self) + 1, dtype=np.uint64))
        for part, file in enumerate(self._files):
            own = made[edges[part] : edges[part + 1]]
            if len(own) == 0:
                continue
            try:
                file.write(own.tobytes())
            except OSError as error:
                raise LikewiseError(
                    f"the scratch files in {tempfile.gettempdir()} cannot be written: "
                    f"{error.strerror}",
                    hint="free some space there, set TMPDIR to another folder, or raise `memory`",
                ) from error
            self._records[part] += len(own)

    def load(self, part: int) -> tuple[Hashes, Hashes]:
        """The different hashes of a part, in ascending order, and their counts."""
        return _merged(self._read(part, self._records[part]))

    def split(self, part: int, at_once: int) -> Partitions:
        """A part, split once more; `at_once` records are in memory at a time."""
        made = Partitions(self._level + 1)
        for begin in range(0, self._records[part], at_once):
            made._add_counted(*_merged(self._read(part, at_once, begin)))
        return made

    def can_split(self) -> bool:
        return int(self._shift) >= BITS

    def _read(self, part: int, count: int, begin: int = 0) -> NDArray[np.void]:
        file = self._files[part]
        file.flush()
        file.seek(begin * _RECORD.itemsize)
        return np.frombuffer(file.read(count * _RECORD.itemsize), _RECORD)


def _close(files: list[IO[bytes]]) -> None:
    for file in files:
        file.close()


def tally(a: Partitions, b: Partitions, memory: int) -> Tally:
    """Counts what two bags share, with about `memory` bytes in use."""
    at_once = max(1024, memory // BYTES_A_RECORD)
    result = Tally()
    for part in range(len(a)):
        if a.records(part) + b.records(part) > at_once and a.can_split():
            # A part has at most one record of a hash per block added, so splitting ends.
            first, second = a.split(part, at_once), b.split(part, at_once)
            result.add(tally(first, second, memory))
            first.close()
            second.close()
        else:
            result.add(_tally_part(*a.load(part), *b.load(part)))
    return result


def _merged(records: NDArray[np.void]) -> tuple[Hashes, Hashes]:
    order = np.argsort(records["hash"])
    hashes, counts = records["hash"][order], records["count"][order]
    if len(hashes) == 0:
        return hashes, counts
    first = np.concatenate([[True], hashes[1:] != hashes[:-1]])
    return hashes[first], np.add.reduceat(counts, np.flatnonzero(first))


def _tally_part(hashes_a: Hashes, counts_a: Hashes, hashes_b: Hashes, counts_b: Hashes) -> Tally:
    _, in_a, in_b = np.intersect1d(hashes_a, hashes_b, assume_unique=True, return_indices=True)
    shared_a, shared_b = counts_a[in_a], counts_b[in_b]
    return Tally(
        distinct_a=len(hashes_a),
        distinct_b=len(hashes_b),
        distinct_shared=len(in_a),
        total_a=int(counts_a.sum()),
        total_b=int(counts_b.sum()),
        total_shared=int(np.minimum(shared_a, shared_b).sum()),
        squares_a=_dot(counts_a, counts_a),
        squares_b=_dot(counts_b, counts_b),
        shared_squares_a=_dot(shared_a, shared_a),
        shared_squares_b=_dot(shared_b, shared_b),
        products=_dot(shared_a, shared_b),
    )


def _dot(a: Hashes, b: Hashes) -> int:
    """The sum of products, exact beyond 64 bits: the few large counts one by one."""
    small = (a < 2**16) & (b < 2**16)
    large: list[tuple[int, int]] = list(zip(a[~small].tolist(), b[~small].tolist(), strict=True))
    return int((a[small] * b[small]).sum()) + sum(x * y for x, y in large)
