"""`Range`: a part of a text, in code points; and what can be done with several of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from likewise.text.words import Words


class Range(NamedTuple):
    """From `start` up to, not including, `end`."""

    start: int
    end: int


def merge(ranges: Iterable[tuple[int, int]]) -> list[Range]:
    """The same places in order, each in one range; ranges that touch become one.

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


def gaps(ranges: Iterable[Iterable[int]], start: int, end: int) -> list[Range]:
    """What lies between `start` and `end` and in none of the ranges, which are in order.

    >>> gaps([(2, 4), (4, 5)], 0, 9)
    [Range(start=0, end=2), Range(start=5, end=9)]
    """
    edges = [start, *(edge for one in ranges for edge in one), end]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return [Range(begin, stop) for begin, stop in pairs if begin < stop]


def word_range(words: Words, first: int, behind: int) -> Range:
    """Where words `first` up to, not including, `behind` are."""
    return Range(int(words.begins[first]), int(words.ends[behind - 1]))


def blanked(text: str, ranges: Iterable[Range]) -> str:
    """The text without words in these ranges, at the same length."""
    parts, last = [], 0
    for start, end in ranges:
        parts += [text[last:start], " " * (end - start)]
        last = end
    return "".join([*parts, text[last:]]) if parts else text
