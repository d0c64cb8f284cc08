"""The recall that is asked for is had, for pairs that lie just at the threshold."""

from __future__ import annotations

import pytest

from benchmarks.search.recall import measure_recall


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.8, 0.9])
def test_pairs_just_at_the_threshold_are_found(threshold: float) -> None:
    result = measure_recall(threshold, recall=0.99, pairs=2000, seed=7)
    assert result.below == 0
    # 2,000 pairs: 0.99 less three standard deviations of the count.
    assert result.found >= 0.99 * 2000 - 3 * (2000 * 0.99 * 0.01) ** 0.5
