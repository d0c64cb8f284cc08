"""Segments: entries that were added together, sorted, and cut into buckets by their leading bits.

A bucket is a small row of the store, whose id follows from the segment and the key; so a look-up
reads, for each key and segment, at most one row by its id. A bit filter for each segment, 8 to 16
bits an entry and held in memory, tells which of these rows hold the key at all, but for one in
eight to sixteen. Four segments of a level become one of the next, so that there are never many.

*Limitations:* a key that very many documents share leads to `MAX_SHARED` of them at most; the
others are counted as crowded out, and found by their other bands or not at all. Entries of removed
documents stay until their segment is merged; the store hides them, since the document is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise.index.entries import documents_of, keys_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U8 = NDArray[np.uint8]
    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

BUCKET = 256  # entries aimed at: a row of two kilobytes
FAN_OUT = 4
SMALLEST = 1000  # documents of a segment of the lowest level, about
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
        return cls(kind, number, documents, entries, bits, filter_bits, filter_)

    def row(self) -> tuple[Any, ...]:
        """As it is stored, in the same order."""
        return (
            self.kind, self.number, self.documents, self.entries, self.bits, self.filter_bits,
            self.filter.tobytes(),
        )  # fmt: skip

    @property
    def level(self) -> int:
        """How often segments of FAN_OUT have been merged to make it, about."""
        level, size = 0, SMALLEST * FAN_OUT
        while self.documents >= size:
            level, size = level + 1, size * FAN_OUT
        return level

    def holding(self, keys: U32) -> U32:
        """The keys that the segment may hold."""
        places = keys >> np.uint32(32 - self.filter_bits)
        bits = self.filter[places >> np.uint32(3)] >> (places & np.uint32(7)).astype(np.uint8)
        held: U32 = keys[(bits & np.uint8(1)).astype(bool)]
        return held

    def bucket_ids(self, keys: U32) -> U64:
        """The rows in which these keys would stand."""
        buckets = keys.astype(np.uint64) >> np.uint64(32 - self.bits)
        return np.unique(np.uint64(self.number << 32) | buckets)


def build(
    kind: int, number: int, entries: U64, documents: int
) -> tuple[Segment, Iterator[tuple[int, bytes]]]:
    """A segment of sorted entries, and its buckets as rows (id, data)."""
    bits = max(1, int(len(entries) // BUCKET).bit_length())
    filter_bits = min(32, max(10, int(8 * len(entries)).bit_length()))
    segment = Segment(
        kind, number, documents, len(entries), bits, filter_bits,
        _core.key_filter(entries, bits=filter_bits),
    )  # fmt: skip
    return segment, _buckets(segment, entries)


def _buckets(segment: Segment, entries: U64) -> Iterator[tuple[int, bytes]]:
    edges = np.searchsorted(
        entries >> np.uint64(64 - segment.bits), np.arange((1 << segment.bits) + 1, dtype=np.uint64)
    ).tolist()
    data = memoryview(entries.astype("<u8", copy=False).tobytes())
    base = segment.number << 32
    for bucket, (begin, end) in enumerate(pairwise(edges)):
        if begin < end:
            yield base | bucket, bytes(data[8 * begin : 8 * end])


def found_in(buckets: Sequence[bytes], keys: U32) -> U64:
    """The documents that the buckets hold for any of the keys, each once."""
    if not buckets:
        return np.zeros(0, np.uint64)
    entries = np.frombuffer(b"".join(buckets), "<u8")
    wanted, held = np.sort(keys), keys_of(entries)
    places = np.minimum(np.searchsorted(wanted, held), len(wanted) - 1)
    return np.unique(documents_of(entries[wanted[places] == held]))


def without_crowds(entries: U64) -> tuple[U64, int]:
    """Sorted entries without those of a key beyond MAX_SHARED, and how many these are."""
    if len(entries) <= MAX_SHARED:
        return entries, 0
    keys = keys_of(entries)
    crowded = np.concatenate([np.zeros(MAX_SHARED, bool), keys[MAX_SHARED:] == keys[:-MAX_SHARED]])
    return entries[~crowded], int(crowded.sum())


def to_merge(segments: Sequence[Segment]) -> list[Segment]:
    """The segments of the lowest level that has FAN_OUT of them, or none."""
    by_level: dict[int, list[Segment]] = {}
    for segment in segments:
        by_level.setdefault(segment.level, []).append(segment)
    for level in sorted(by_level):
        if len(by_level[level]) >= FAN_OUT:
            return by_level[level]
    return []
