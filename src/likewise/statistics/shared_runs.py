"""The length of the runs of words that unrelated texts share: the law for ordinary prose.

In texts of n and m words the number of chance runs of at least r words is about Poisson, with mean

    λ(r) = (n - r + 1) * (m - r + 1) * ν(r),        p(r) = 1 - exp(-λ(r)),

as in the law of Karlin and Altschul. ν(r), the rate per pair of positions, was counted in unrelated
texts. It falls far more slowly than for words drawn independently, because of set phrases.

Corrections for a pair: with more *short runs* (maximal common runs of at least two words) than the
law expects, λ is multiplied by the square of the excess. λ is never less than that of words drawn
independently at the rates of the two texts, (n - r + 1) * (m - r + 1) * q^r, where q is the share
of pairs of positions with equal words: lists and tables repeat a few words.

In scripts without spaces (Chinese, Japanese, Thai, Khmer, ...) each letter with its marks counts as
a word, and runs are longer; these texts have their own law. It is used if in either text at least
40 % of the words have one letter (`is_unspaced`): in prose with spaces 0 to 15 % have, in the other
scripts 70 to 100 %. Formulas and columns of digits come under this law too, on the safe side.

Limitations: a small p says that free and independent writing seldom gives such a run, not that it
was copied; texts on one subject, formulaic texts and quotations share longer runs. Below about 1e-8
nothing was measured. For an edited passage `run` is the number of matched words less the number of
edited ones.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import Hashes, Ints

SMALLEST_P = 1e-6
"""The smallest probability that is reported."""

UNSPACED_SHARE = 0.4
_SHORT = 2  # words of a short run
_PRIOR = 5.0  # short runs that are added to both sides, so that a few more than none say little


@dataclass(frozen=True, slots=True)
class RunLaw:
    """The rate of common runs in unrelated texts.

    Attributes:
        rates: ν(1), ν(2), ...: runs of at least so many words per pair of positions.
        tail: the factor for each further word.
        min_excess: the lowest factor for a pair with few short runs.
    """

    rates: tuple[float, ...]
    tail: float
    min_excess: float = 1.0

    def rate(self, run: int) -> float:
        """ν of a run of at least one word."""
        known = len(self.rates)
        return self.rates[min(run, known) - 1] * self.tail ** max(0, run - known)

    def p(
        self, words_a: int, words_b: int, run: int, *, factor: float = 1.0, least: float = 0.0
    ) -> float:
        """The probability of a common run of at least `run` words.

        `factor` multiplies the rate (it is P for P pairs compared); `least` is the lowest rate. For
        a text against a collection, `words_b` is the number of words of the whole collection.
        """
        if run <= 0:
            return 1.0
        places = max(0, words_a - run + 1) * max(0, words_b - run + 1)
        return -math.expm1(-places * max(self.rate(run) * factor, least))

    def reached(self, words_a: Ints, words_b: Ints, level: float) -> Ints:
        """For each pair the longest run whose expected number is above `level`."""
        longest = np.zeros(len(words_a), np.int64)
        for run in range(1, int(np.minimum(words_a, words_b).max(initial=0)) + 1):
            places = np.maximum(0, words_a - run + 1.0) * np.maximum(0, words_b - run + 1.0)
            above = places * self.rate(run) > level
            if not above.any():
                break
            longest[above] = run
        return longest


PROSE = RunLaw((6.6e-3, 1.3e-4, *(10 ** -(run + 2.5) for run in range(3, 7))), 0.25)
# Of Japanese, Thai and Khmer texts. Chinese has so many more letters that its runs are far rarer,
# and so are its short runs, by which this law comes down to it in part.
UNSPACED = RunLaw((8e-3, 4e-4, 1e-4, 3e-5, 1e-5, 3e-6), 0.4, min_excess=0.05)


def pair_run_chance(
    words_a: int,
    words_b: int,
    run: int,
    short_runs: int | None,
    *,
    equal_share: float = 0.0,
    unspaced: bool = False,
    comparisons: int = 1,
) -> float:
    """The probability that unrelated texts share a run of at least `run` words.

    Args:
        short_runs, equal_share: by `count_short_runs`; None if the texts are not known.
        unspaced: whether the texts are in a script without spaces, by `is_unspaced`.
        comparisons: the number of pairs of such texts that are searched for such a run.
    """
    law = UNSPACED if unspaced else PROSE
    excess = _excess(law, words_a, words_b, short_runs)
    least = equal_share ** max(1, run) * comparisons
    return law.p(words_a, words_b, run, factor=excess * comparisons, least=least)


def _excess(law: RunLaw, words_a: int, words_b: int, short_runs: int | None) -> float:
    """The factor by which this pair has more runs than ordinary ones."""
    if short_runs is None:
        return 1.0
    expected = words_a * words_b * law.rate(_SHORT)
    return max(law.min_excess, ((short_runs + _PRIOR) / (expected + _PRIOR)) ** 2)


def run_reached_by_chance(
    words_a: int,
    words_b: int,
    level: float = 0.05,
    *,
    short_runs: int | None = None,
    unspaced: bool = False,
) -> int:
    """The longest run whose probability is above `level`."""

    def is_rare(run: int) -> bool:
        return pair_run_chance(words_a, words_b, run, short_runs, unspaced=unspaced) <= level

    return bisect_left(range(min(words_a, words_b) + 1), True, 1, key=is_rare) - 1


def is_unspaced(letters: NDArray[np.uint8]) -> bool:
    """Whether a text is in a script without spaces, by its `Words.letters`."""
    return bool(np.count_nonzero(letters == 0) >= UNSPACED_SHARE * max(1, len(letters)))


def count_short_runs(a: Hashes, b: Hashes) -> tuple[int, float]:
    """The number of maximal common runs of at least two words, and the share of equal words.

    The share is that of all pairs of a word of a and a word of b; words are given by their hashes.
    """
    equal = _equal_grams(a, b, _SHORT)
    return equal[1] - equal[2], equal[0] / max(1, len(a) * len(b))


def common_runs(a: Hashes, b: Hashes, longest: int | None = None) -> list[int]:
    """The numbers of maximal common runs of at least 1, 2, ... words.

    Up to `longest` words, or up to the longest common run, which is then the length of the list.

    A maximal run of L words has L - k + 1 pairs of equal k-grams. So with M_k such pairs there are
    M_k - M_(k+1) maximal runs of at least k words, and M_k is counted by sorting: that takes
    n log n steps however many runs there are.
    """
    return [at_least - longer for at_least, longer in pairwise(_equal_grams(a, b, longest))]


def _equal_grams(a: Hashes, b: Hashes, longest: int | None) -> list[int]:
    """The number of pairs of equal k-grams for k = 1, 2, ..., up to `longest` + 1 or to 0."""
    _, words = np.unique(np.concatenate([a, b]), return_inverse=True)
    words = words.reshape(-1).astype(np.int64)
    different = int(words.max(initial=-1)) + 1
    starts = np.arange(len(words))
    is_a = starts < len(a)
    ends = np.where(is_a, len(a), len(words))  # of the text that each start is in
    grams = words
    equal: list[int] = []
    while longest is None or len(equal) <= longest:
        count = int(grams.max(initial=-1)) + 1
        in_a = np.bincount(grams[is_a], minlength=count)
        in_b = np.bincount(grams[~is_a], minlength=count)
        equal.append(int(in_a @ in_b))
        if longest is None and equal[-1] == 0:
            break
        # Only a start whose k-gram is in both texts can have a (k+1)-gram that is.
        k = len(equal)
        kept = ((in_a > 0) & (in_b > 0))[grams] & (starts + k < ends)
        starts, is_a, ends = starts[kept], is_a[kept], ends[kept]
        _, grams = np.unique(grams[kept] * different + words[starts + k], return_inverse=True)
        grams = grams.reshape(-1)
    return equal
