"""Seeded randomness for estimators: a generator, and hash functions for whole arrays."""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes


def generator(seed: int) -> np.random.Generator:
    """The random numbers of a seed."""
    return np.random.Generator(np.random.PCG64(seed))


def hash_keys(seed: int, count: int) -> Hashes:
    """Keys of that many hash functions."""
    return generator(seed).integers(0, 2**64, size=count, dtype=np.uint64)


def mixed(elements: Hashes, key: np.uint64) -> Hashes:
    """Every element under the hash function of a key: the finaliser of splitmix64.

    It is a bijection, so that different elements never collide.
    """
    z = elements ^ key
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z
