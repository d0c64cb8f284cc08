"""RUM: the elements of both texts in one list, so that their union need not be formed.

Published, the functions act on the row numbers, which do not depend on the texts: the result is the
same for any two texts of the same lengths. Two variants work. With the element hashed instead of
its row, equal elements meet, and it is MinHash. With the matrix of (2.3) of Law, where an element
of both texts has two rows and both are marked in both columns, the first row in a random order is
marked twice with probability 2J / (1 + J), the Dice similarity.
"""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.statistics.intervals import jaccard_from_dice
from likewise.study.estimators.affine import affine_minimum
from likewise.study.estimators.estimator import by_agreement, checked, without_interval
from likewise.study.estimators.exact import shared_elements
from likewise.study.estimators.randomness import generator, hash_keys, mix
from likewise.study.shingled import Shingled
from likewise.whole_numbers import check_whole

DRAWS = 10_000  # of the paper


@checked
def rum_published(
    a: Shingled, b: Shingled, values: int, seed: int, level: float, draws: int = DRAWS
) -> Estimate:
    """Affine functions on the row numbers of two draws, one after the other (Gospels, 5.3.2).

    Nothing is actually drawn, since the result depends only on the numbers of draws.
    """
    check_whole("draws", draws, 1)
    sizes = [min(draws, len(s.sequence if s.bag else s.elements)) for s in (a, b)]
    count = sum(sizes)
    rows = np.arange(1, count + 1, dtype=np.uint64)
    functions = generator(seed).integers(1, count, size=(values, 2), endpoint=True).tolist()
    agreeing = sum(rows_agree(rows, sizes[0], x, y) for x, y in functions)
    return without_interval(agreeing / values, level, "it is blind to the texts")


def rows_agree(rows: Hashes, size_a: int, x: int, y: int) -> bool:
    """Whether the first `size_a` rows and the others have the same least x * i + y modulo all.

    Averaged over y it is 0 where x and the number of rows have no common divisor, and otherwise
    the smaller size times the greatest common divisor, over the number of rows; at most 1.
    """
    n = len(rows)
    return affine_minimum(rows[:size_a], x, y, n) == affine_minimum(rows[size_a:], x, y, n)


@by_agreement()
def rum_hashed(a: Shingled, b: Shingled, values: int, seed: int) -> int:
    """The same list with each row's element hashed: MinHash, which estimates J itself.

    To turn it into s / (2 - s), as the paper would, is wrong.
    """
    rows = np.concatenate((a.elements, b.elements))
    agreeing = 0
    for key in hash_keys(seed, values):
        hashes = mix(rows, key)
        agreeing += int(hashes[: len(a)].min() == hashes[len(a) :].min())
    return agreeing


@checked
def rum_matrix(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> Estimate:
    """The matrix of (2.3) in random orders; Dice's similarity s, converted to J = s / (2 - s)."""
    random = generator(seed)
    shared = shared_elements(a, b)
    # Rows of a alone, the shared ones twice, rows of b alone: each text is one run of rows.
    end_of_a, start_of_b = len(a) + shared, len(a) - shared
    agreeing = 0
    for _ in range(values):
        # Rows in the order of random numbers are in random order; two equal ones among a million
        # come up once in many million functions.
        order = random.integers(0, 2**64, size=len(a) + len(b), dtype=np.uint64)
        agreeing += int(order[:end_of_a].min() == order[start_of_b:].min())
    return jaccard_from_dice(binomial_estimate(agreeing, values, level))
