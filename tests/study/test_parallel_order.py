"""The order of parallels: agreement of two texts, and the odd one out of three."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.study.parallel_order import common_order, kendall_tau, odd_one_out

Places = list[tuple[int, int, int, int]]
"""Places in three texts, and a weight."""


@st.composite
def places(draw: st.DrawFn) -> Places:
    size = draw(st.integers(0, 7))
    columns = [draw(st.permutations(range(size))) for _ in range(3)]
    weights = draw(st.lists(st.integers(1, 5), min_size=size, max_size=size))
    return list(zip(*columns, weights, strict=True))


def table(parallels: Places) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    return [np.array([row[i] for row in parallels], np.int64) for i in range(4)]


@given(parallels=places())
def test_tau_and_common_order_are_what_all_pairs_say(parallels: Places) -> None:
    a, b, _, weights = table(parallels)

    def in_order(i: int, j: int) -> bool:
        return bool((a[i] < a[j]) == (b[i] < b[j]))

    pairs = list(combinations(range(len(a)), 2))
    tau = sum(1 if in_order(i, j) else -1 for i, j in pairs) / len(pairs) if pairs else None
    assert kendall_tau(a, b) == (None if tau is None else pytest.approx(tau))
    chains = (
        chain
        for size in range(len(a) + 1)
        for chain in combinations(range(len(a)), size)
        if all(in_order(i, j) for i, j in combinations(chain, 2))
    )
    assert common_order(a, b, weights) == max(sum(weights[list(chain)]) for chain in chains)


def test_the_same_and_the_reversed_order() -> None:
    same, reverse = np.arange(20), np.arange(20)[::-1]
    assert kendall_tau(same, same) == 1
    assert kendall_tau(same, reverse) == -1
    assert common_order(same, reverse, np.full(20, 3)) == 3
    assert kendall_tau(np.array([4]), np.array([9])) is None


@given(parallels=places())
def test_every_pair_of_parallels_has_one_odd_text_or_none(parallels: Places) -> None:
    own = table(parallels)[:3]
    found = odd_one_out(own)
    count = len(parallels)
    assert found.pairs == count * (count - 1) // 2 == found.agree + sum(found.alone)
    turned = odd_one_out(own[::-1])
    assert turned.alone == found.alone[::-1]
    assert turned.agree == found.agree


def test_mark_in_the_middle() -> None:
    """Both others move one parallel each, and never the same."""
    mark = np.arange(6)
    matthew, luke = np.array([1, 0, 2, 3, 4, 5]), np.array([0, 1, 2, 3, 5, 4])
    found = odd_one_out([matthew, mark, luke])
    assert found.alone == (1, 0, 1)
    assert found.expected(1) == pytest.approx(1 / 15)
    assert odd_one_out([mark[:1]] * 3).expected(0) is None
