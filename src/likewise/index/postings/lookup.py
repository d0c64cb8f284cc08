"""Looking keys up: which documents of an index hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.index.postings.common_keys import MOST_DOCUMENTS
from likewise.index.postings.entries import documents_of, entries_in, sorted_once
from likewise.index.postings.manifest import Manifest
from likewise.index.postings.segments import Segment
from likewise.index.stores.protocol import Snapshot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]
    F64 = NDArray[np.float64]


def look_up(
    snapshot: Snapshot, segments: Sequence[Segment], kind: int, keys: U32
) -> tuple[U64, U32]:
    """The entries of some keys, which ascend: by key; and how many each key has."""
    wanted: list[int] = []
    for segment in segments:
        held = segment.holding(keys)
        if len(held):
            wanted += segment.bucket_ids(held).tolist()
    buckets, waiting = snapshot.look_up(kind, wanted, keys.tolist())
    entries = entries_in(buckets)
    if waiting:
        pairs = np.array(sorted(waiting), np.uint64)
        entries = np.concatenate([entries, pairs[:, 0] << np.uint64(32) | pairs[:, 1]])
    return _core.entries_of_keys(entries, keys)


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Which documents hold some keys that are not common.

    Attributes:
        keys: all that were looked up, ascending.
        counts: how many documents hold each; 0 for a common key.
        shares: the same as a share of all documents, for common keys too.
        entries: of the keys that are not common, by key.
    """

    keys: U32
    counts: U32
    shares: F64
    entries: U64

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        manifest: Manifest,
        kind: int,
        keys: U32,
        documents: int,
        *,
        some_are_gone: bool = False,
    ) -> Postings:
        """`keys` in any order; `documents` is how many the index has.

        If `some_are_gone`, entries of those are left out where a key has too many.
        """
        wanted = sorted_once(keys.copy())
        shares = manifest.common[kind].shares_of(wanted).astype(np.float64)
        rare = shares == 0
        entries, held = look_up(snapshot, manifest.segments[kind], kind, wanted[rare])
        if some_are_gone and (held > MOST_DOCUMENTS).any():
            there = snapshot.sizes(np.unique(documents_of(entries)).tolist())
            alive = np.isin(documents_of(entries), np.fromiter(there, np.uint64, len(there)))
            of_key = np.repeat(np.arange(len(held)), held)
            living = np.bincount(of_key[alive], minlength=len(held))
            entries, held = entries[alive], living.astype(np.uint32)
        # Segments that have not met yet may together have too many.
        if (crowded := held > MOST_DOCUMENTS).any():
            entries = entries[~np.repeat(crowded, held)]
        shares[rare] = np.minimum(1, held / max(1, documents))
        counts = np.zeros(len(wanted), np.uint32)
        counts[rare] = np.where(crowded, 0, held)
        return cls(wanted, counts, shares, entries)

    @property
    def set_aside(self) -> int:
        """How many of the keys are common."""
        return int(((self.shares > 0) & (self.counts == 0)).sum())

    def shares_of(self, keys: U32) -> F64:
        """The share of the documents that hold each of some keys, which were all looked up."""
        made: F64 = self.shares[np.searchsorted(self.keys, keys)]
        return made
