"""Measures of a pair: how similar two documents are, each way that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from likewise._core import Texts
from likewise.comparison.comparison import Overlap
from likewise.search.verification import verify_first
from likewise.text.profile import Profile

if TYPE_CHECKING:
    from likewise.passages.pair_passages import PairPassages

COLUMNS = (
    "jaccard", "low", "high", "level", "containment_a", "containment_b", "shared", "size_a",
    "size_b", "words", "words_b", "share_a", "share_b", "passages", "reworded", "run", "run_p",
    "chance_run", "chance", "p", "q",
)  # fmt: skip
"""The measures of a pair; None for those that are not known, or need no interval."""


def overlaps_with(
    first: str, others: Sequence[str], profile: Profile, threads: int
) -> list[Overlap]:
    """The shingles that one text shares with each of several, exactly."""
    verified = verify_first(Texts.from_strings([first, *others]), profile, 0.0, threads)
    found = {other: Overlap(own, size, shared) for other, shared, own, size in verified}
    return [found.get(i, Overlap(0, 0, 0)) for i in range(1, len(others) + 1)]


def measures_view(overlap: Overlap, found: PairPassages) -> dict[str, Any]:
    """All fields of `COLUMNS` for two documents by themselves, without a collection."""
    return dict.fromkeys(COLUMNS) | {
        "jaccard": overlap.jaccard,
        "containment_a": overlap.containment_a,
        "containment_b": overlap.containment_b,
        "shared": overlap.shared,
        "size_a": overlap.size_a,
        "size_b": overlap.size_b,
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
