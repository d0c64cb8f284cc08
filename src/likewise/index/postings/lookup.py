"""`IndexView`: which documents have some keys, as of one snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from likewise import _core
from likewise.arrays import U32, U64, Floats
from likewise.index.postings.common_keys import MAX_DOCUMENTS_PER_KEY
from likewise.index.postings.entries import documents_of, entries_in, entries_of_pairs, sorted_once
from likewise.index.postings.manifest import Manifest
from likewise.index.stores.transaction import Snapshot


class Postings(NamedTuple):
    """The documents that have some keys.

    Attributes:
        counts: the number of documents per key, ascending; 0 for a common key.
        shares: the same as a share of all documents, for common keys too.
        entries: of the keys that are not common, by key.
    """

    counts: U32
    shares: Floats
    entries: U64

    @property
    def set_aside(self) -> int:
        """The number of common keys."""
        return int(((self.shares > 0) & (self.counts == 0)).sum())


@dataclass(frozen=True, eq=False)
class IndexView:
    """The documents, segments and common keys of one snapshot."""

    snapshot: Snapshot
    manifest: Manifest

    @cached_property
    def documents(self) -> int:
        return self.snapshot.count()

    @cached_property
    def _ever_added(self) -> int:
        return self.snapshot.next_number() - 1

    @property
    def has_removed(self) -> bool:
        """Whether documents were removed or replaced, of which entries may be left."""
        return self.documents < self._ever_added

    @property
    def mean_words(self) -> float:
        """Words per document ever added."""
        return self.snapshot.int_fact("words") / max(1, self._ever_added)

    def look_up(self, kind: int, keys: U32) -> tuple[U64, U32]:
        """The entries of ascending keys, by key, and how many each key has."""
        ids: list[int] = []
        for segment in self.manifest.segments[kind]:
            matching = segment.matching(keys)
            if len(matching):
                ids += segment.bucket_ids(matching).tolist()
        buckets, waiting = self.snapshot.look_up(kind, ids, keys.tolist())
        entries = entries_in(buckets)
        if waiting:
            entries = np.concatenate([entries, np.sort(entries_of_pairs(waiting))])
        return _core.entries_of_keys(entries, keys)

    def postings(self, kind: int, keys: U32, *, skip_removed: bool = False) -> Postings:
        """Documents by keys in any order.

        With `skip_removed`, entries of removed documents are dropped where a key has too many.
        """
        wanted = sorted_once(keys.copy())
        shares = self.manifest.common[kind].shares_of(wanted).astype(np.float64)
        rare = shares == 0
        entries, found = self.look_up(kind, wanted[rare])
        if skip_removed and self.has_removed and (found > MAX_DOCUMENTS_PER_KEY).any():
            stored = self.snapshot.sizes(np.unique(documents_of(entries)).tolist())
            present = np.isin(documents_of(entries), np.fromiter(stored, np.uint64, len(stored)))
            of_key = np.repeat(np.arange(len(found)), found)
            entries = entries[present]
            found = np.bincount(of_key[present], minlength=len(found)).astype(np.uint32)
        # Segments that were not merged yet may together have too many.
        if (overfull := found > MAX_DOCUMENTS_PER_KEY).any():
            entries = entries[~np.repeat(overfull, found)]
        shares[rare] = np.minimum(1, found / max(1, self.documents))
        counts = np.zeros(len(wanted), np.uint32)
        counts[rare] = np.where(overfull, 0, found)
        return Postings(counts, shares, entries)
