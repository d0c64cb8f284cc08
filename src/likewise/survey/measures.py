"""Measures of a pair: how similar two documents are, each way that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise.comparison.measures import jaccard, share
from likewise.text.profile import Profile

if TYPE_CHECKING:
    from likewise.passages.pair_passages import PairPassages

COLUMNS = (
    "jaccard", "low", "high", "level", "containment_a", "containment_b", "shared", "size_a",
    "size_b", "words", "words_b", "share_a", "share_b", "passages", "reworded", "run", "run_p",
    "chance_run", "chance", "p", "q",
)  # fmt: skip
"""The fields of the measures of a pair; what is not known, or needs no interval, is None."""

Overlap = tuple[int, int, int]
"""Shared shingles, those of a, those of b."""


def overlaps_with(
    first: str, others: Sequence[str], profile: Profile, threads: int
) -> list[Overlap]:
    """What one text shares with each of several, exactly."""
    if not others:
        return []
    count = len(others)
    offsets = np.full(count + 2, count, np.uint64)
    offsets[0] = 0
    _, b, *sizes = _core.verify(
        _core.Texts.from_strings([first, *others]),
        profile.rules(),
        offsets,
        np.arange(1, count + 1, dtype=np.uint32),
        begin=0,
        end=1,
        threshold=0.0,
        threads=threads,
    )
    rows = zip(*(column.tolist() for column in sizes), strict=True)
    found: dict[int, Overlap] = dict(zip(b.tolist(), rows, strict=True))
    return [found.get(i, (0, 0, 0)) for i in range(1, count + 1)]


def measures_view(overlap: Overlap, found: PairPassages) -> dict[str, Any]:
    """All fields of `COLUMNS` for two documents by themselves, without a collection."""
    shared, size_a, size_b = overlap
    made: dict[str, Any] = dict.fromkeys(COLUMNS)
    return made | {
        "jaccard": jaccard(size_a, size_b, shared),
        "containment_a": share(shared, size_a),
        "containment_b": share(shared, size_b),
        "shared": shared,
        "size_a": size_a,
        "size_b": size_b,
        "words": found.words_a,
        "words_b": found.words_b,
        "share_a": found.share_a,
        "share_b": found.share_b,
        "passages": len(found.passages),
        "reworded": len(found.reworded),
        "run": found.longest_run,
        "run_p": found.p,
        "chance_run": found.chance_run,
    }
