"""Figures in tables."""

import pytest

from likewise.output.table import percent


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.0, "0%"),
        (50 / 80_000, "<1%"),
        (0.0099, "<1%"),
        (0.01, "1%"),
        (0.125, "13%"),
        (0.99, "99%"),
        (299 / 300, "99%"),
        (1.0, "100%"),
    ],
)
def test_a_little_is_not_nothing_and_most_is_not_all(share: float, shown: str) -> None:
    assert percent(share) == shown
