"""Candidates by fingerprints: documents that share one which not too many documents have.

Rows come in by fingerprint, and one that very many documents have passes by as a stream: what is in
memory does not grow with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from likewise._core import Texts
from likewise.passages.fingerprints import Winnowing
from likewise.spark.arrow import Batches, map_arrow, parts_of
from likewise.spark.passages.documents import remaining_texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.arrays import Ints

_PAIRS_AT_ONCE = 1 << 18


def pairs_by_fingerprints(
    documents: DataFrame, *, min_words: int, max_documents: int, two: bool
) -> DataFrame:
    """Pairs (a, b) of numbers, a < b, with repeats.

    Rows without them have the number of fingerprints that too many documents have: `set_aside`,
    null elsewhere.
    """
    taken = map_arrow(
        documents.select("number", "side", "text", "excluded"),
        _Fingerprints(Winnowing(min_words)),
        "hash long, number long, side int",
    )
    ordered = taken.repartition("hash").sortWithinPartitions("hash", "number")
    return map_arrow(ordered, SharedBy(max_documents, two), "a long, b long, set_aside long")


@dataclass(frozen=True)
class _Fingerprints:
    winnowing: Winnowing

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part in parts_of(batch):
                texts = Texts.from_strings(remaining_texts(part))
                hashes, offsets = self.winnowing.fingerprints(texts, 1)
                counts: Any = np.diff(offsets.astype(np.int64))
                columns: dict[str, Any] = {
                    "hash": pa.array(hashes.view(np.int64)),
                    "number": pa.array(np.repeat(np.asarray(part.column("number")), counts)),
                    "side": pa.array(np.repeat(np.asarray(part.column("side")), counts)),
                }
                yield pa.record_batch(columns)


@dataclass(frozen=True)
class SharedBy:
    """Rows (hash, number, side), sorted, to pairs of documents that have the same hash."""

    max_documents: int
    two: bool  # only pairs of different sides

    def __call__(self, batches: Batches) -> Batches:
        waiting = np.zeros((0, 3), np.int64)  # of the last hash so far
        for batch in batches:
            own = [np.asarray(batch.column(name), np.int64) for name in ("hash", "number", "side")]
            rows = np.concatenate([waiting, np.stack(own, axis=1)])
            if not len(rows):
                continue
            starts = np.flatnonzero(np.diff(rows[:, 0], prepend=~rows[0, 0]))
            yield from self._pairs(rows[: starts[-1]], starts[:-1])
            waiting = self._few(rows[starts[-1] :])
        if len(waiting):
            yield from self._pairs(waiting, np.zeros(1, np.int64))

    def _few(self, group: Ints) -> Ints:
        """A group, or a part of it that has as many sides and is too large as well."""
        if len(group) <= self.max_documents + 2:
            return group
        _, firsts = np.unique(group[:, 2], return_index=True)
        kept = np.union1d(np.arange(self.max_documents + 1), firsts)
        return group[kept]

    def _pairs(self, rows: Ints, starts: Ints) -> Batches:
        """The pairs of whole groups, which begin at `starts`."""
        sizes = np.diff(np.append(starts, len(rows)))
        too_large = starts[sizes > self.max_documents]
        set_aside = len(too_large)
        if self.two and set_aside:
            last = np.append(starts, len(rows))[np.searchsorted(starts, too_large) + 1] - 1
            # Numbers of the first side come before those of the second.
            set_aside = int(np.count_nonzero(rows[too_large, 2] != rows[last, 2]))
        if set_aside:
            yield _pairs_batch(np.zeros((0, 2), np.int64), set_aside)
        for size in np.unique(sizes[(sizes > 1) & (sizes <= self.max_documents)]).tolist():
            groups = starts[sizes == size][:, None] + np.arange(size)
            first, second = np.triu_indices(size, 1)
            step = max(1, _PAIRS_AT_ONCE // len(first))
            for begin in range(0, len(groups), step):
                some = groups[begin : begin + step]
                a, b = rows[some[:, first].reshape(-1)], rows[some[:, second].reshape(-1)]
                pairs = np.stack([a[:, 1], b[:, 1]], axis=1)
                yield _pairs_batch(pairs[a[:, 2] != b[:, 2]] if self.two else pairs)


def _pairs_batch(pairs: Ints, set_aside: int | None = None) -> pa.RecordBatch:
    """Pairs, or the row that says how many fingerprints were set aside."""
    a: Any = pa.array(pairs[:, 0])
    b: Any = pa.array(pairs[:, 1])
    if set_aside is not None:
        a = b = pa.nulls(1, pa.int64())
    count = len(a)
    columns: dict[str, Any] = {
        "a": a,
        "b": b,
        "set_aside": pa.nulls(count, pa.int64()) if set_aside is None else pa.array([set_aside]),
    }
    return pa.record_batch(columns)
