"""rensa 0.5, full-set R-MinHash: 128 values, eight bands as its README's benchmark states.

The rho sketches are left out: they sample token positions and are biased by up to 0.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rensa import RMinHash, RMinHashDeduplicator, RMinHashLSH  # type: ignore[import, unused-ignore]

from benchmarks.runners.contender import Answer, Task
from benchmarks.texts.shingles import batches, shingle_list, shingle_list_by_slices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.runners.stopwatch import Stopwatch

VALUES = 128
BANDS = 8
SEED = 42


def find_pairs(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Sketch batch by batch, then look every sketch up."""
    return _pairs(batches(texts), shingle_list, task, watch)


def find_pairs_by_slices(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Hold all documents' shingles at once, made by slices."""
    return _pairs([texts], shingle_list_by_slices, task, watch)


def _pairs(
    groups: Iterator[Sequence[str]] | list[Sequence[str]],
    shingle: Callable[[str], list[str]],
    task: Task,
    watch: Stopwatch,
) -> Answer:
    sketches: list[RMinHash] = []
    for group in groups:
        with watch.stage("shingle"):
            token_sets = [shingle(text) for text in group]
        with watch.stage("sketch"):
            sketches += RMinHash.from_token_sets(token_sets, num_perm=VALUES, seed=SEED)
        with watch.stage("shingle"):
            del token_sets  # freeing millions of strings is part of what shingling costs
    with watch.stage("candidates"):
        index = RMinHashLSH(threshold=task.threshold, num_perm=VALUES, num_bands=BANDS)
        index.insert_many(sketches)
        pairs: list[tuple[int | str, int | str]] = [
            (a, b) for a, hits in enumerate(index.query_all(sketches)) for b in hits if a < b
        ]
    return Answer(pairs=pairs, count=len(pairs))


def mark(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Mark documents that share a band with another, without Python objects per document."""
    matrices = []
    for group in batches(texts):
        with watch.stage("shingle"):
            token_sets = [shingle_list(text) for text in group]
        with watch.stage("sketch"):
            matrices.append(
                RMinHash.digest_matrix_from_token_sets(token_sets, num_perm=VALUES, seed=SEED)
            )
        with watch.stage("shingle"):
            del token_sets
    with watch.stage("candidates"):
        index = RMinHashLSH(threshold=task.threshold, num_perm=VALUES, num_bands=BANDS)
        row = 0
        for matrix in matrices:
            index.insert_matrix(matrix, row)
            row += matrix.len()
        flags = [flag for matrix in matrices for flag in index.query_duplicate_flags_matrix(matrix)]
        marked = [row for row, flag in enumerate(flags) if flag]
    return Answer(marked=marked, count=len(marked))


def keep_unique(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Stream documents through the deduplicator, as the README does."""
    dedup = RMinHashDeduplicator(threshold=task.threshold, num_perm=VALUES, use_lsh=True)
    keep: list[bool] = []
    for group in batches(texts):
        with watch.stage("shingle"):
            entries = [
                (str(row), shingle_list(text)) for row, text in enumerate(group, start=len(keep))
            ]
        # One call sketches and looks up: the two cannot be told apart from outside.
        with watch.stage("sketch"):
            keep += dedup.add_pairs(entries)
        with watch.stage("shingle"):
            del entries
    marked = [row for row, kept in enumerate(keep) if not kept]
    return Answer(marked=marked, count=len(marked))
