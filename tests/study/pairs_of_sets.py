"""Pairs of sets with a known similarity, for trials of estimators."""

from __future__ import annotations

import numpy as np

from likewise.study.shingled import Shingled


def pair_of_sets(
    alone_a: int, shared: int, alone_b: int, seed: int = 0
) -> tuple[Shingled, Shingled]:
    """Two sets of random hashes with so many elements alone and shared."""
    random = np.random.Generator(np.random.PCG64(seed))
    drawn = random.integers(0, 2**64, size=alone_a + shared + alone_b, dtype=np.uint64).tolist()
    assert len(set(drawn)) == len(drawn)
    return Shingled.of_set(drawn[: alone_a + shared]), Shingled.of_set(drawn[alone_a:])


def random_letters(length: int, seed: int, letters: str = "etaoinshrdlu") -> str:
    """A text of random letters, the first ones more often."""
    random = np.random.Generator(np.random.PCG64(seed))
    share = 1 / np.arange(1, len(letters) + 1)
    return "".join(random.choice(list(letters), length, p=share / share.sum()))
