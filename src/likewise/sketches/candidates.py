"""Candidates: documents that share a band key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.arrays import U32, U64
from likewise.run import counted


class Candidates(NamedTuple):
    """Pairs of documents, ordered by a and then by b, each once.

    Attributes:
        a, b: the documents; a < b.
        large_buckets: how many buckets were not compared all with all.
        set_aside: how many pairs of these were not compared.
    """

    a: U32
    b: U32
    large_buckets: int
    set_aside: int

    def counts(self) -> dict[str, int]:
        """For a report."""
        return {
            "candidates": len(self.a),
            "large_buckets": self.large_buckets,
            "set_aside": self.set_aside,
        }


def find_candidates(
    keys: U64,
    documents: U32 | None = None,
    sides: NDArray[np.uint8] | None = None,
    *,
    max_bucket: int,
    threads: int = 1,
) -> Candidates:
    """Documents that share a key in at least one band.

    Args:
        keys: [bands, n], or the n keys of a single band.
        documents: those to compare; all, if not given.
        sides: of each document, where only documents of different sides are compared.
        max_bucket: a bucket of more documents is not compared all with all.
    """
    keys = np.ascontiguousarray(np.atleast_2d(keys))
    every = np.arange(keys.shape[1], dtype=np.uint32)
    offsets, b, large, set_aside = _core.find_candidates(
        keys, every if documents is None else documents, sides,
        max_bucket=max_bucket, threads=threads,
    )  # fmt: skip
    return Candidates(np.repeat(every, np.diff(offsets).astype(np.int64)), b, large, set_aside)


def bucket_notes(counts: Mapping[str, int], max_bucket: int) -> list[str]:
    """One sentence on the pairs that were not compared; nothing, if all were."""
    if not counts["large_buckets"]:
        return []
    return [
        f"in {counted(counts['large_buckets'], 'bucket')} of more than {max_bucket:,} documents "
        f"up to {counted(counts['set_aside'], 'pair')} were not compared (max_bucket)"
    ]
