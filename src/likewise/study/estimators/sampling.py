"""Estimates from a sample of the shingles: as published, corrected, and coordinated.

Gospels draws 10,000 shingles from each text, each draw by itself, and compares the draws. Of what
two sets share, draws at rates f1 and f2 keep only f1 * f2 in common, so their similarity says
more about the rates than about the texts. Dividing by f1 * f2 mends the mean of what is shared (the
similarity, which is not linear in it, stays off by a little where the draws are few), at the price
of a wide interval; sampling both texts by one hash, so that the same elements survive in both,
mends it for good.
"""

from __future__ import annotations

import numpy as np

from likewise.arrays import Hashes
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.study.estimators.estimator import check_arguments, without_interval
from likewise.study.estimators.exact import jaccard
from likewise.study.estimators.randomness import generator, hash_keys, mixed
from likewise.study.estimators.two_draws import shared_interval
from likewise.study.shingled import Shingled


def sampling_published(
    a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
) -> Estimate:
    """The similarity of `values` shingles drawn from each text (Gospels, theorem 2).

    Of a bag, the draw is from all positions of the text; of a set, from its different shingles. A
    text with fewer is taken whole.
    """
    check_arguments(a, b, values, seed, level)
    random = generator(seed)
    drawn = [_draw(random, side.sequence if side.bag else side.elements, values) for side in (a, b)]
    value = jaccard(_marriages(*drawn), *map(len, drawn))
    return without_interval(value, level, "it is the similarity of the draws, not of the texts")


def sampling_corrected(
    a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
) -> Estimate:
    """The same draws with what they share divided by f1 * f2, which is right on average.

    Elements are drawn, so that in a bag the n-th occurrence of a shingle meets only the n-th.
    """
    check_arguments(a, b, values, seed, level)
    random = generator(seed)
    drawn_a, drawn_b = (_draw(random, side.elements, values) for side in (a, b))
    found = len(np.intersect1d(drawn_a, drawn_b, assume_unique=True))
    sizes, draws = (len(a), len(b)), (len(drawn_a), len(drawn_b))
    scale = (sizes[0] / draws[0]) * (sizes[1] / draws[1])
    shared = min(found * scale, *sizes)
    low, high = shared_interval(found, sizes, draws, level)
    return Estimate(
        jaccard(shared, *sizes),
        jaccard(low, *sizes),
        jaccard(high, *sizes),
        level,
        "two hypergeometric draws, exact",
    )


def sampling_coordinated(
    a: Shingled, b: Shingled, *, values: int, seed: int, level: float = 0.95
) -> Estimate:
    """Keeps the elements whose hash is under a limit: the same ones survive in both texts.

    The limit lets about `values` elements of the larger text survive, so that nothing of the
    overlap need be known beforehand. Given how many of the union were kept, those in both are
    hypergeometric, which varies less than binomial.
    """
    check_arguments(a, b, values, seed, level)
    rate = values / max(len(a), len(b))
    if rate >= 1:
        kept_a, kept_b = a.elements, b.elements
    else:
        key, limit = hash_keys(seed, 1)[0], np.uint64(rate * 2.0**64)
        kept_a, kept_b = (s.elements[mixed(s.elements, key) < limit] for s in (a, b))
    both = len(np.intersect1d(kept_a, kept_b, assume_unique=True))
    either = len(kept_a) + len(kept_b) - both
    if rate >= 1:
        return Estimate(both / either, both / either, both / either, level, "exact: all were kept")
    if either == 0:
        return without_interval(0.0, level, "no element was kept")
    return binomial_estimate(both, either, level)


def _draw(random: np.random.Generator, shingles: Hashes, draws: int) -> Hashes:
    """That many without replacement, or all where there are no more."""
    if draws >= len(shingles):
        return shingles
    return random.choice(shingles, draws, replace=False, shuffle=False)


def _marriages(x: Hashes, y: Hashes) -> int:
    """How many pairs of equal shingles can be formed, each shingle in one pair at most."""
    different_x, times_x = np.unique(x, return_counts=True)
    different_y, times_y = np.unique(y, return_counts=True)
    _, at_x, at_y = np.intersect1d(
        different_x, different_y, assume_unique=True, return_indices=True
    )
    return int(np.minimum(times_x[at_x], times_y[at_y]).sum())
