"""`increasing`: a longest increasing subsequence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def increasing(values: Sequence[int]) -> list[int]:
    """The positions of a longest subsequence in which each value is greater than the one before."""
    lasts: list[int] = []  # the smallest value that a subsequence of each length ends with
    ends: list[int] = []  # and its position
    before: list[int] = []
    for i, value in enumerate(values):
        length = bisect_left(lasts, value)
        before.append(ends[length - 1] if length else -1)
        if length == len(lasts):
            lasts.append(value)
            ends.append(i)
        else:
            lasts[length], ends[length] = value, i
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]
