"""FastSketchLSH 1.0: its README's sketch of 128 values and LSH of 16 bands, own thread default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from FastSketchLSH import LSH, FastSimilaritySketch  # type: ignore[import, unused-ignore]

from benchmarks.runners.contender import Answer, Task
from benchmarks.texts.shingles import batches, shingle_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.runners.stopwatch import Stopwatch

VALUES = 128
BANDS = 16
SEED = 42


def find_pairs(texts: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Sketch batch by batch, insert all, look all up; the bands alone set the threshold."""
    sketcher = FastSimilaritySketch(size=VALUES, seed=SEED)
    parts = []
    for group in batches(texts):
        # The README sorts a set first; the sketch is the same without, and the peer is faster.
        with watch.stage("shingle"):
            token_sets = [shingle_list(text) for text in group]
        with watch.stage("sketch"):
            parts.append(sketcher.batch(token_sets))
        with watch.stage("shingle"):
            del token_sets
    with watch.stage("candidates"):
        sketches = np.concatenate(parts)
        index = LSH(num_perm=VALUES, num_bands=BANDS)
        index.insert(sketches)
        hits, ends = index.query(sketches, format="csr")
        rows = np.repeat(np.arange(len(sketches)), np.diff(ends.astype(np.int64)))
        after = hits > rows
        pairs: list[tuple[int | str, int | str]] = list(
            zip(rows[after].tolist(), hits[after].tolist(), strict=True)
        )
    return Answer(pairs=pairs, count=len(pairs))
