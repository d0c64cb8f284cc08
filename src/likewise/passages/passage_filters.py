"""Passages that are on request left out: short ones, and those that very many documents share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from likewise.passages.passage import Passage


class Found(NamedTuple):
    """Two documents by their numbers, what they share, and the run that chance would reach."""

    a: int
    b: int
    passages: Sequence[Passage]
    chance_run: int


def without_short(found: Iterable[Found], least: int) -> tuple[list[Found], int]:
    """Pairs without the passages of fewer shared words, and how many were left out."""
    kept: list[Found] = []
    left_out = 0
    for one in found:
        long = [passage for passage in one.passages if passage.words >= least]
        left_out += len(one.passages) - len(long)
        if long:
            kept.append(one._replace(passages=long))
    return kept, left_out


def without_common(found: Sequence[Found], max_sources: int) -> tuple[list[Found], int]:
    """Pairs without the passages that one of their documents shares with too many others.

    Another document shares a passage if it has half of it. Also how many were left out.
    """
    held: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for a, b, passages, _ in found:
        for passage in passages:
            held[a].append((passage.a_start, passage.a_end, b))
            held[b].append((passage.b_start, passage.b_end, a))
    kept: list[Found] = []
    left_out = 0
    for one in found:
        a, b, passages, _ = one
        few = [
            passage
            for passage in passages
            if _sources(held[a], passage.a_start, passage.a_end) <= max_sources
            and _sources(held[b], passage.b_start, passage.b_end) <= max_sources
        ]
        left_out += len(passages) - len(few)
        if few:
            kept.append(one._replace(passages=few))
    return kept, left_out


def _sources(held: Iterable[tuple[int, int, int]], start: int, end: int) -> int:
    """How many documents share half of this stretch."""
    return len(
        {
            other
            for begin, stop, other in held
            if 2 * (min(end, stop) - max(start, begin)) >= end - start
        }
    )
