"""Candidates: documents that share a band key, by a shuffle on (key, band).

Buckets are compared as the core does it, in the order of digests: those of up to `max_bucket`
documents all with all, larger ones each with the first `HUBS` and with the `HUBS` before it. Rows
come in sorted, and a large bucket is taken in parts: what is in memory does not grow with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from likewise.arrays import U64, Ints
from likewise.sketches.candidates import find_candidates
from likewise.sketches.fixed_binary import from_fixed_binary, to_fixed_binary
from likewise.spark.arrow import Batches, map_arrow
from likewise.spark.digests import WIDTH

HUBS = 8  # as in core/candidates.hpp
# Documents paired with one hub that are verified together; its text is sent to each such part.
PART = 1000
PAIRS_AT_ONCE = 1 << 18

_SCHEMA = "a binary, b binary, part int, large long, set_aside long"


def candidates(unique: DataFrame, *, max_bucket: int) -> DataFrame:
    """Pairs (a, b) of digests, a < b, each once; `part` says which are verified together.

    One row without a and b, if there is any bucket of more than `max_bucket` documents, has the
    number of those and of the pairs set aside in them: large and set_aside, null elsewhere.
    """
    by_key = (
        unique.select("digest", fn.posexplode("keys").alias("band", "key"))
        .repartition("key", "band")
        # By key first: it alone separates nearly all buckets, and as a number sorts fastest.
        .sortWithinPartitions("key", "band", "digest")
    )
    pairs = map_arrow(by_key, ComparedBuckets(max_bucket), _SCHEMA)
    return pairs.groupBy("a", "b").agg(
        fn.min("part").alias("part"),
        fn.sum("large").alias("large"),
        fn.sum("set_aside").alias("set_aside"),
    )


@dataclass(frozen=True)
class ComparedBuckets:
    """Sorted rows (key, band, digest) to pairs, with repeats."""

    max_bucket: int

    def __call__(self, batches: Batches) -> Batches:
        # The bucket that may go on in the next batch: as rows, or once it is large, in parts.
        buckets, digests = np.zeros((0, 2), np.int64), np.zeros((0, 2), np.uint64)
        large: _LargeBucket | None = None
        for batch in batches:
            own = np.stack([np.asarray(batch.column(n), np.int64) for n in ("key", "band")], axis=1)
            names = from_fixed_binary(batch.column("digest").cast(pa.binary(WIDTH)), np.uint64)
            if large is not None:
                more = int(np.count_nonzero((own == large.bucket).all(axis=1)))
                yield from large.take(names[:more])
                if more == len(own):
                    continue
                yield large.summary()
                own, names, large = own[more:], names[more:], None
            buckets, digests = np.concatenate([buckets, own]), np.concatenate([digests, names])
            if len(buckets) == 0:
                continue
            starts = _starts(buckets)
            last = int(starts[-1])
            yield from self._compare(digests[:last], starts[:-1])
            buckets, digests = buckets[last:], digests[last:]
            if len(buckets) > self.max_bucket:
                large = _LargeBucket(buckets[0])
                yield from large.take(digests)
                buckets, digests = buckets[:0], digests[:0]
        if large is not None:
            yield large.summary()
        if len(buckets):
            yield from self._compare(digests, np.zeros(1, np.int64))

    def _compare(self, digests: U64, starts: Ints) -> Batches:
        """Pairs of whole buckets, which begin at `starts`."""
        sizes = np.diff(np.append(starts, len(digests)))
        number = np.repeat(np.arange(len(starts), dtype=np.uint64), sizes)
        found = find_candidates(number, max_bucket=self.max_bucket)
        place = np.arange(len(digests)) - np.repeat(starts, sizes)
        by_hub = (place[found.a] < HUBS) & (sizes[number[found.a]] > self.max_bucket)
        parts = np.where(by_hub, place[found.b] // PART, 0)
        for begin in range(0, len(found.a), PAIRS_AT_ONCE):
            some = slice(begin, begin + PAIRS_AT_ONCE)
            yield _pairs(digests, found.a[some], found.b[some], parts[some])
        if found.large_buckets:
            yield _summary(found.large_buckets, found.set_aside)


class _LargeBucket:
    """A large bucket, taken in parts: hubs and neighbours."""

    def __init__(self, bucket: Ints) -> None:
        self.bucket = bucket
        self._count = 0
        self._compared = 0
        # The hubs, and after them the last documents that are none.
        self._known = np.zeros((0, 2), np.uint64)

    def take(self, digests: U64) -> Batches:
        """Pairs of more documents with those before them."""
        step = PAIRS_AT_ONCE // (2 * HUBS)
        for begin in range(0, len(digests), step):
            yield self._take(digests[begin : begin + step])

    def _take(self, digests: U64) -> pa.RecordBatch:
        before = len(self._known)
        known = np.concatenate([self._known, digests])
        found = find_candidates(np.zeros(len(known), np.uint64), max_bucket=2)
        new = found.b >= before
        a, b = found.a[new], found.b[new].astype(np.int64)
        parts = np.where(a < HUBS, (b - before + self._count) // PART, 0)
        self._count += len(digests)
        self._compared += len(a)
        self._known = np.concatenate([known[:HUBS], known[max(HUBS, len(known) - HUBS) :]])
        return _pairs(known, a, b, parts)

    def summary(self) -> pa.RecordBatch:
        """The row that says how many pairs were set aside."""
        return _summary(1, self._count * (self._count - 1) // 2 - self._compared)


def _starts(buckets: Ints) -> Ints:
    """Where each bucket begins."""
    return np.concatenate([[0], np.flatnonzero((buckets[1:] != buckets[:-1]).any(axis=1)) + 1])


def _pairs(digests: U64, a: Any, b: Any, parts: Ints) -> pa.RecordBatch:
    columns: dict[str, Any] = {
        "a": to_fixed_binary(digests[a]).cast(pa.binary()),
        "b": to_fixed_binary(digests[b]).cast(pa.binary()),
        "part": pa.array(parts.astype(np.int32)),
        "large": pa.nulls(len(parts), pa.int64()),
        "set_aside": pa.nulls(len(parts), pa.int64()),
    }
    return pa.record_batch(columns)


def _summary(large: int, set_aside: int) -> pa.RecordBatch:
    columns: dict[str, Any] = {
        "a": pa.nulls(1, pa.binary()),
        "b": pa.nulls(1, pa.binary()),
        "part": pa.array([0], pa.int32()),
        "large": pa.array([large], pa.int64()),
        "set_aside": pa.array([set_aside], pa.int64()),
    }
    return pa.record_batch(columns)
