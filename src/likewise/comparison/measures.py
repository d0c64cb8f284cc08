"""Measures of two texts, each a small function of words, counts or shingle hashes.

To add a measure of the words, write its two functions, an entry of `WORD_MEASURES`, and a field of
`Comparison` with the same name: every output takes it from there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likewise.arrays import Hashes

if TYPE_CHECKING:
    from likewise.comparison.partitions import Tally

MAX_EDIT_STEPS = 40_000_000_000  # product of the lengths; 64 steps are done at once


def overlap(a: Hashes, b: Hashes) -> tuple[int, int, int]:
    """Sizes of two sets of hashes, and of their intersection."""
    first, second = distinct(a), distinct(b)
    return len(first), len(second), len(np.intersect1d(first, second, assume_unique=True))


def distinct(hashes: Hashes) -> Hashes:
    """Each hash once, in ascending order; much faster than `np.unique`, which uses a hash table."""
    ordered = np.sort(hashes)
    again = np.zeros(len(ordered), bool)
    again[1:] = ordered[1:] == ordered[:-1]
    kept: Hashes = ordered[~again]
    return kept


def share(part: int, whole: int) -> float:
    """part / whole; 0 if there is nothing."""
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


def tally_count_cosine(words: Tally) -> float:
    return _cosine(words.products, words.squares_a, words.squares_b)


def tally_tf_idf_cosine(words: Tally) -> float:
    """Of two documents a word is in one or in both; each has its weight, log(1 + N/df)."""
    once, twice = smoothed_idf(2, 1) ** 2, smoothed_idf(2, 2) ** 2
    return _cosine(
        twice * words.products,
        twice * words.shared_squares_a + once * (words.squares_a - words.shared_squares_a),
        twice * words.shared_squares_b + once * (words.squares_b - words.shared_squares_b),
    )


def _cosine(product: float, square_a: float, square_b: float) -> float:
    lengths = math.sqrt(square_a) * math.sqrt(square_b)
    return min(1.0, product / lengths) if lengths else 0.0


class WordMeasure(NamedTuple):
    """A measure of the words of two texts, as a list in memory and as counts on disk."""

    label: str
    note: str
    of_words: Callable[[Sequence[str], Sequence[str]], float]
    of_tally: Callable[[Tally], float]


WORD_MEASURES = {
    "count_cosine": WordMeasure(
        "cosine of word counts", "blind to word order", count_cosine, tally_count_cosine
    ),
    "tf_idf_cosine": WordMeasure(
        "cosine by TF-IDF", "idf = log(1 + N/df), N = 2", tf_idf_cosine, tally_tf_idf_cosine
    ),
}


def edit_distance(a: Sequence[str], b: Sequence[str]) -> int | None:
    """Fewest insertions, deletions and replacements that turn a into b, by RapidFuzz.

    None where the texts are too long: len(a) * len(b) is over MAX_EDIT_STEPS.
    """
    if len(a) * len(b) > MAX_EDIT_STEPS:
        return None
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(a, b)
