"""MinHash by functions x * i + y modulo n, which are not random orders.

For two texts and functions drawn independently, the agreeing minima are binomial, but not with the
similarity as probability. It is far higher if n has small divisors, which x often shares, so that
many rows get the same number; and it is biased for rows in long runs, whatever n is. Modulo a large
prime, on hashed elements, it is close to the similarity.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from likewise.arrays import Hashes
from likewise.study.estimators.estimator import by_agreement
from likewise.study.estimators.randomness import generator, mix
from likewise.study.shingled import Shingled, matrix_rows

OWN_LAW = "binomial, Clopper-Pearson; of its own probability of agreement, not the similarity"

MERSENNE = 2**61 - 1  # a prime, with remainders by shifts
PAPERS_ROWS = 1_000_003
PAPERS_MODULUS = 10_000_013  # 421 * 23,753; taken for a prime by the source


def affine_minimum(rows: Hashes, x: int, y: int, n: int) -> int:
    """The least x * i + y modulo n over rows i; a remainder of 0 is written as n."""
    # From 1 to n instead of 0 to n - 1: one less before the remainder, one more behind it.
    return int(((rows * np.uint64(x) + np.uint64(y + n - 1)) % np.uint64(n)).min()) + 1


@by_agreement(law=OWN_LAW)
def ru(a: Shingled, b: Shingled, values: int, seed: int) -> int:
    """Affine functions on the row numbers of the representation matrix (Gospels, 5.3)."""
    count, *rows = matrix_rows(a, b)
    rows_a, rows_b = (own.astype(np.uint64) + np.uint64(1) for own in rows)
    functions = generator(seed).integers(1, count, size=(values, 2), endpoint=True)
    return sum(
        affine_minimum(rows_a, x, y, count) == affine_minimum(rows_b, x, y, count)
        for x, y in functions.tolist()
    )


@by_agreement(law=OWN_LAW)
def affine_papers(a: Shingled, b: Shingled, values: int, seed: int) -> int:
    """((x * i + y) mod 10,000,013) mod 1,000,003 on hashes mod 1,000,003 (Papers, 4.1)."""
    rows_a, rows_b = (np.unique(side.elements % np.uint64(PAPERS_ROWS)) for side in (a, b))
    return sum(
        papers_minimum(rows_a, x, y) == papers_minimum(rows_b, x, y)
        for x, y in _functions(PAPERS_MODULUS, values, seed)
    )


def papers_minimum(rows: Hashes, x: int, y: int) -> int:
    """The least value of Papers' function over rows."""
    folded = (rows * np.uint64(x) + np.uint64(y)) % np.uint64(PAPERS_MODULUS)
    return int((folded % np.uint64(PAPERS_ROWS)).min())


@by_agreement()
def affine_prime(a: Shingled, b: Shingled, values: int, seed: int) -> int:
    """Affine functions modulo the prime 2^61 - 1, on elements hashed to 61 bits.

    With 31 bits, a few of a hundred thousand elements would collide.
    """
    # Hashed once more, always alike, for elements that are not hashes: numbers in a row.
    hashed = [mix(side.elements, np.uint64(0)) >> np.uint64(3) for side in (a, b)]
    halves = [(h >> np.uint64(32), h & np.uint64(2**32 - 1)) for h in hashed]
    return sum(
        _mersenne_minimum(*halves[0], x, y) == _mersenne_minimum(*halves[1], x, y)
        for x, y in _functions(MERSENNE, values, seed)
    )


def _functions(modulus: int, values: int, seed: int) -> Iterable[tuple[int, int]]:
    """x from 1 and y from 0 to modulus - 1, for each function."""
    x, y = generator(seed).integers([[1], [0]], modulus, size=(2, values)).tolist()
    return zip(x, y, strict=True)


def _mersenne_minimum(high: Hashes, low: Hashes, x: int, y: int) -> int:
    """The least x * (high * 2^32 + low) + y modulo 2^61 - 1.

    The product has 122 bits and is put together from parts of 64: 2^61 counts as 1, and so 2^64
    as 8. Nothing below exceeds 64 bits, as x and the elements have 61.
    """
    x_high, x_low = np.uint64(x >> 32), np.uint64(x & (2**32 - 1))
    prime, bits = np.uint64(MERSENNE), np.uint64(61)
    middle = high * x_low
    middle += low * x_high
    bottom = low * x_low
    total = high * (x_high << np.uint64(3))
    total += middle >> np.uint64(29)
    total += (middle & np.uint64(2**29 - 1)) << np.uint64(32)
    total += bottom >> bits
    bottom &= prime
    total += bottom
    total += np.uint64(y)
    folded = (total & prime) + (total >> bits)
    # Less than the prime already, or a little over it: then the difference is the smaller.
    return int(np.minimum(folded, folded - prime).min())
