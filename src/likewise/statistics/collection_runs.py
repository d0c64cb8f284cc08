"""`CollectionLaw`: the length of the runs that unrelated texts of one collection share.

Texts on one subject share more phrases than prose in general. In a collection of at least
`MIN_TEXTS` texts, the rates of common runs are counted in its own pairs, except those related by
the law for prose. It needs the same kind of text throughout; texts full of set phrases still share
more than it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likewise.arrays import Hashes
from likewise.statistics.shared_runs import PROSE, UNSPACED, RunLaw, common_runs

MIN_TEXTS = 100
MAX_TEXTS = 200  # some 20,000 pairs show enough, and more would take minutes
FALSELY_RELATED = 0.01
_KNOWN = 6  # words up to which rates are counted
_USUAL = (0.02, 0.03, 0.1, 0.1, 0.1)  # of runs of one word more, in prose
_PRIOR = 20.0  # runs that these are worth
_TAIL_PRIOR, _TAIL = 5.0, (0.25, 0.5)


@dataclass(frozen=True, slots=True)
class CollectionLaw(RunLaw):
    """The rates of common runs in a collection.

    Attributes:
        texts: number of texts compared.
        pairs: number of unrelated pairs, which were counted.
    """

    texts: int = 0
    pairs: int = 0

    @classmethod
    def of(
        cls,
        texts: Sequence[Hashes],
        *,
        unspaced: bool = False,
        min_texts: int = MIN_TEXTS,
        seed: int = 0,
    ) -> CollectionLaw | None:
        """The law of a collection, by the word hashes of its texts; None if they are too few.

        Of more than `MAX_TEXTS`, random ones are taken.
        """
        if len(texts) < max(2, min_texts):
            return None
        chosen = np.arange(len(texts))
        if len(texts) > MAX_TEXTS:
            random = np.random.Generator(np.random.PCG64(seed))
            chosen = np.sort(random.choice(len(texts), MAX_TEXTS, replace=False))
        some = [texts[i] for i in chosen.tolist()]
        usual = UNSPACED if unspaced else PROSE
        compared = len(some) * (len(some) - 1) // 2
        counts, places, kept = np.zeros(_KNOWN + 1, np.int64), 0, 0
        for i, a in enumerate(some):
            for b in some[:i]:
                runs = common_runs(a, b)
                if compared * usual.p(len(a), len(b), len(runs)) <= FALSELY_RELATED:
                    continue
                counts[: len(runs)] += np.array(runs[: _KNOWN + 1], np.int64)
                places += len(a) * len(b)
                kept += 1
        if places == 0:
            return None
        return cls(*_rates(counts.tolist(), places), texts=len(some), pairs=kept)


def _rates(counts: list[int], places: int) -> tuple[tuple[float, ...], float]:
    """Rates and tail from the numbers of runs of at least 1, 2, ... 7 words."""
    rates = [counts[0] / places]
    for shorter, longer, usual in zip(counts, counts[1:_KNOWN], _USUAL, strict=False):
        rates.append(rates[-1] * (longer + _PRIOR * usual) / (shorter + _PRIOR))
    low, high = _TAIL
    tail = (counts[_KNOWN] + _TAIL_PRIOR) / (counts[_KNOWN - 1] + _PRIOR)
    return tuple(rates), min(high, max(low, tail))
