"""The exact similarity, by counting: the reference for every estimate."""

from __future__ import annotations

import numpy as np

from likewise.comparison.partitions import Partitions, tally
from likewise.statistics.estimate import Estimate
from likewise.study.estimators.estimator import checked
from likewise.study.shingled import Shingled

BLOCK = 1 << 16  # shingles in memory on their way to disk
MEMORY = 16 << 20  # bytes in which they are counted


def shared_elements(a: Shingled, b: Shingled) -> int:
    """The number of elements that two texts share; in a bag, the sum of the smaller counts."""
    return len(np.intersect1d(a.elements, b.elements, assume_unique=True))


def jaccard(shared: float, size_a: int, size_b: int) -> float:
    return shared / (size_a + size_b - shared)


@checked
def exact(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> Estimate:
    """The Jaccard similarity itself; `values` and `seed` have no effect."""
    return _exactly(jaccard(shared_elements(a, b), len(a), len(b)), level)


@checked
def exact_by_file(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> Estimate:
    """The same in bounded memory, as `likewise compare` does it with large files."""
    bags = Partitions(), Partitions()
    for side, bag in zip((a, b), bags, strict=True):
        for begin in range(0, len(side.sequence), BLOCK):
            bag.add(side.sequence[begin : begin + BLOCK])
    counts = tally(*bags, MEMORY)
    for bag in bags:
        bag.close()
    if a.bag:
        return _exactly(jaccard(counts.total_shared, counts.total_a, counts.total_b), level)
    return _exactly(jaccard(counts.distinct_shared, counts.distinct_a, counts.distinct_b), level)


def _exactly(similarity: float, level: float) -> Estimate:
    return Estimate(similarity, similarity, similarity, level, "exact")
