"""MinHash with random orders, and with a good hash function instead.

The first element of the union of two texts in a random order is in both with a probability equal to
their similarity. So the number of agreeing minima over k orders is Binomial(k, J).
"""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes
from likewise.study.estimators.estimator import by_agreement
from likewise.study.estimators.randomness import generator, hash_keys, mix
from likewise.study.shingled import Shingled, matrix_rows


@by_agreement()
def permutations(a: Shingled, b: Shingled, values: int, seed: int) -> int:
    """`values` shuffles of the union; which element of each text comes first (Tweets)."""
    random = generator(seed)
    count, rows_a, rows_b = matrix_rows(a, b)
    place = np.empty(count, np.int64)
    agreeing = 0
    for _ in range(values):
        place[random.permutation(count)] = np.arange(count)
        agreeing += int(place[rows_a].min() == place[rows_b].min())
    return agreeing


@by_agreement()
def minhash(a: Shingled, b: Shingled, values: int, seed: int) -> int:
    """`values` hash functions on the elements; whether the minima of both texts agree."""
    first, second = (minhash_signature(side.elements, values, seed) for side in (a, b))
    return int(np.count_nonzero(first == second))


def minhash_signature(elements: Hashes, values: int, seed: int) -> Hashes:
    """The minimum hash of the elements under each of `values` functions."""
    return np.array([mix(elements, key).min() for key in hash_keys(seed, values)])
