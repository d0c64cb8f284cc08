"""SetSimilaritySearch 1.0: the exact All-Pairs join in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from SetSimilaritySearch import all_pairs  # type: ignore[import, unused-ignore]

from benchmarks.runners.contender import Answer, Task
from benchmarks.texts.shingles import shingle_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.runners.stopwatch import Stopwatch


def find_pairs(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Make all shingle sets, then join them; candidates and verification are one loop."""
    with watch.stage("shingle"):
        # A set per document: the package demands that elements are unique.
        sets = [set(shingle_list(text)) for text in texts]
    with watch.stage("candidates"):
        found = all_pairs(sets, similarity_func_name="jaccard", similarity_threshold=task.threshold)
        pairs: list[tuple[int | str, int | str]] = [(int(b), int(a)) for a, b, _ in found]
    with watch.stage("shingle"):
        del sets
    return Answer(pairs=pairs, count=len(pairs))
