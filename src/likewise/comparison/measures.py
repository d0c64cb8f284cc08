"""Measures of two texts, each a small function of words, counts or shingle hashes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from likewise.arrays import Hashes

# Edit distance takes steps in proportion to the product of the lengths, 64 in one: over this it
# would take longer than all other measures together by orders of magnitude.
MAX_EDIT_STEPS = 40_000_000_000


def overlap(a: Hashes, b: Hashes) -> tuple[int, int, int]:
    """Sizes of two sets of hashes, and of what they share."""
    first, second = distinct(a), distinct(b)
    return len(first), len(second), len(np.intersect1d(first, second, assume_unique=True))


def distinct(hashes: Hashes) -> Hashes:
    """Each hash once, in ascending order; NumPy's own way, by a hash table, is much slower."""
    ordered = np.sort(hashes)
    again = np.zeros(len(ordered), bool)
    again[1:] = ordered[1:] == ordered[:-1]
    kept: Hashes = ordered[~again]
    return kept


def share(part: int, whole: int) -> float:
    """part / whole; 0 where there is nothing."""
    return part / whole if whole else 0.0


def jaccard(size_a: int, size_b: int, shared: int) -> float:
    """|A ∩ B| / |A ∪ B|."""
    return share(shared, size_a + size_b - shared)


def dice(size_a: int, size_b: int, shared: int) -> float:
    """2 |A ∩ B| / (|A| + |B|), which is 2J / (1 + J)."""
    return share(2 * shared, size_a + size_b)


def cosine(a: dict[str, float], b: dict[str, float]) -> float:
    """Cosine of the angle between two vectors of weights by word."""
    # hypot is exact enough to give 1 for equal vectors, and min takes care of the last bit.
    lengths = math.hypot(*a.values()) * math.hypot(*b.values())
    if lengths == 0:
        return 0.0
    return min(1.0, math.fsum(weight * b.get(word, 0.0) for word, weight in a.items()) / lengths)


def count_cosine(a: Sequence[str], b: Sequence[str]) -> float:
    """Cosine of word counts; blind to the order of the words."""
    return cosine({w: float(n) for w, n in Counter(a).items()}, dict(Counter(b)))


def smoothed_idf(documents: int, containing: int) -> float:
    """log(1 + N / df): a word in all documents still counts a little."""
    return math.log(1 + documents / containing)


def tf_idf_cosine(a: Sequence[str], b: Sequence[str]) -> float:
    """Cosine of word counts weighted by the smoothed idf over the two texts."""
    counts = Counter(a), Counter(b)
    weights = {
        word: smoothed_idf(2, (word in counts[0]) + (word in counts[1]))
        for word in counts[0].keys() | counts[1].keys()
    }
    first, second = ({w: n * weights[w] for w, n in count.items()} for count in counts)
    return cosine(first, second)


def edit_distance(a: Sequence[str], b: Sequence[str]) -> int | None:
    """Fewest insertions, deletions and replacements that turn a into b, by RapidFuzz.

    None where the texts are too long: len(a) * len(b) is over MAX_EDIT_STEPS.
    """
    if len(a) * len(b) > MAX_EDIT_STEPS:
        return None
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(a, b)
