"""`look_up` and `Postings`: which documents have some keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likewise import _core
from likewise.index.postings.common_keys import MAX_DOCUMENTS_PER_KEY
from likewise.index.postings.entries import F64, U32, U64, documents_of, entries_in, sorted_once
from likewise.index.postings.manifest import Manifest
from likewise.index.postings.segments import Segment
from likewise.index.stores.transaction import Snapshot


def look_up(
    snapshot: Snapshot, segments: Sequence[Segment], kind: int, keys: U32
) -> tuple[U64, U32]:
    """The entries of ascending keys, by key, and how many each key has."""
    ids: list[int] = []
    for segment in segments:
        matching = segment.matching(keys)
        if len(matching):
            ids += segment.bucket_ids(matching).tolist()
    buckets, waiting = snapshot.look_up(kind, ids, keys.tolist())
    entries = entries_in(buckets)
    if waiting:
        pairs = np.array(sorted(waiting), np.uint64)
        entries = np.concatenate([entries, pairs[:, 0] << np.uint64(32) | pairs[:, 1]])
    return _core.entries_of_keys(entries, keys)


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The documents that have some keys.

    Attributes:
        counts: the number of documents per key, ascending; 0 for a common key.
        shares: the same as a share of all documents, for common keys too.
        entries: of the keys that are not common, by key.
    """

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
        has_removed: bool = False,
    ) -> Postings:
        """`keys` in any order; `documents` is the size of the index.

        If documents were removed, their entries are dropped where a key has too many.
        """
        wanted = sorted_once(keys.copy())
        shares = manifest.common[kind].shares_of(wanted).astype(np.float64)
        rare = shares == 0
        entries, found = look_up(snapshot, manifest.segments[kind], kind, wanted[rare])
        if has_removed and (found > MAX_DOCUMENTS_PER_KEY).any():
            stored = snapshot.sizes(np.unique(documents_of(entries)).tolist())
            present = np.isin(documents_of(entries), np.fromiter(stored, np.uint64, len(stored)))
            of_key = np.repeat(np.arange(len(found)), found)
            entries = entries[present]
            found = np.bincount(of_key[present], minlength=len(found)).astype(np.uint32)
        # Segments that were not merged yet may together have too many.
        if (overfull := found > MAX_DOCUMENTS_PER_KEY).any():
            entries = entries[~np.repeat(overfull, found)]
        shares[rare] = np.minimum(1, found / max(1, documents))
        counts = np.zeros(len(wanted), np.uint32)
        counts[rare] = np.where(overfull, 0, found)
        return cls(counts, shares, entries)

    @property
    def set_aside(self) -> int:
        """The number of common keys."""
        return int(((self.shares > 0) & (self.counts == 0)).sum())
