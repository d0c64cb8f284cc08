"""Filters: which keys a segment may contain, without reading it.

Bands have one bit per key, chosen by its leading bits. A text has hundreds of runs and words to
look up, of which that would let through one in ten wrongly; they have a blocked Bloom filter of the
same size, which lets through one in fifty or fewer. Both are in the order of the keys, so that a
filter can be made slice by slice, and made smaller when there are fewer keys than expected.
"""

from __future__ import annotations

import numpy as np

from likewise import _core
from likewise.arrays import U8, U32, U64
from likewise.index.postings.entries import BANDS

MIN_BITS_PER_KEY = 8  # fewer than twice as many are used
_MAX_BITS = 32
_BLOCK_BITS = 9  # of a block of a Bloom filter, 2^9


class OneBitFilter:
    """2^bits bits, of which the leading bits of a key choose one."""

    min_bits = 10

    def make(self, entries: U64, bits: int, skip: int) -> U8:
        """The part of a filter for sorted entries whose keys share their first `skip` bits."""
        return _core.key_filter(entries << np.uint64(skip), bits=bits - skip)

    def smaller(self, filter_: U8) -> U8:
        """A filter with an eighth of the bits."""
        return np.packbits(filter_ != 0, bitorder="little")

    def matching(self, filter_: U8, bits: int, keys: U32) -> U32:
        """The keys that the segment may contain."""
        places = keys >> np.uint32(32 - bits)
        bit = filter_[places >> np.uint32(3)] >> (places & np.uint32(7)).astype(np.uint8)
        matching: U32 = keys[(bit & np.uint8(1)).astype(bool)]
        return matching


class BloomFilter(OneBitFilter):
    """2^bits bits in blocks; see `OneBitFilter`."""

    min_bits = 12

    def make(self, entries: U64, bits: int, skip: int) -> U8:
        return _core.bloom_filter(entries, bits=bits - _BLOCK_BITS, skip=skip)

    def smaller(self, filter_: U8) -> U8:
        smaller: U8 = np.bitwise_or.reduce(filter_.reshape(-1, 8, 64), axis=1).ravel()
        return smaller

    def matching(self, filter_: U8, bits: int, keys: U32) -> U32:
        return _core.keys_in_bloom(filter_, keys, bits=bits - _BLOCK_BITS)


_ONE_BIT, _BLOOM = OneBitFilter(), BloomFilter()


def filter_of(kind: int) -> OneBitFilter:
    """The filter for entries of a kind."""
    return _ONE_BIT if kind == BANDS else _BLOOM


def bits_for(filter_: OneBitFilter, keys: int, slice_bits: int = 0) -> int:
    """The size of a filter for a number of keys, as a power of two."""
    wanted = int(MIN_BITS_PER_KEY * keys).bit_length()
    return min(_MAX_BITS, max(slice_bits + filter_.min_bits, wanted))
