"""datasketch 2.0: MinHash with 128 permutations in its default scheme, and MinHashLSH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasketch import MinHash, MinHashLSH  # type: ignore[import, unused-ignore]

from benchmarks.runners.contender import Answer, Task
from benchmarks.runners.stopwatch import SETUP, Stopwatch
from benchmarks.texts.shingles import batches, shingle_list

if TYPE_CHECKING:
    from collections.abc import Sequence

VALUES = 128


def find_pairs(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Sketch in bulk (the documented fast way), insert, then query every document."""
    with watch.stage(SETUP):
        # Choosing the bands integrates thousands of curves with SciPy: seconds, once.
        index = MinHashLSH(threshold=task.threshold, num_perm=VALUES)
    sketches: list[MinHash] = []
    for group in batches(texts):
        with watch.stage("shingle"):
            token_sets = [[part.encode() for part in shingle_list(text)] for text in group]
        with watch.stage("sketch"):
            sketches += MinHash.bulk(token_sets, num_perm=VALUES)
        with watch.stage("shingle"):
            del token_sets
    with watch.stage("candidates"):
        for row, sketch in enumerate(sketches):
            index.insert(row, sketch)
        pairs: list[tuple[int | str, int | str]] = [
            (a, b) for a, sketch in enumerate(sketches) for b in index.query(sketch) if a < b
        ]
    return Answer(pairs=pairs, count=len(pairs))
