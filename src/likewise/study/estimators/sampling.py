"""Estimates from a sample of the shingles: as published, corrected, and coordinated.

Gospels draws 10,000 shingles from each text independently and compares the draws. Draws at rates f1
and f2 have only f1 * f2 of the shared shingles in common, so their similarity says more about the
rates than about the texts. Dividing by f1 * f2 corrects the mean of the shared shingles, at the
price of a wide interval and a small bias where the draws are few. Sampling both texts by one hash,
so that the same elements are kept in both, avoids the problem.
"""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.study.estimators.estimator import checked, without_interval
from likewise.study.estimators.exact import jaccard
from likewise.study.estimators.randomness import generator, hash_keys, mix
from likewise.study.estimators.two_draws import shared_interval
from likewise.study.shingled import Shingled


@checked
def sampling_published(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> Estimate:
    """The similarity of `values` shingles drawn from each text (Gospels, theorem 2).

    In a bag, they are drawn from all positions of the text; in a set, from its different shingles.
    """
    random = generator(seed)
    drawn = [_draw(random, side.sequence if side.bag else side.elements, values) for side in (a, b)]
    value = jaccard(_shared_with_repeats(*drawn), *map(len, drawn))
    return without_interval(value, level, "it is the similarity of the draws, not of the texts")


@checked
def sampling_corrected(a: Shingled, b: Shingled, values: int, seed: int, level: float) -> Estimate:
    """The same draws, of elements, with the number of shared ones divided by f1 * f2."""
    random = generator(seed)
    drawn_a, drawn_b = (_draw(random, side.elements, values) for side in (a, b))
    found = len(np.intersect1d(drawn_a, drawn_b, assume_unique=True))
    sizes, draws = (len(a), len(b)), (len(drawn_a), len(drawn_b))
    scale = (sizes[0] / draws[0]) * (sizes[1] / draws[1])
    shared = min(found * scale, *sizes)
    limits = shared_interval(found, sizes, draws, level)
    value, low, high = (jaccard(number, *sizes) for number in (shared, *limits))
    return Estimate(value, low, high, level, "two hypergeometric draws, exact")


@checked
def sampling_coordinated(
    a: Shingled, b: Shingled, values: int, seed: int, level: float
) -> Estimate:
    """Keeps the elements whose hash is below a limit: the same ones in both texts.

    The limit keeps about `values` elements of the larger text, so nothing about the overlap need be
    known beforehand. Given how many of the union were kept, those in both are hypergeometric, which
    varies less than binomial.
    """
    rate = values / max(len(a), len(b))
    if rate >= 1:
        kept_a, kept_b = a.elements, b.elements
    else:
        key, limit = hash_keys(seed, 1)[0], np.uint64(rate * 2.0**64)
        kept_a, kept_b = (s.elements[mix(s.elements, key) < limit] for s in (a, b))
    both = len(np.intersect1d(kept_a, kept_b, assume_unique=True))
    either = len(kept_a) + len(kept_b) - both
    if rate >= 1:
        return Estimate(both / either, both / either, both / either, level, "exact: all were kept")
    if either == 0:
        return without_interval(0.0, level, "no element was kept")
    return binomial_estimate(both, either, level)


def _draw(random: np.random.Generator, shingles: Hashes, draws: int) -> Hashes:
    """Draws without replacement; all of them if there are no more."""
    if draws >= len(shingles):
        return shingles
    return random.choice(shingles, draws, replace=False, shuffle=False)


def _shared_with_repeats(x: Hashes, y: Hashes) -> int:
    """The number of pairs of equal shingles, each shingle in at most one pair."""
    different_x, times_x = np.unique(x, return_counts=True)
    different_y, times_y = np.unique(y, return_counts=True)
    _, at_x, at_y = np.intersect1d(
        different_x, different_y, assume_unique=True, return_indices=True
    )
    return int(np.minimum(times_x[at_x], times_y[at_y]).sum())
