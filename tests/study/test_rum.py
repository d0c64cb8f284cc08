"""RUM: blind to the texts as published, and two ways in which it works."""

from __future__ import annotations

from math import gcd

import numpy as np
import pytest

from likewise import UsageError
from likewise.study.estimators import ESTIMATORS
from likewise.study.estimators.exact import exact
from likewise.study.estimators.minhash import minhash
from likewise.study.estimators.rum import rows_agree, rum_hashed, rum_matrix, rum_published
from likewise.study.repeats import repeat
from likewise.study.shingled import Shingled
from tests.study.pairs_of_sets import pair_of_sets, random_letters


@pytest.mark.parametrize("n", [2, 7, 12, 30])
def test_agreement_is_a_matter_of_the_common_divisor_alone(n: int) -> None:
    """Over all y: 0 if x and N have none, else g * min(n1, n2) / N, at most 1."""
    rows = np.arange(1, n + 1, dtype=np.uint64)
    for size_a in range(1, n):
        for x in range(1, n + 1):
            g = gcd(x, n)
            seen = sum(rows_agree(rows, size_a, x, y) for y in range(1, n + 1))
            assert seen == (0 if g == 1 else min(n, g * min(size_a, n - size_a)))


@pytest.mark.parametrize(
    ("functions", "deviation"), [(5, 21.9), (10, 15.5), (15, 12.6), (20, 11.0)]
)
def test_tables_9_to_12_come_out_of_any_two_texts(functions: int, deviation: float) -> None:
    """60 %, with the deviations that Gospels prints, for texts without a shingle in common."""
    a = Shingled.of_text(random_letters(11_000, 1), "gospels,spaces=keep")
    b = Shingled.of_text(random_letters(12_000, 2, "zyxwvcbqjk"), "gospels,spaces=keep")
    assert exact(a, b, values=1, seed=0).value == 0
    done = repeat(ESTIMATORS["rum-published"], a, b, values=functions, times=400)
    assert 100 * done.mean == pytest.approx(60, abs=4.5 * deviation / 20)
    assert 100 * done.deviation == pytest.approx(deviation, rel=0.16)


def test_it_gives_the_same_for_equal_and_for_different_texts() -> None:
    a, b = pair_of_sets(900, 0, 900)
    for seed in range(20):
        different, same = (
            rum_published(a, other, values=20, seed=seed, draws=500) for other in (b, a)
        )
        assert different == same
    assert different.law == "none: it is blind to the texts"
    with pytest.raises(UsageError, match="draws is 0"):
        rum_published(a, b, values=20, seed=0, draws=0)


def test_with_the_shingles_hashed_it_is_minhash() -> None:
    a, b = pair_of_sets(200, 300, 100)
    assert rum_hashed(a, b, values=200, seed=4) == minhash(a, b, values=200, seed=4)


def test_the_matrix_estimates_dice_and_gives_jaccard() -> None:
    a, b = pair_of_sets(60, 50, 40)
    jaccard, dice = 1 / 3, 1 / 2
    done = repeat(ESTIMATORS["rum-matrix"], a, b, values=400, times=100, truth=jaccard)
    shares = 2 * done.values / (1 + done.values)
    assert abs(shares.mean() - dice) < 4.5 * (0.25 / 400 / 100) ** 0.5
    assert shares.std() == pytest.approx((0.25 / 400) ** 0.5, rel=0.32)
    assert done.covering is not None
    assert done.covering > 85
    made = rum_matrix(a, b, values=400, seed=0)
    assert made.low < made.value < made.high
