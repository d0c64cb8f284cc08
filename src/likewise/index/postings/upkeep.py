"""The index kept in shape: segments made, merged and cleaned, inside a transaction."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.errors import LikewiseError
from likewise.index.postings.common_keys import MOST_DOCUMENTS, NONE, CommonKeys
from likewise.index.postings.entries import BANDS, documents_of, entries_in, keys_of
from likewise.index.postings.segments import (
    MOST_WAITING,
    SMALLEST,
    Segment,
    SegmentBuilder,
    to_merge,
    without_crowds,
)
from likewise.index.stores.protocol import Transaction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]

_DRAWN_BITS = 14
SLICE = 2_000_000  # entries that a merge holds at a time, of each of several segments together


def add_segment(transaction: Transaction, kind: int, entries: U64, documents: int) -> None:
    """A new segment of sorted entries."""
    _write_segment(transaction, kind, [entries], len(entries), 0, documents)


def _write_segment(
    transaction: Transaction,
    kind: int,
    slices: Iterable[U64],
    most_entries: int,
    slice_bits: int,
    documents: int,
) -> None:
    number = next_version(transaction)
    builder = SegmentBuilder(kind, number, most_entries, slice_bits)
    common = NONE if kind == BANDS else CommonKeys.of(transaction, kind)
    known = len(common)
    crowded = written = 0
    for entries in slices:
        if kind == BANDS:
            kept, more = without_crowds(entries)
            crowded += more
        else:
            kept, keys, counts = _core.without_common(entries, common.keys, most=MOST_DOCUMENTS)
            # Of all documents: these may be a few that are alike.
            shares = counts / max(1, transaction.count())
            common = common.joined(keys, np.minimum(1, shares).astype(np.float32))
        transaction.put_buckets(builder.buckets(kept))
        written += len(kept)
    if written:
        transaction.put_segment(builder.segment(documents))
    if crowded:
        so_far = int(transaction.fact("crowded") or 0)
        transaction.set_fact("crowded", str(so_far + crowded))
    if len(common) > known:
        common.store(transaction, kind)


def next_version(transaction: Transaction) -> int:
    """The version of the index from now on, which may number a segment.

    They ascend, and end in bits drawn at random: what a reader holds in memory of an index that was
    replaced by another one, or by an older copy, is not taken for what is there now.
    """
    last = int(transaction.fact("version") or 0)
    number = ((last >> _DRAWN_BITS) + 1) << _DRAWN_BITS | secrets.randbits(_DRAWN_BITS)
    if number >= 1 << 31:
        raise LikewiseError(
            "the index has been changed too often", hint="export its documents, and import them"
        )
    transaction.set_fact("version", str(number))
    return number


def put_waiting(transaction: Transaction, kind: int, entries: U64, documents: int) -> None:
    """Entries of a few documents, which wait until those of many can be a segment together."""
    keys, numbers = keys_of(entries), documents_of(entries)
    transaction.put_waiting(kind, zip(keys.tolist(), numbers.tolist(), strict=True))
    held = [int(one) for one in (transaction.fact(f"waiting {kind}") or "0 0").split()]
    waiting, so_far = held[0] + documents, sum(held[1:]) + len(entries)
    transaction.set_fact(f"waiting {kind}", f"{waiting} {so_far}")
    if waiting >= SMALLEST or so_far >= MOST_WAITING:
        fold_waiting(transaction, kind)


def fold_waiting(transaction: Transaction, kind: int) -> None:
    """Makes a segment of the entries that wait."""
    waiting = transaction.waiting(kind)
    transaction.set_fact(f"waiting {kind}", "0")
    if not waiting:
        return
    pairs = np.array(waiting, np.uint64)
    entries = np.unique(pairs[:, 0] << np.uint64(32) | pairs[:, 1])
    add_segment(transaction, kind, entries, _core.count_documents(entries))
    transaction.clear_waiting(kind)
    merge_full_levels(transaction, kind)


def merge_full_levels(transaction: Transaction, kind: int) -> None:
    """Merges segments until no level has too many."""
    while together := to_merge(transaction.segment_sizes(kind)):
        _merge(transaction, kind, together)


def merge_all(transaction: Transaction, kind: int) -> None:
    """One segment of all entries of the documents that are there."""
    fold_waiting(transaction, kind)
    if sizes := transaction.segment_sizes(kind):
        _merge(transaction, kind, [number for number, _ in sizes])


def _merge(transaction: Transaction, kind: int, numbers: Sequence[int]) -> None:
    segments = transaction.segments(kind, numbers)
    entries = sum(segment.entries for segment in segments)
    slice_bits = (entries // SLICE).bit_length()
    _write_segment(
        transaction,
        kind,
        _merged_slices(transaction, segments, slice_bits),
        entries,
        slice_bits,
        # Of documents that were removed meanwhile some may be counted.
        min(transaction.count(), sum(segment.documents for segment in segments)),
    )
    transaction.drop_segments(numbers)


def _merged_slices(
    transaction: Transaction, segments: Sequence[Segment], slice_bits: int
) -> Iterator[U64]:
    present = _present(transaction)
    for number in range(1 << slice_bits):
        parts = []
        for segment in segments:
            buckets = transaction.buckets(*segment.slice(number, slice_bits))
            entries = entries_in(buckets)
            if segment.bits < slice_bits:  # its buckets are larger than a slice
                entries = entries[entries >> np.uint64(64 - slice_bits) == number]
            parts.append(entries)
        yield _core.merge_entries(parts, present)


def _present(transaction: Transaction) -> NDArray[np.uint8]:
    """A flag for each number that a document has or had; none, if all are still there."""
    numbers = int(transaction.fact("next") or 1)
    if transaction.count() == numbers - 1:
        return np.zeros(0, np.uint8)
    flags = np.zeros(numbers, np.uint8)
    flags[np.fromiter(transaction.numbers(), np.intp)] = 1
    return flags
