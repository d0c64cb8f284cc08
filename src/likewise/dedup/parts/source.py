"""Where texts come from while their parts are compared: any number of times, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from likewise.dedup.files.scan import prefetched

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.arrays import U32
    from likewise.dedup.files.job import Job
    from likewise.run import Progress

_BATCH_BYTES = 16 << 20


class PartSource(Protocol):
    """The documents of a run, numbered from 0."""

    def batches(self, stage: str) -> Iterator[tuple[int, Any]]:
        """The number of the first document, and a column of texts without nulls, one by one."""

    def gather(self, documents: U32) -> Iterator[tuple[U32, Any]]:
        """Some documents, which ascend, and their texts."""

    def ranks(self, documents: int) -> U32 | None:
        """The place of each document in the order of keeping; None if that is its number."""


class TextsInMemory:
    """A column of texts."""

    def __init__(
        self, texts: Any, order: Callable[[U32], NDArray[np.int64]] | None, progress: Progress
    ) -> None:
        self._texts = texts
        self._order = order
        self._progress = progress

    def batches(self, stage: str) -> Iterator[tuple[int, Any]]:
        count = len(self._texts)
        rows = max(1, min(count, count * _BATCH_BYTES // max(1, self._texts.nbytes)))
        for start in range(0, count, rows):
            self._progress(stage, start, count)
            yield start, self._texts.slice(start, rows)

    def gather(self, documents: U32) -> Iterator[tuple[U32, Any]]:
        import pyarrow as pa

        for start in range(0, len(documents), 1 << 12):
            some = documents[start : start + (1 << 12)]
            yield some, self._texts.take(pa.array(some))

    def ranks(self, documents: int) -> U32 | None:
        if self._order is None:
            return None
        return ranks_of(self._order(np.arange(documents, dtype=np.uint32)))


class TextsInFiles:
    """The documents of a job whose files have been counted."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def batches(self, stage: str) -> Iterator[tuple[int, Any]]:
        job = self._job
        done = 0
        for batch in prefetched(job.source.batches()):
            job.progress(stage, done, len(job.row_map))
            yield done, present(batch.texts)
            done += len(batch)

    def gather(self, documents: U32) -> Iterator[tuple[U32, Any]]:
        job = self._job
        for file, rows in job.row_map.by_file(documents):
            start = int(job.row_map.starts[file])
            for batch in prefetched(job.source.gather(file, rows)):
                numbers = np.asarray(batch.rows, np.int64) + start
                yield numbers.astype(np.uint32), present(batch.texts)

    def ranks(self, documents: int) -> U32 | None:
        job = self._job
        if job.settings.keep.by == "first" and not job.source.has_ids:
            return None
        return ranks_of(job.order(np.arange(documents, dtype=np.uint32)))


def present(texts: Any) -> Any:
    """A column with "" for nulls."""
    return texts.fill_null("") if texts.null_count else texts


def ranks_of(order: NDArray[np.int64]) -> U32:
    ranks = np.empty(len(order), np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    return ranks
