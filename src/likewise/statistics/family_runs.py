"""The length of the runs of words that several unrelated texts share: a bound for k texts.

Two texts share a run of at least r words with the probability of `shared_runs.py`. If k texts share
one, so do any two of them: the smallest probability of a pair is an upper bound. It is far from
reached, because the third text must have the same run too.

A better bound needs one assumption: that the texts are drawn independently of each other, from any
populations. Let a_i(g) be the probability that text i contains the r words g. The expected number
of such g that all k contain is the sum of a_1(g) ... a_k(g), and by Hölder's inequality

    E(all k) <= product over all pairs of E(pair) ** (1 / (k - 1)),

which for texts of equal length is E(pair) ** (k / 2). Equality is reached if a single formula is
all that the texts ever share, such as a well-known quotation; for words drawn at random the truth
is far lower. The law for a pair counts runs, and a run of r + 2 words contains three of r words: so
E(pair) is the number of runs times the words that a run has beyond r - 1 on average.

A text that is so long that it shares a run with any other makes the bound worse. Leaving texts out
cannot make it invalid, so the smallest bound of the shortest 2, 3, ... texts is taken; of many
texts, only the shortest are looked at.

Limitations: those of the law for a pair. It holds for k given texts. If runs are searched for in
all sets of k texts of a collection, multiply it by their number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from likewise.arrays import Hashes
from likewise.errors import UsageError
from likewise.statistics.shared_runs import PROSE, UNSPACED, pair_run_chance

_MAX_TEXTS = 8  # enough for a probability that is too small to be reported

ShortRuns = tuple[int | None, float]
"""Of two texts, by `count_short_runs`: the number of short runs, and the share of equal words."""


def family_run_chance(
    sizes: Sequence[int],
    run: int,
    short_runs: Mapping[tuple[int, int], ShortRuns] | None = None,
    *,
    unspaced: bool = False,
) -> float:
    """An upper bound of the probability that unrelated texts all share a run of words.

    For two texts it is the probability of `pair_run_chance`.

    Args:
        sizes: words of each text, at least two.
        run: words of the run, which all of them have.
        short_runs: for pairs of texts, as (position, later position) in `sizes`; a pair that is
            not given counts as ordinary.
        unspaced: whether one of the texts is in a script without spaces, by `is_unspaced`.
    """
    if len(sizes) < 2:
        raise UsageError(f"{len(sizes)} text is given; a shared run needs at least two")
    known = short_runs or {}
    shortest = sorted(range(len(sizes)), key=lambda i: sizes[i])[:_MAX_TEXTS]
    chance = {
        (i, j): pair_run_chance(
            sizes[i], sizes[j], run, short, equal_share=equal, unspaced=unspaced
        )
        for i, j in combinations(sorted(shortest), 2)
        for short, equal in [known.get((i, j), (None, 0.0))]
    }
    grams = _grams_per_run(run, unspaced=unspaced)
    bounds = [
        _expected_in_all([chance[i, j] for i, j in combinations(sorted(shortest[:k]), 2)], k, grams)
        for k in range(3, len(shortest) + 1)
    ]
    return min([1.0, *chance.values(), *bounds])


def _expected_in_all(chances: Sequence[float], texts: int, grams: float) -> float:
    """The bound of the expected number of runs that all texts share, from those of their pairs."""
    if min(chances) == 0:
        return 0.0
    if max(chances) == 1:
        return math.inf
    logarithms = [math.log(grams * -math.log1p(-p)) for p in chances]
    return math.exp(min(0.0, sum(logarithms) / (texts - 1)))


def _grams_per_run(run: int, *, unspaced: bool) -> float:
    """How many grams of `run` words there are per run of at least so many, by the law of pairs."""
    law = UNSPACED if unspaced else PROSE
    known = range(run, max(run, len(law.rates)))
    last = law.rate(max(run, len(law.rates))) / (1 - law.tail)  # of a geometric series
    return (sum(map(law.rate, known)) + last) / law.rate(run) if run > 0 else 1.0


def longest_run_of_all(texts: Sequence[Hashes]) -> int:
    """Words of the longest run that all texts have; they are given by the hashes of their words.

    A run of k + 1 words is one of k words and a word after it, so only what all texts had at k
    words is looked at again.
    """
    _, words = np.unique(np.concatenate(texts), return_inverse=True)
    words = words.reshape(-1).astype(np.int64)
    ends = np.cumsum([len(text) for text in texts])
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    starts = np.arange(len(words))
    grams, different, run = words, int(words.max(initial=-1)) + 1, 0
    while True:
        in_all = np.ones(int(grams.max(initial=-1)) + 1, bool)
        for number in range(len(texts)):
            here = np.zeros(len(in_all), bool)
            here[grams[owner[starts] == number]] = True
            in_all &= here
        if not in_all.any():
            return run
        run += 1
        kept = in_all[grams] & (starts + run < ends[owner[starts]])
        starts = starts[kept]
        _, grams = np.unique(grams[kept] * different + words[starts + run], return_inverse=True)
        grams = grams.reshape(-1)
