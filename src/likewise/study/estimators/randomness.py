"""Seeded randomness for estimators: a generator, and hash functions for whole arrays."""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes


def generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def hash_keys(seed: int, count: int) -> Hashes:
    """Keys of `count` hash functions."""
    return generator(seed).integers(0, 2**64, size=count, dtype=np.uint64)


def mix(elements: Hashes, key: np.uint64) -> Hashes:
    """Hashes every element by the finaliser of splitmix64, a bijection: there are no collisions."""
    z = elements ^ key
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z
