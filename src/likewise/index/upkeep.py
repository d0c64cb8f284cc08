"""The index kept in shape: segments made, merged and cleaned, inside a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.index.entries import documents_of, keys_of
from likewise.index.segments import (
    SMALLEST,
    Segment,
    build,
    to_merge,
    without_crowds,
)
from likewise.index.store import Transaction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]


def add_segment(transaction: Transaction, kind: int, entries: U64, documents: int) -> None:
    """A new segment of sorted entries."""
    number = int(transaction.fact("version") or 0) + 1
    transaction.set_fact("version", str(number))
    kept, crowded = without_crowds(entries)
    if crowded:
        so_far = int(transaction.fact("crowded") or 0)
        transaction.set_fact("crowded", str(so_far + crowded))
    transaction.put_segment(*build(kind, number, kept, documents))


def put_waiting(transaction: Transaction, kind: int, entries: U64, documents: int) -> None:
    """Entries of a few documents, which wait until those of many can be a segment together."""
    keys, numbers = keys_of(entries), documents_of(entries)
    transaction.put_waiting(kind, zip(keys.tolist(), numbers.tolist(), strict=True))
    waiting = int(transaction.fact(f"waiting {kind}") or 0) + documents
    transaction.set_fact(f"waiting {kind}", str(waiting))
    if waiting >= SMALLEST:
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
    while together := to_merge(transaction.segments(kind)):
        _merge(transaction, kind, together)


def merge_all(transaction: Transaction, kind: int) -> None:
    """One segment of all entries of the documents that are there."""
    fold_waiting(transaction, kind)
    segments = transaction.segments(kind)
    if segments:
        _merge(transaction, kind, segments)


def _merge(transaction: Transaction, kind: int, segments: Sequence[Segment]) -> None:
    parts = [
        np.frombuffer(b"".join(transaction.all_buckets(segment.number)), "<u8")
        for segment in segments
    ]
    entries = _core.merge_entries(parts, _present(transaction))
    transaction.drop_segments([segment.number for segment in segments])
    documents = _core.count_documents(entries)
    if documents:
        add_segment(transaction, kind, entries, documents)
    else:
        transaction.set_fact("version", str(int(transaction.fact("version") or 0) + 1))


def _present(transaction: Transaction) -> NDArray[np.uint8]:
    """A flag for each number that a document has or had; none, if all are still there."""
    numbers = int(transaction.fact("next") or 1)
    if transaction.count() == numbers - 1:
        return np.zeros(0, np.uint8)
    flags = np.zeros(numbers, np.uint8)
    flags[np.fromiter(transaction.numbers(), np.intp)] = 1
    return flags
