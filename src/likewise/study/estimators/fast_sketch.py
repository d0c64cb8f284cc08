"""The fast similarity sketch in NumPy: slow and plain, with the same numbers as the core's."""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes
from likewise.statistics.bands import check_values
from likewise.study.estimators.estimator import by_agreement
from likewise.study.estimators.randomness import hash_keys, mix
from likewise.study.shingled import Shingled

EMPTY = 0xFFFFFFFF
_ROUNDS = 31  # after round 0
_ROUND_BITS = 26
_LATER_ROUNDS = 2**31
_MASK = 2**64 - 1
_LOW_HALF = np.uint64(2**32 - 1)


@by_agreement()
def sketch(a: Shingled, b: Shingled, values: int, seed: int) -> int:
    """Sketches of `values` numbers, of elements hashed anew by the seed."""
    key = hash_keys(seed, 1)[0]
    first, second = (fast_similarity_sketch(mix(s.elements, key), values) for s in (a, b))
    return int(np.count_nonzero(first == second))


def fast_similarity_sketch(hashes: Hashes, values: int) -> Hashes:
    """The sketch of a set of hashes.

    Each round gives every hash a bin and a value that is above those of all rounds before; a bin
    keeps its least. Rounds go on for the bins that are still empty.
    """
    check_values(values)
    bins = np.full(values, EMPTY, dtype=np.uint64)
    if len(hashes) == 0:
        return bins
    # The upper half of hash * values, in 128 bits, is the bin; of the lower half 31 bits count.
    many = np.uint64(values)
    product = (hashes >> np.uint64(32)) * many + ((hashes & _LOW_HALF) * many >> np.uint64(32))
    np.minimum.at(bins, product >> np.uint64(32), (product & _LOW_HALF) >> np.uint64(1))
    elements = hashes & _LOW_HALF
    for number in range(1, _ROUNDS + 1):
        empty = bins == EMPTY
        if not empty.any():
            return bins
        again = _rehashed(elements, number)
        base = _LATER_ROUNDS + ((number - 1) << _ROUND_BITS)
        bin_ = again * many >> np.uint64(32)
        open_ = empty[bin_]
        value = np.uint64(base) + (again & np.uint64(2**_ROUND_BITS - 1))
        np.minimum.at(bins, bin_[open_], value[open_])
    for left in np.flatnonzero(bins == EMPTY).tolist():
        least = int(_rehashed(elements, _ROUNDS + 1 + left).min()) >> (32 - _ROUND_BITS)
        last_resort = _LATER_ROUNDS + (_ROUNDS << _ROUND_BITS)
        bins[left] = last_resort + min(least, 2**_ROUND_BITS - 2)
    return bins


def _rehashed(elements: Hashes, number: int) -> Hashes:
    """Re-hash of a number: (x ^ offset) * factor modulo 2^32."""
    z = (number + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    z ^= z >> 31
    offset, factor = np.uint64(z & 0xFFFFFFFF), np.uint64(z >> 32 | 1)
    return ((elements ^ offset) * factor) & _LOW_HALF
