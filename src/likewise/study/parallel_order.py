"""Whether texts have their parallels in the same order.

A parallel is a stretch of wording that texts share, with its place in each of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from likewise.arrays import Ints


def kendall_tau(a: Ints, b: Ints) -> float | None:
    """How far two orders agree: 1 the same, 0 no relation, -1 reversed; None for one parallel.

    Of all pairs of parallels, those in the same order less those in the opposite one, as a share.
    Pairs with equal places in one of the texts do not count.
    """
    same = opposite = 0
    for i in range(1, len(a)):
        sides = np.sign(a[:i] - a[i]) * np.sign(b[:i] - b[i])
        same += int(np.count_nonzero(sides > 0))
        opposite += int(np.count_nonzero(sides < 0))
    return (same - opposite) / (same + opposite) if same + opposite else None


def common_order(a: Ints, b: Ints, weights: Ints) -> int:
    """The most weight that parallels in the same order in both texts have together.

    The heaviest subsequence that rises in b, by the order of a.
    """
    order = np.lexsort((b, a))
    places: list[int] = []  # in b, where a heavier chain can end; both lists rise
    best: list[int] = []
    for at in order.tolist():
        place, weight = int(b[at]), int(weights[at])
        i = bisect_left(places, place)
        total = weight + (best[i - 1] if i else 0)
        if i < len(places) and places[i] == place and best[i] >= total:
            continue
        j = i
        while j < len(places) and best[j] <= total:
            j += 1
        places[i:j], best[i:j] = [place], [total]
    return best[-1] if best else 0


@dataclass(frozen=True, slots=True)
class OddOneOut:
    """For pairs of parallels that three texts have, which text has them in another order.

    Attributes:
        pairs: all pairs.
        agree: those in the same order in all three.
        alone: for each text, those that it has in the opposite order to both others.
    """

    pairs: int
    agree: int
    alone: tuple[int, int, int]

    def expected(self, text: int) -> float | None:
        """How often both others would differ from `text` if they did so independently.

        The rate at which each of them differs from it is kept.
        """
        if not self.pairs:
            return None
        others = [other for other in range(3) if other != text]
        differ = [self.alone[text] + self.alone[other] for other in others]
        return differ[0] * differ[1] / self.pairs


def odd_one_out(places: Sequence[Ints]) -> OddOneOut:
    """By the places of each parallel in three texts."""
    agree, alone = 0, [0, 0, 0]
    for i, j in combinations(range(len(places[0])), 2):
        first, second, third = (one[i] < one[j] for one in places)
        if first == second == third:
            agree += 1
        else:
            alone[0 if second == third else 1 if first == third else 2] += 1
    return OddOneOut(agree + sum(alone), agree, (alone[0], alone[1], alone[2]))
