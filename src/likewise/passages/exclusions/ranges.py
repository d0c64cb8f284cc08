"""`Range`: a part of a text, and how several of them become disjoint ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Range(NamedTuple):
    """From `start` up to, not including, `end`, in code points."""

    start: int
    end: int


def merge(ranges: Iterable[tuple[int, int]]) -> list[Range]:
    """Return the same places in order, each in one range; ranges that touch become one.

    >>> merge([(5, 9), (0, 3), (3, 4), (6, 7)])
    [Range(start=0, end=4), Range(start=5, end=9)]
    """
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if start >= end:
            continue
        if merged and start <= merged[-1].end:
            merged[-1] = Range(merged[-1].start, max(merged[-1].end, end))
        else:
            merged.append(Range(start, end))
    return merged
