"""MinHash under random orders, and under a good hash function in their place.

Of the union of two texts, whatever comes first in a random order is in both with a probability
that is their similarity. So the count of agreeing minima over k orders is Binomial(k, J).
"""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.study.estimators.estimator import check_arguments
from likewise.study.estimators.matrix import Matrix
from likewise.study.estimators.randomness import generator, hash_keys, mixed
from likewise.study.shingled import Shingled


def permutations(
    a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
) -> Estimate:
    """`values` shuffles of the union; which element of each text comes first (Tweets)."""
    check_arguments(a, b, values, seed, level)
    random = generator(seed)
    matrix = Matrix.of(a, b)
    in_a, in_b = matrix.columns()
    agreeing = 0
    for _ in range(values):
        order = random.permutation(matrix.count)
        agreeing += int(in_a[order].argmax() == in_b[order].argmax())
    return binomial_estimate(agreeing, values, level)


def minhash(a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95) -> Estimate:
    """`values` hash functions on the elements; whether the least hash of each text agrees."""
    check_arguments(a, b, values, seed, level)
    first, second = (minhash_signature(side.elements, values, seed) for side in (a, b))
    return binomial_estimate(int(np.count_nonzero(first == second)), values, level)


def minhash_signature(elements: Hashes, values: int, seed: int) -> Hashes:
    """The least hash of some elements under each of `values` functions."""
    return np.array([mixed(elements, key).min() for key in hash_keys(seed, values)])
