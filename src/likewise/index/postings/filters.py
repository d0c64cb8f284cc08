"""Filters: which keys a segment may hold, without reading it.

Bands have one bit a key, chosen by its leading bits. A text has hundreds of runs and words to look
up, where that would let one in ten through in vain; they have a Bloom filter in blocks, which takes
the same room and lets through one in fifty or fewer. Both are in the order of the keys, so that a
filter can be made slice by slice, and made smaller when there are fewer keys than there might be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from likewise import _core
from likewise.index.postings.entries import BANDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U8 = NDArray[np.uint8]
    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

BITS_A_KEY = 8  # at least; less than twice as many
_BLOCK_BITS = 9  # of a block of a Bloom filter, 2^9


class Filter(Protocol):
    """A kind of filter; one that is made has 2^bits bits."""

    least: int
    most: int

    def make(self, entries: U64, bits: int, skip: int) -> U8:
        """Of sorted entries whose keys share their first `skip` bits, without what others have."""

    def smaller(self, filter_: U8) -> U8:
        """With an eighth of the bits."""

    def holding(self, filter_: U8, bits: int, keys: U32) -> U32:
        """The keys that may be held."""


class _OneBit:
    least, most = 10, 32

    def make(self, entries: U64, bits: int, skip: int) -> U8:
        return _core.key_filter(entries << np.uint64(skip), bits=bits - skip)

    def smaller(self, filter_: U8) -> U8:
        return np.packbits(filter_ != 0, bitorder="little")

    def holding(self, filter_: U8, bits: int, keys: U32) -> U32:
        places = keys >> np.uint32(32 - bits)
        held = filter_[places >> np.uint32(3)] >> (places & np.uint32(7)).astype(np.uint8)
        found: U32 = keys[(held & np.uint8(1)).astype(bool)]
        return found


class _Bloom:
    least, most = 12, 32

    def make(self, entries: U64, bits: int, skip: int) -> U8:
        return _core.bloom_filter(entries, bits=bits - _BLOCK_BITS, skip=skip)

    def smaller(self, filter_: U8) -> U8:
        made: U8 = np.bitwise_or.reduce(filter_.reshape(-1, 8, 64), axis=1).ravel()
        return made

    def holding(self, filter_: U8, bits: int, keys: U32) -> U32:
        return _core.keys_in_bloom(filter_, keys, bits=bits - _BLOCK_BITS)


_ONE_BIT, _BLOOM = _OneBit(), _Bloom()


def filter_of(kind: int) -> Filter:
    """The kind of filter that entries of a kind have."""
    return _ONE_BIT if kind == BANDS else _BLOOM


def bits_for(filter_: Filter, keys: int, slice_bits: int = 0) -> int:
    """How many bits a filter of so many keys has, as a power of two."""
    wanted = int(BITS_A_KEY * keys).bit_length()
    return min(filter_.most, max(filter_.least, slice_bits + filter_.least, wanted))
