"""Candidates: documents that share a band key, by a shuffle on (key, band).

A bucket of up to `max_bucket` documents is compared all with all. In a larger one each document is
paired with the first `HUBS` and with the `HUBS` before it, in the order of digests, as
`core/candidates.cpp` does it. A bucket is gone through as it comes in, sorted: what is held in
memory does not grow with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from likewise.spark.arrow import Batches, map_arrow
from likewise.spark.digests import WIDTH

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    I64 = NDArray[np.int64]

HUBS = 8  # as in core/candidates.hpp
# Documents paired with one hub that are verified in one go; its text is sent to each such part.
PART = 1000
AT_ONCE = 1 << 18  # pairs in one batch

_SCHEMA = "a binary, b binary, part int, set_aside long"


def candidates(unique: DataFrame, *, max_bucket: int) -> DataFrame:
    """Pairs (a, b) of digests, a < b, each once; `part` says which are verified together.

    One row without a and b, if there is any bucket of more than `max_bucket` documents, has the
    number of those and of the pairs set aside in them: large and set_aside, null elsewhere.
    """
    by_key = (
        unique.select("digest", fn.posexplode("keys").alias("band", "key"))
        .repartition("key", "band")
        # By key first: it alone tells nearly all buckets apart, and as a number sorts fastest.
        .sortWithinPartitions("key", "band", "digest")
    )
    pairs = map_arrow(by_key, _Buckets(max_bucket), _SCHEMA)
    aside = fn.col("set_aside")
    return pairs.groupBy("a", "b").agg(
        fn.min("part").alias("part"),
        fn.sum(aside - aside + 1).alias("large"),
        fn.sum(aside).alias("set_aside"),
    )


@dataclass(frozen=True)
class _Buckets:
    max_bucket: int

    def __call__(self, batches: Batches) -> Batches:
        held: _Rows | None = None  # the last bucket so far, while it is not a large one
        large: _Large | None = None  # the last bucket, once it is
        for batch in batches:
            rows = _Rows.of(batch)
            if large is not None:
                more = rows.agreeing(large.key)
                yield from large.take(rows.digests.slice(0, more))
                rows = rows.slice(more)
                if len(rows) == 0:
                    continue
                yield large.told()
                large = None
            if held is not None:
                rows = held.joined(rows)
            if len(rows) == 0:
                continue
            starts = rows.starts()
            yield from self._compared(rows.digests, starts[:-1], np.diff(starts))
            held = rows.slice(int(starts[-1]))
            if len(held) > self.max_bucket:
                large = _Large(held.key(0))
                yield from large.take(held.digests)
                held = None
        if large is not None:
            yield large.told()
        if held is not None:
            yield from self._compared(held.digests, np.zeros(1, np.int64), np.array([len(held)]))

    def _compared(self, digests: pa.Array[Any], starts: I64, sizes: I64) -> Batches:
        """Pairs of the buckets that begin at `starts`."""
        for size in np.unique(sizes[sizes > 1]).tolist():
            begins = starts[sizes == size]
            if size > self.max_bucket:
                for begin in begins.tolist():
                    large = _Large((0, 0))
                    yield from large.take(digests.slice(begin, size))
                    yield large.told()
                continue
            first, second = np.triu_indices(size, 1)
            step = max(1, AT_ONCE // len(first))
            for at in range(0, len(begins), step):
                part = begins[at : at + step, None]
                a, b = (part + first).reshape(-1), (part + second).reshape(-1)
                yield _batch(digests, a, b, np.zeros(len(a), np.int32))


@dataclass(frozen=True)
class _Rows:
    """Rows of (key, band, digest), sorted."""

    keys: I64
    bands: I64
    digests: pa.Array[Any]

    @classmethod
    def of(cls, batch: pa.RecordBatch) -> _Rows:
        digests = batch.column("digest").cast(pa.binary(WIDTH))
        return cls(
            np.asarray(batch.column("key")),
            np.asarray(batch.column("band")).astype(np.int64),
            digests,
        )

    def __len__(self) -> int:
        return len(self.keys)

    def key(self, row: int) -> tuple[int, int]:
        return int(self.keys[row]), int(self.bands[row])

    def slice(self, begin: int) -> _Rows:
        return _Rows(self.keys[begin:], self.bands[begin:], self.digests.slice(begin))

    def joined(self, other: _Rows) -> _Rows:
        return _Rows(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.bands, other.bands]),
            pa.concat_arrays([self.digests, other.digests]),
        )

    def starts(self) -> I64:
        """Where each bucket begins."""
        new = (self.keys[1:] != self.keys[:-1]) | (self.bands[1:] != self.bands[:-1])
        return np.concatenate([[0], np.flatnonzero(new) + 1])

    def agreeing(self, key: tuple[int, int]) -> int:
        """How many of the first rows have the key."""
        different = (self.keys != key[0]) | (self.bands != key[1])
        return int(np.argmax(different)) if different.any() else len(self)


class _Large:
    """A large bucket, taken in parts: hubs and neighbours."""

    def __init__(self, key: tuple[int, int]) -> None:
        self.key = key
        self._count = 0
        self._seen = 0
        # The hubs, and behind them the last documents that are none.
        self._held: pa.Array[Any] = pa.array([], pa.binary(WIDTH))

    def take(self, digests: pa.Array[Any]) -> Batches:
        """Pairs of more documents with those before them."""
        step = AT_ONCE // (2 * HUBS)
        for begin in range(0, len(digests), step):
            yield self._take(digests.slice(begin, step))

    def _take(self, digests: pa.Array[Any]) -> pa.RecordBatch:
        held = len(self._held)
        known = pa.concat_arrays([self._held, digests])
        # Numbers in the bucket of what is known: hubs, a gap, and then without one.
        numbers = np.concatenate(
            [
                np.arange(min(held, HUBS)),
                np.arange(self._count - max(0, held - HUBS), self._count + len(digests)),
            ]
        )
        late = np.arange(held, len(known))
        hub, by_hub = _pairs(late, np.minimum(late, HUBS), np.arange(HUBS), from_start=True)
        behind = np.minimum(HUBS, np.maximum(0, numbers[late] - HUBS))
        near, by_near = _pairs(late, behind, np.arange(1, HUBS + 1), from_start=False)
        a, b = np.concatenate([hub, near]), np.concatenate([by_hub, by_near])
        parts = np.concatenate([numbers[by_hub] // PART, np.zeros(len(near), np.int64)])
        self._count += len(digests)
        self._seen += len(a)
        last = known.slice(max(HUBS, len(known) - HUBS))
        self._held = pa.concat_arrays([known.slice(0, HUBS), last])
        return _batch(known, a, b, parts.astype(np.int32))

    def told(self) -> pa.RecordBatch:
        """The row that says how many pairs were set aside."""
        aside = self._count * (self._count - 1) // 2 - self._seen
        return _record(
            pa.nulls(1, pa.binary()), pa.nulls(1, pa.binary()), np.zeros(1, np.int32),
            pa.array([aside], pa.int64()),
        )  # fmt: skip


def _pairs(late: I64, counts: I64, steps: I64, *, from_start: bool) -> tuple[I64, I64]:
    """Each late place with `counts` others: the places `steps`, or so many before it."""
    wanted = np.arange(HUBS) < counts[:, None]
    others = np.broadcast_to(steps, wanted.shape) if from_start else late[:, None] - steps
    return others[wanted], np.broadcast_to(late[:, None], wanted.shape)[wanted]


def _batch(digests: pa.Array[Any], a: I64, b: I64, parts: NDArray[np.int32]) -> pa.RecordBatch:
    return _record(
        digests.take(a).cast(pa.binary()),
        digests.take(b).cast(pa.binary()),
        parts,
        pa.nulls(len(a), pa.int64()),
    )


def _record(a: Any, b: Any, parts: NDArray[np.int32], set_aside: Any) -> pa.RecordBatch:
    return pa.record_batch({"a": a, "b": b, "part": pa.array(parts), "set_aside": set_aside})


def iterate(batches: Batches, max_bucket: int) -> Iterator[pa.RecordBatch]:
    """The pairs of sorted rows (key, band, digest), with repeats."""
    return _Buckets(max_bucket)(batches)
