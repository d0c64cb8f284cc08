"""Segments: entries that were added together, sorted, and cut into buckets by their leading bits.

A bucket is a small row of the store, whose id follows from the segment and the key; so a look-up
reads, for each key and segment, at most one row by its id. A filter for each segment, 8 to 16 bits
a key and held in memory, tells which of these rows hold the key at all, but for a few. Four
segments of a level become one of the next, so that there are never many.

*Limitations:* a band's key that very many documents share leads to `MAX_SHARED` of them at most;
the others are counted as crowded out, and found by their other bands or not at all. Entries of
removed documents stay until their segment is merged; the store hides them, since the document is
gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise.index.postings.entries import BANDS, DamageError, keys_of
from likewise.index.postings.filters import bits_for, filter_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U8 = NDArray[np.uint8]
    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

BUCKET = 256  # entries aimed at: a row of two kilobytes
SMALL_BUCKET = 64  # where a text has hundreds of keys to look up, less is read in vain
FAN_OUT = 4
SMALLEST = 1000  # documents whose entries are a segment, and not among those that wait
MOST_WAITING = 200_000  # entries that wait, however few documents they are of
LOWEST = 50_000  # entries of a segment of the lowest level, about
MAX_SHARED = 10_000  # documents that one key leads to


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """What is known of a segment without reading its buckets.

    Attributes:
        kind: of its entries; segments of one kind are merged with each other only.
        number: its number, of which each is used once.
        documents, entries: how many it was made from and holds.
        bits: how many leading bits of a key choose the bucket.
        filter: the bits of the filter, packed; 2^filter_bits of them.
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
        """From a row of a store, whose columns are in the order of our fields."""
        kind, number, documents, entries, bits, filter_bits, held = row
        filter_ = np.frombuffer(held, np.uint8)
        if not 3 <= filter_bits <= 32 or 8 * len(filter_) != 1 << filter_bits:
            raise DamageError("filters of the index")
        return cls(kind, number, documents, entries, bits, filter_bits, filter_)

    def row(self) -> tuple[Any, ...]:
        """As it is stored, in the same order."""
        return (
            self.kind, self.number, self.documents, self.entries, self.bits, self.filter_bits,
            self.filter.tobytes(),
        )  # fmt: skip

    def holding(self, keys: U32) -> U32:
        """The keys that the segment may hold."""
        return filter_of(self.kind).holding(self.filter, self.filter_bits, keys)

    def slice(self, number: int, bits: int) -> tuple[int, int]:
        """From which bucket to below which one keys stand whose leading `bits` are this number."""
        base = self.number << 32
        if bits > self.bits:  # in a part of one bucket
            first = base + (number >> (bits - self.bits))
            return first, first + 1
        many = 1 << (self.bits - bits)
        return base + number * many, base + (number + 1) * many

    def bucket_ids(self, keys: U32) -> U64:
        """The rows in which these keys, which ascend, would stand."""
        buckets = keys.astype(np.uint64) >> np.uint64(32 - self.bits)
        again = np.zeros(len(buckets), bool)
        again[1:] = buckets[1:] == buckets[:-1]
        ids: U64 = np.uint64(self.number << 32) | buckets[~again]
        return ids


class SegmentBuilder:
    """Makes a segment of sorted entries that come in slices of the keys, one behind the other.

    Slice i of 2^slice_bits has the keys that begin with i. So a segment can be much larger than
    what is held of it at a time.
    """

    def __init__(self, kind: int, number: int, most_entries: int, slice_bits: int = 0) -> None:
        """`most_entries` is how many there may be."""
        self._kind, self._number, self._slice_bits = kind, number, slice_bits
        aim = BUCKET if kind == BANDS else SMALL_BUCKET
        self._bits = max(1, slice_bits, int(most_entries // aim).bit_length())
        self._filter = filter_of(kind)
        self._filter_bits = bits_for(self._filter, most_entries, slice_bits)
        self._filters: list[U8] = []
        self._entries = self._keys = 0

    def buckets(self, entries: U64) -> Iterator[tuple[int, bytes]]:
        """The buckets of the next slice, as rows (id, data)."""
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
        """What is known of it, when all slices have been given."""
        bits, filter_ = self._filter_bits, np.concatenate(self._filters)
        # Where many entries share a key, a smaller filter tells as much.
        while bits - 3 >= bits_for(self._filter, self._keys):
            bits, filter_ = bits - 3, self._filter.smaller(filter_)
        return Segment(
            self._kind, self._number, documents, self._entries, self._bits, bits, filter_
        )


def without_crowds(entries: U64) -> tuple[U64, int]:
    """Sorted entries without those of a key beyond MAX_SHARED, and how many these are."""
    if len(entries) <= MAX_SHARED:
        return entries, 0
    keys = keys_of(entries)
    crowded = np.concatenate([np.zeros(MAX_SHARED, bool), keys[MAX_SHARED:] == keys[:-MAX_SHARED]])
    return entries[~crowded], int(crowded.sum())


def to_merge(sizes: Sequence[tuple[int, int]]) -> list[int]:
    """Of segments by number and entries those of the lowest level that has FAN_OUT, or none."""
    by_level: dict[int, list[int]] = {}
    for number, entries in sizes:
        by_level.setdefault(_level(entries), []).append(number)
    for level in sorted(by_level):
        if len(by_level[level]) >= FAN_OUT:
            return by_level[level]
    return []


def _level(entries: int) -> int:
    """How often segments of FAN_OUT have been merged to make one of so many entries, about."""
    level, size = 0, LOWEST * FAN_OUT
    while entries >= size:
        level, size = level + 1, size * FAN_OUT
    return level
