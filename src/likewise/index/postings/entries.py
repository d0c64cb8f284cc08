"""Entries of the index: (key, document) as one number of 64 bits, the key above the document.

A key of a band is 32 bits of a mix of its number and its 64-bit key. Two different bands agree in
them once in four billion times, which costs one needless look at a document: every candidate is
verified. Keys of passages are the leading 32 bits of a hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import U32, U64
from likewise.index.damage import DamageError
from likewise.index.stored_document import MAX_DOCUMENT

Number = TypeVar("Number", np.uint32, np.uint64)

# Kinds of entries; each has its own segments.
BANDS = 0  # bands of signatures: documents that are similar as a whole
RUNS = 1  # shingles: documents that share a run of words
WORDS = 2  # rare words: documents that may contain an edited copy
_DOCUMENT_BITS = np.uint64(32)
_DOCUMENT_MASK = np.uint64(2**32 - 1)


def short_keys(band_keys: U64) -> U32:
    """Keys [bands, documents] of 64 bits to keys of 32, different for each band."""
    bands = np.arange(1, len(band_keys) + 1, dtype=np.uint64)[:, None]
    mixed = (band_keys ^ (bands * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    return (mixed >> np.uint64(32)).astype(np.uint32)


def entries_of(keys: U32, documents: U64) -> U64:
    """Sorted entries of short keys [bands, documents] and the numbers of the documents."""
    packed = (keys.astype(np.uint64) << _DOCUMENT_BITS | documents[None, :]).ravel()
    return sorted_once(packed)  # two bands of one document may have the same short key


def sorted_once(numbers: NDArray[Number]) -> NDArray[Number]:
    """Sorts in place and drops repeated numbers. NumPy's `unique` takes ten times as long."""
    numbers.sort()
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers if first.all() else numbers[first]


def entries_in(buckets: Iterable[bytes]) -> U64:
    """The entries of stored buckets. Raises `DamageError`."""
    data = b"".join(buckets)
    if len(data) % 8:
        raise DamageError("the size of a bucket is not a number of entries")
    return np.frombuffer(data, "<u8").astype(np.uint64, copy=False)


def entries_of_pairs(pairs: Sequence[tuple[int, int]]) -> U64:
    """Stored pairs (key, document) as entries. Raises `DamageError`."""
    columns = np.array(pairs, np.int64).reshape(-1, 2).T
    keys, documents = columns
    if ((keys < 0) | (keys >> 32 != 0) | (documents < 1) | (documents > MAX_DOCUMENT)).any():
        raise DamageError("a waiting entry has an impossible key or document")
    entries: U64 = keys.astype(np.uint64) << _DOCUMENT_BITS | documents.astype(np.uint64)
    return entries


def renumbered(entries: U64, numbers: NDArray[np.int64]) -> U64:
    """Sorted entries of documents 0, 1, ... with new numbers, which ascend; without the entries of
    documents whose number is negative."""
    own = numbers[documents_of(entries).astype(np.intp)]
    kept = own >= 0
    entries_kept: U64 = (entries[kept] & ~_DOCUMENT_MASK) | own[kept].astype(np.uint64)
    return entries_kept


def keys_of(entries: U64) -> U32:
    return (entries >> _DOCUMENT_BITS).astype(np.uint32)


def documents_of(entries: U64) -> U64:
    return entries & _DOCUMENT_MASK
