"""The exact similarity, by counting: what every estimate is held against."""

from __future__ import annotations

import numpy as np

from likewise.comparison.partitions import Partitions, tally
from likewise.statistics.estimate import Estimate
from likewise.study.estimators.estimator import check_arguments
from likewise.study.shingled import Shingled

BLOCK = 1 << 16  # shingles in memory on their way to disk
MEMORY = 16 << 20  # bytes in which they are counted


def shared_elements(a: Shingled, b: Shingled) -> int:
    """How many elements two texts share; in a bag, the sum of the smaller counts.

    Gospels finds it by marrying equal shingles in a double loop over both texts; the elements of
    a bag carry their occurrence number, so one merge of two sorted arrays gives the same.
    """
    return len(np.intersect1d(a.elements, b.elements, assume_unique=True))


def jaccard(shared: float, size_a: int, size_b: int) -> float:
    """The similarity of two sets or bags, from their sizes and what they share."""
    return shared / (size_a + size_b - shared)


def exact(a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95) -> Estimate:
    """The Jaccard similarity itself; `values` and `seed` change nothing."""
    check_arguments(a, b, values, seed, level)
    similarity = jaccard(shared_elements(a, b), len(a), len(b))
    return Estimate(similarity, similarity, similarity, level, "exact")


def exact_by_file(
    a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
) -> Estimate:
    """The same in bounded memory: shingles on disk, split by hash, counted part by part.

    What `likewise compare` does with files that do not fit in memory, here with shingles that do.
    """
    check_arguments(a, b, values, seed, level)
    first, second = Partitions(), Partitions()
    for side, bag in ((a, first), (b, second)):
        for begin in range(0, len(side.sequence), BLOCK):
            bag.add(side.sequence[begin : begin + BLOCK])
    counted = tally(first, second, MEMORY)
    first.close()
    second.close()
    if a.bag:
        similarity = jaccard(counted.total_shared, counted.total_a, counted.total_b)
    else:
        similarity = jaccard(counted.distinct_shared, counted.distinct_a, counted.distinct_b)
    return Estimate(similarity, similarity, similarity, level, "exact")
