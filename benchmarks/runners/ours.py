"""likewise: list of str to verified pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import likewise
from benchmarks.runners.contender import Answer, Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.runners.stopwatch import Stopwatch


def find_pairs(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Find pairs by bands, recall 0.99."""
    pairs = likewise.find_pairs(
        texts, profile="word:3", threshold=task.threshold, recall=0.99, threads=task.threads
    )
    return _answer(pairs, task, watch)


def find_pairs_exactly(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Find pairs by the exact join."""
    pairs = likewise.find_pairs(
        texts, profile="word:3", threshold=task.threshold, exact=True, threads=task.threads
    )
    return _answer(pairs, task, watch)


def _answer(pairs: Any, task: Task, watch: Stopwatch) -> Answer:
    for stage, seconds in pairs.stats["seconds"].items():
        # A total, if the package gives one, would be counted twice.
        if stage != "total":
            watch.add(stage, seconds)
    if not task.keep:
        return Answer(count=len(pairs))
    # The peers end with a list of Python tuples; so must we, inside the measured time.
    with watch.stage("list"):
        listed = [(pair.a, pair.b) for pair in pairs]
    return Answer(pairs=listed, count=len(listed))
