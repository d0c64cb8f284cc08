"""Runs of equal words that chance alone would give two texts.

If words came independently of each other, each as often as in the collection, two of them would be
equal with the probability p, and L in a row with p ** L. There are no more than n * m places where
such a run may begin in texts of n and m words, so that

    P(a run of at least L equal words) <= n * m * p ** L.

Words of a language are not independent: set phrases and names come as a whole. So this is a lower
level: a run that it explains says nothing, and one that it does not explain may still be a phrase
that everybody uses.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

ONE_PAIR_OF_TWENTY = 0.05


def equal_words(counts: NDArray[np.uint64] | NDArray[np.float64]) -> float:
    """The probability that two words drawn from a collection, which has each so often, are equal.

    Two different places are drawn, so that it is no higher in a small collection than in a large
    one. 0 where there are no two words.
    """
    times = counts.astype(np.float64)
    total = float(times.sum())
    return float((times * (times - 1)).sum()) / (total * (total - 1)) if total > 1 else 0.0


def run_probability(words_a: int, words_b: int, p: float, run: int) -> float:
    """How often, at most, texts of so many words share a run of `run` equal ones or a longer."""
    return min(1.0, words_a * words_b * p**run)


def chance_run(words_a: int, words_b: int, p: float, level: float = ONE_PAIR_OF_TWENTY) -> int:
    """The run that chance reaches: a longer one has a probability of `level` at most."""
    longest = min(words_a, words_b)
    if longest == 0 or p <= 0:
        return 0
    if p >= 1:
        return longest
    run = max(0, math.ceil(math.log(level / (words_a * words_b)) / math.log(p)) - 1)
    # The logarithms may be off by their last digit.
    while run > 0 and run_probability(words_a, words_b, p, run) <= level:
        run -= 1
    while run_probability(words_a, words_b, p, run + 1) > level and run < longest:
        run += 1
    return min(run, longest)
