"""Segments: sorted entries, cut into buckets by the leading bits of their keys.

A bucket is a small row of the store whose id follows from the segment and the key, so a look-up
reads at most one row for each key and segment. A filter for each segment, 8 to 16 bits per key and
in memory, rules out most rows without the key. Four segments of a level are merged into one of the
next, so that there are never many.

*Limitations:* a band's key leads to at most `MAX_DOCUMENTS_PER_BAND` documents; further entries are
dropped and counted, and their documents are found by other bands or not at all. Entries of removed
documents stay until their segment is merged; they lead to no document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from likewise import _core
from likewise.arrays import U8, U32, U64
from likewise.index.damage import DamageError
from likewise.index.postings.entries import BANDS, keys_of, sorted_once
from likewise.index.postings.filters import bits_for, filter_of

BAND_BUCKET_ENTRIES = 256  # on average: a row of two kilobytes
PASSAGE_BUCKET_ENTRIES = 64  # smaller, since a text has hundreds of keys to look up
FAN_OUT = 4
MIN_SEGMENT_DOCUMENTS = 1000  # entries of fewer documents wait
MAX_WAITING_ENTRIES = 200_000  # however few documents they are of
LEVEL_ENTRIES = 50_000  # of a segment of the lowest level, about
MAX_DOCUMENTS_PER_BAND = 10_000
MAX_SEGMENT = 2**31 - 2  # the ids of its buckets, and of the next, fit in 63 bits


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A segment without its buckets. The attributes are the columns of a store.

    Attributes:
        kind: of its entries; only segments of the same kind are merged.
        number: unique for the life of the index.
        documents, entries: their numbers.
        bits: the leading bits of a key that choose its bucket.
        filter: 2^filter_bits bits, packed.
    """

    kind: int
    number: int
    documents: int
    entries: int
    bits: int
    filter_bits: int
    filter: U8

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Segment:
        """From a row of a store. Raises `DamageError`."""
        kind, number, documents, entries, bits, filter_bits, data = row
        if not 1 <= number <= MAX_SEGMENT or documents < 0 or entries < 0 or not 1 <= bits <= 32:
            raise DamageError(f"segment {number} has an impossible size")
        min_bits = filter_of(kind).min_bits
        if not min_bits <= filter_bits <= 32 or 8 * len(data) != 1 << filter_bits:
            raise DamageError(f"the filter of segment {number} has an impossible size")
        filter_ = np.frombuffer(data, np.uint8)
        return cls(kind, number, documents, entries, bits, filter_bits, filter_)

    def row(self) -> tuple[Any, ...]:
        """The row of a store."""
        return (
            self.kind, self.number, self.documents, self.entries, self.bits, self.filter_bits,
            self.filter.tobytes(),
        )  # fmt: skip

    def matching(self, keys: U32) -> U32:
        """The keys that the segment may contain."""
        return filter_of(self.kind).matching(self.filter, self.filter_bits, keys)

    def slice(self, number: int, bits: int) -> tuple[int, int]:
        """The range of buckets with the keys whose leading `bits` are this number."""
        base = self.number << 32
        if bits > self.bits:  # a part of one bucket
            first = base + (number >> (bits - self.bits))
            return first, first + 1
        many = 1 << (self.bits - bits)
        return base + number * many, base + (number + 1) * many

    def bucket_ids(self, keys: U32) -> U64:
        """The ids of the buckets for ascending keys."""
        return sorted_once(self.bucket_of(keys))

    def bucket_of(self, keys: U32) -> U64:
        """The id of the bucket of each key."""
        shift = np.uint64(32 - self.bits)
        ids: U64 = np.uint64(self.number << 32) | keys.astype(np.uint64) >> shift
        return ids


class SegmentBuilder:
    """Makes a segment of sorted entries that come in slices, so that it may exceed the memory.

    Slice i of 2^slice_bits has the keys that begin with i. `max_entries` is an upper bound.
    """

    def __init__(self, kind: int, number: int, max_entries: int, slice_bits: int = 0) -> None:
        self._kind, self._number, self._slice_bits = kind, number, slice_bits
        aim = BAND_BUCKET_ENTRIES if kind == BANDS else PASSAGE_BUCKET_ENTRIES
        self._bits = max(1, slice_bits, int(max_entries // aim).bit_length())
        self._filter = filter_of(kind)
        self._filter_bits = bits_for(self._filter, max_entries, slice_bits)
        self._filters: list[U8] = []
        self._entries = self._keys = 0

    def buckets(self, entries: U64) -> Iterator[tuple[int, bytes]]:
        """The buckets of the next slice: ids and data."""
        number = len(self._filters)
        self._filters.append(self._filter.make(entries, self._filter_bits, self._slice_bits))
        self._entries += len(entries)
        self._keys += _core.count_keys(entries)
        many = 1 << (self._bits - self._slice_bits)
        first = number * many
        edges = np.searchsorted(
            entries, np.arange(first, first + many, dtype=np.uint64) << np.uint64(64 - self._bits)
        ).tolist()
        data = memoryview(entries.astype("<u8", copy=False).tobytes())
        base = self._number << 32
        for bucket, (begin, end) in enumerate(pairwise([*edges, len(entries)]), first):
            if begin < end:
                yield base | bucket, bytes(data[8 * begin : 8 * end])

    def segment(self, documents: int) -> Segment:
        """The segment, after all slices."""
        bits, filter_ = self._filter_bits, np.concatenate(self._filters)
        # If many entries share a key, a smaller filter is as good.
        while bits - 3 >= bits_for(self._filter, self._keys):
            bits, filter_ = bits - 3, self._filter.smaller(filter_)
        return Segment(
            self._kind, self._number, documents, self._entries, self._bits, bits, filter_
        )


def drop_overfull(entries: U64) -> tuple[U64, int]:
    """Sorted entries without those beyond the limit of a key, and the number of those."""
    limit = MAX_DOCUMENTS_PER_BAND
    if len(entries) <= limit:
        return entries, 0
    keys = keys_of(entries)
    overfull = np.concatenate([np.zeros(limit, bool), keys[limit:] == keys[:-limit]])
    return entries[~overfull], int(overfull.sum())


def to_merge(sizes: Sequence[tuple[int, int]]) -> list[int]:
    """The segments, by number and entries, of the lowest level that has FAN_OUT of them."""
    by_level: dict[int, list[int]] = {}
    for number, entries in sizes:
        by_level.setdefault(_level(entries), []).append(number)
    for level in sorted(by_level):
        if len(by_level[level]) >= FAN_OUT:
            return by_level[level]
    return []


def _level(entries: int) -> int:
    """The level of a segment with this number of entries."""
    level, size = 0, LEVEL_ENTRIES * FAN_OUT
    while entries >= size:
        level, size = level + 1, size * FAN_OUT
    return level
