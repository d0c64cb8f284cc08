"""`Layout`: how a signature is cut into bands, and what that finds.

Two texts of similarity s agree in all rows of one band with probability s^rows, and in at least one
band with 1 - (1 - s^rows)^bands. A layout is chosen from the threshold and the recall wanted there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from likewise.errors import UsageError
from likewise.statistics.estimate import check_real
from likewise.whole_numbers import check_whole

# Of the misses that the wanted recall allows, this share is kept in reserve: the law above takes
# the values of a signature as independent, and those of a small text are not quite.
RESERVE = 0.2

DEFAULT_VALUES = 128  # of a signature
MAX_VALUES = 65_536
DEFAULT_RECALL = 0.99
DEFAULT_THRESHOLD = 0.8
DEFAULT_MAX_BUCKET = 1000
MAX_LIMIT = 2**32 - 1  # the core counts with 32 bits


@dataclass(frozen=True, slots=True)
class Layout:
    """Bands of rows; bands * rows values of a signature are used."""

    bands: int
    rows: int

    def __post_init__(self) -> None:
        check_whole("bands", self.bands, 1)
        check_whole("rows", self.rows, 1)

    def recall(self, similarity: float) -> float:
        """Probability that a pair of this similarity agrees in a band."""
        # -expm1 and log1p keep the digits of a probability close to 1.
        in_one = similarity**self.rows
        if in_one >= 1:
            return 1.0
        return -math.expm1(self.bands * math.log1p(-in_one))

    def step(self) -> float:
        """Where the curve is steepest, about (1 / bands)^(1 / rows)."""
        return float((1 / self.bands) ** (1 / self.rows))

    def false_areas(self, threshold: float, steps: int = 10_000) -> tuple[float, float]:
        """Areas between the curve and the ideal step: below the threshold and above it."""
        below = sum(self.recall(threshold * (i + 0.5) / steps) for i in range(steps))
        above = sum(
            1 - self.recall(threshold + (1 - threshold) * (i + 0.5) / steps) for i in range(steps)
        )
        return below * threshold / steps, above * (1 - threshold) / steps

    def __str__(self) -> str:
        bands = "1 band" if self.bands == 1 else f"{self.bands} bands"
        return f"{bands} of {self.rows} {'row' if self.rows == 1 else 'rows'}"

    def described(self, threshold: float) -> str:
        """In words, and what share of which pairs it is expected to find."""
        share = f"{100 * self.recall(threshold):.4g}%"
        return f"{self}, expected to find {share} of pairs with similarity {threshold:g}"


def choose_layout(threshold: float, recall: float, values: int) -> Layout | None:
    """The layout with the fewest false candidates that has the recall at the threshold, or None.

    More rows make the curve steeper; fewer bands are less work.
    """
    check_threshold(threshold)
    check_recall(recall)
    check_values(values)
    misses = (1 - recall) * (1 - RESERVE)
    for rows in range(values, 0, -1):
        for_bands = values // rows
        if 1 - Layout(for_bands, rows).recall(threshold) > misses:
            continue
        bands = next(
            b for b in range(1, for_bands + 1) if 1 - Layout(b, rows).recall(threshold) <= misses
        )
        return Layout(bands, rows)
    return None


def layout_by_hand(bands: int | None, rows: int | None, values: int) -> Layout | None:
    """A layout from bands and rows that a user gave; None if neither was given."""
    check_values(values)
    if bands is None and rows is None:
        return None
    if bands is None or rows is None:
        raise UsageError("bands and rows must be given together", hint="give both, or neither")
    check_whole("bands", bands, 1)
    check_whole("rows", rows, 1)
    if bands * rows > values:
        raise UsageError(
            f"{bands} bands of {rows} rows need {bands * rows} values; a signature has {values}",
            hint="use more values, or fewer bands or rows",
        )
    return Layout(bands, rows)


def tweets_layout(threshold: float, bands: int = 5) -> Layout:
    """The rule of the Tweets source: a fixed number of bands, rows so that the step is near."""
    check_threshold(threshold)
    if threshold == 1:
        raise UsageError("the Tweets rule has no layout for a threshold of 1")
    return Layout(bands, max(1, round(math.log(1 / bands) / math.log(threshold))))


def check_values(values: int) -> None:
    check_whole("values", values, 1, MAX_VALUES)


def check_threshold(threshold: float) -> None:
    rule = "be greater than 0 and at most 1"
    check_real("threshold", threshold, lambda x: 0 < x <= 1, rule, "for example 0.8")


def check_recall(recall: float) -> None:
    hint = "for example 0.99; `exact=True` finds every pair"
    check_real("recall", recall, lambda x: 0 < x < 1, "lie between 0 and 1", hint)
