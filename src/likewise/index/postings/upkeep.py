"""Segments made, merged and cleaned, inside a transaction."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.arrays import U64
from likewise.errors import LikewiseError
from likewise.index.damage import DamageError
from likewise.index.postings.common_keys import MAX_DOCUMENTS_PER_KEY, NO_COMMON_KEYS, CommonKeys
from likewise.index.postings.entries import (
    BANDS,
    documents_of,
    entries_in,
    entries_of_pairs,
    keys_of,
    sorted_once,
)
from likewise.index.postings.segments import (
    MAX_SEGMENT,
    MAX_WAITING_ENTRIES,
    MIN_SEGMENT_DOCUMENTS,
    Segment,
    SegmentBuilder,
    drop_overfull,
    to_merge,
)
from likewise.index.stores.transaction import Transaction

_RANDOM_BITS = 14
_MAX_FLAGS_PER_DOCUMENT = 64
SLICE_ENTRIES = 2_000_000  # that a merge has in memory, of all segments together


def add_segment(transaction: Transaction, kind: int, entries: U64, documents: int) -> None:
    """A new segment of sorted entries."""
    _write_segment(transaction, kind, [entries], len(entries), 0, documents)


def _write_segment(
    transaction: Transaction,
    kind: int,
    slices: Iterable[U64],
    max_entries: int,
    slice_bits: int,
    documents: int,
) -> None:
    number = next_version(transaction)
    builder = SegmentBuilder(kind, number, max_entries, slice_bits)
    common = NO_COMMON_KEYS if kind == BANDS else CommonKeys.of(transaction, kind)
    known = len(common)
    overfull = written = 0
    for entries in slices:
        if kind == BANDS:
            kept, more = drop_overfull(entries)
            overfull += more
        else:
            kept, keys, counts = _core.without_common(
                entries, common.keys, most=MAX_DOCUMENTS_PER_KEY
            )
            # Relative to all documents: these may be a few that are alike.
            shares = counts / max(1, transaction.count())
            common = common.with_keys(keys, np.minimum(1, shares).astype(np.float32))
        transaction.insert("buckets", builder.buckets(kept))
        written += len(kept)
    if written:
        transaction.put_segment(builder.segment(documents))
    if overfull:
        transaction.set_fact("crowded", transaction.int_fact("crowded") + overfull)
    if len(common) > known:
        common.store(transaction, kind)


def first_version() -> int:
    """The version of an index without documents."""
    return secrets.randbits(_RANDOM_BITS)


def next_version(transaction: Transaction) -> int:
    """The new version of the index, which may number a segment.

    Versions ascend and end in random bits, so that a reader does not take its manifest of an index
    that was replaced by another one, or by an older copy, for the current one.
    """
    last = transaction.int_fact("version")
    number = ((last >> _RANDOM_BITS) + 1) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    if number > MAX_SEGMENT:
        raise LikewiseError(
            "the index has been changed too often", hint="export its documents, and import them"
        )
    transaction.set_fact("version", number)
    return number


def put_waiting(transaction: Transaction, kind: int, entries: U64, documents: int) -> None:
    """Entries of a few documents wait until there are enough for a segment."""
    keys, numbers = keys_of(entries), documents_of(entries)
    transaction.put_waiting(kind, zip(keys.tolist(), numbers.tolist(), strict=True))
    before = [*transaction.int_facts(f"waiting {kind}"), 0, 0]
    documents, count = before[0] + documents, before[1] + len(entries)
    transaction.set_fact(f"waiting {kind}", f"{documents} {count}")
    if documents >= MIN_SEGMENT_DOCUMENTS or count >= MAX_WAITING_ENTRIES:
        fold_waiting(transaction, kind)


def fold_waiting(transaction: Transaction, kind: int) -> None:
    """Makes a segment of the waiting entries."""
    waiting = transaction.waiting(kind)
    transaction.set_fact(f"waiting {kind}", "0")
    if not waiting:
        return
    entries = sorted_once(entries_of_pairs(waiting))
    if documents_of(entries).max() >= transaction.next_number():
        raise DamageError("an entry waits for a document that was never added")
    add_segment(transaction, kind, entries, _core.count_documents(entries))
    transaction.clear_waiting(kind)
    merge_full_levels(transaction, kind)


def merge_full_levels(transaction: Transaction, kind: int) -> None:
    """Merges segments until no level has too many."""
    while together := to_merge(transaction.segment_sizes(kind)):
        _merge(transaction, kind, together)


def merge_all(transaction: Transaction, kind: int) -> None:
    """Makes one segment of all entries of stored documents."""
    fold_waiting(transaction, kind)
    if sizes := transaction.segment_sizes(kind):
        _merge(transaction, kind, [number for number, _ in sizes])


def _merge(transaction: Transaction, kind: int, numbers: Sequence[int]) -> None:
    segments = transaction.segments(kind, numbers)
    for segment in segments:  # memory and the number of slices follow from it
        if transaction.bucket_bytes(*segment.slice(0, 0)) != 8 * segment.entries:
            raise DamageError(f"segment {segment.number} has wrong buckets")
    entries = sum(segment.entries for segment in segments)
    slice_bits = (entries // SLICE_ENTRIES).bit_length()
    _write_segment(
        transaction,
        kind,
        _merged_slices(transaction, segments, slice_bits),
        entries,
        slice_bits,
        # Some documents may have been removed since.
        min(transaction.count(), sum(segment.documents for segment in segments)),
    )
    transaction.drop_segments(numbers)


def _merged_slices(
    transaction: Transaction, segments: Sequence[Segment], slice_bits: int
) -> Iterator[U64]:
    all_present = transaction.count() == transaction.next_number() - 1
    present = None if all_present else np.fromiter(transaction.numbers(), np.uint64)
    flags = _flags(present)
    for number in range(1 << slice_bits):
        parts = []
        for segment in segments:
            buckets = transaction.buckets(*segment.slice(number, slice_bits))
            entries = entries_in(data for _, data in buckets)
            if segment.bits < slice_bits:  # its buckets are larger than a slice
                entries = entries[entries >> np.uint64(64 - slice_bits) == number]
            if present is not None and not len(flags):
                entries = entries[np.isin(documents_of(entries), present)]
            parts.append(entries)
        yield _core.merge_entries(parts, flags)


def _flags(present: U64 | None) -> NDArray[np.uint8]:
    """A flag for each number up to the last, set if the document is stored; empty if all are, or
    if so few are that flags would take more memory than the numbers."""
    if present is None or not len(present) or present[-1] > _MAX_FLAGS_PER_DOCUMENT * len(present):
        return np.zeros(0, np.uint8)
    flags = np.zeros(int(present[-1]) + 1, np.uint8)
    flags[present.astype(np.intp)] = 1
    return flags
