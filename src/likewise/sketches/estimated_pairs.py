"""`EstimatedPairs`: pairs of signatures that agree in many values, with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, overload

import numpy as np

from likewise import _core
from likewise.arrays import U32
from likewise.errors import UsageError
from likewise.frames import Frames
from likewise.run import Stats
from likewise.sketches.candidates import bucket_notes, find_candidates
from likewise.statistics.bands import MAX_LIMIT, check_recall, check_threshold, choose_layout
from likewise.statistics.estimate import Estimate, binomial_estimate, check_level
from likewise.text.inputs import id_array
from likewise.types import K
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    import pyarrow as pa

_EMPTY = np.uint32(0xFFFFFFFF)
_BLOCK = 1 << 16  # candidates that are compared at once


@dataclass(frozen=True, slots=True)
class EstimatedPair(Generic[K]):
    """Two texts that are similar by their signatures.

    Attributes:
        a, b: their ids, as they were given; row numbers, if none were.
        jaccard: the estimated similarity.
        estimate: the same with its interval.
    """

    a: K
    b: K
    jaccard: float
    estimate: Estimate


@dataclass(frozen=True, eq=False, repr=False)
class EstimatedPairs(Frames, Sequence[EstimatedPair[K]], Generic[K]):
    """Pairs, the most similar first; `stats` has the settings and counts of the search."""

    pairs: list[EstimatedPair[K]]
    ids: Sequence[K] = field(repr=False)
    stats: Stats = field(repr=False)

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, at: int) -> EstimatedPair[K]: ...
    @overload
    def __getitem__(self, at: slice) -> list[EstimatedPair[K]]: ...
    def __getitem__(self, at: int | slice) -> EstimatedPair[K] | list[EstimatedPair[K]]:
        return self.pairs[at]

    def __iter__(self) -> Iterator[EstimatedPair[K]]:
        return iter(self.pairs)

    def __repr__(self) -> str:
        return f"<EstimatedPairs: {len(self):,} of {len(self.ids):,} signatures>"

    def to_arrow(self) -> pa.Table:
        """An Arrow table with a, b, jaccard, low and high."""
        import pyarrow as pa

        ids = [[pair.a for pair in self], [pair.b for pair in self]]
        estimates = [pair.estimate for pair in self]
        return pa.table(
            {
                **{n: id_array(c, self.ids) for n, c in zip("ab", ids, strict=True)},
                "jaccard": pa.array([one.value for one in estimates], pa.float64()),
                "low": pa.array([one.low for one in estimates], pa.float64()),
                "high": pa.array([one.high for one in estimates], pa.float64()),
            }
        )


def estimate_pairs(
    signatures: U32,
    ids: Sequence[Any],
    *,
    first: int | None,
    threshold: float,
    recall: float,
    max_bucket: int,
    level: float,
    threads: int,
) -> EstimatedPairs[Any]:
    """The search of `Signatures.find_pairs`; `first` rows are compared with the others only."""
    check_threshold(threshold)
    check_recall(recall)
    check_level(level)
    check_whole("max_bucket", max_bucket, 2, MAX_LIMIT)
    values = signatures.shape[1]
    layout = choose_layout(threshold, recall, values)
    if layout is None:
        raise UsageError(
            f"no bands of {values} values find {recall:.3g} of the pairs at {threshold:g}",
            hint="use a higher threshold, a lower recall or signatures of more values",
        )
    present = np.flatnonzero((signatures != _EMPTY).any(axis=1)).astype(np.uint32)
    keys = _core.band_keys(signatures, bands=layout.bands, rows=layout.rows)
    sides = None
    if first is not None:
        sides = np.full(len(signatures), 2, np.uint8)
        sides[:first] = 1
    found = find_candidates(keys, present, sides, max_bucket=max_bucket, threads=threads)
    agreeing = _agreeing(signatures, found.a, found.b)
    chosen = np.flatnonzero(agreeing >= threshold * values)
    order = chosen[np.lexsort((found.b[chosen], found.a[chosen], -agreeing[chosen]))]
    estimates = {
        n: binomial_estimate(n, values, level) for n in np.unique(agreeing[order]).tolist()
    }
    columns = (column[order].tolist() for column in (found.a, found.b, agreeing))
    pairs = [
        EstimatedPair(ids[a], ids[b], estimates[n].value, estimates[n])
        for a, b, n in zip(*columns, strict=True)
    ]
    stats = Stats(
        {"threshold": threshold, "recall": recall, "values": values, "level": level},
        {"signatures": len(signatures), "pairs": len(pairs), **found.counts()},
    )
    stats.notes += bucket_notes(stats.counts, max_bucket)
    return EstimatedPairs(pairs, ids, stats)


def _agreeing(signatures: U32, a: U32, b: U32) -> Any:
    """The number of values in which each pair of rows agrees."""
    agreeing = np.zeros(len(a), np.int64)
    for begin in range(0, len(a), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        first, second = signatures[a[rows]], signatures[b[rows]]
        agreeing[rows] = np.count_nonzero((first == second) & (first != _EMPTY), axis=1)
    return agreeing
