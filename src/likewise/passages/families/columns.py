"""`align_witnesses`: the words of a family, one to one across all of its witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.families.runs import Run
    from likewise.passages.families.stretches import Stretch

    WitnessRuns = Sequence[tuple[int, int, Run]]  # positions of two witnesses, and equal words


def align_witnesses(stretches: Sequence[Stretch], runs: WitnessRuns) -> NDArray[np.int32]:
    """For each word that two or more witnesses have, its number in each of them, or -1; unordered.

    Words that runs join, directly or by way of other witnesses, are one column, unless that would
    have two words of one witness: then the longer runs decide. The result depends on the order of
    the stretches only where runs are equally long.
    """
    sizes = np.array([one.stop - one.first for one in stretches], np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    firsts = np.array([one.first for one in stretches], np.int64)
    places = np.array([(a, b, *run) for a, b, run in runs], np.int64).reshape(-1, 5)
    a = places[:, 2] - firsts[places[:, 0]] + offsets[places[:, 0]]
    b = places[:, 3] - firsts[places[:, 1]] + offsets[places[:, 1]]
    a, b, lengths = np.minimum(a, b), np.maximum(a, b), places[:, 4]
    order = np.lexsort((b, a, -lengths))
    witness = np.repeat(np.arange(len(stretches)), sizes)
    labels = _core.align_columns(
        witness.astype(np.uint32),
        *(one[order].astype(np.uint32) for one in (a, b, lengths)),
    ).astype(np.int64)
    sizes_by_label = np.bincount(labels, minlength=len(labels))
    joined = np.flatnonzero(sizes_by_label[labels] > 1)
    used, column = np.unique(labels[joined], return_inverse=True)
    table = np.full((len(used), len(stretches)), -1, np.int32)
    at = witness[joined]
    table[column, at] = joined - offsets[at] + firsts[at]
    return table


def in_order(columns: NDArray[np.int32]) -> NDArray[np.int32]:
    """Columns in the order of the first witness; one that it lacks follows the column before it in
    the next witness that has it."""
    anchors = np.where(columns[:, 0] >= 0, columns[:, 0].astype(np.int64), -1)
    keys = [np.where(columns[:, 0] >= 0, 0, 1)]
    first = (columns >= 0).argmax(axis=1)
    for witness in range(1, columns.shape[1]):
        both = np.flatnonzero((columns[:, witness] >= 0) & (columns[:, 0] >= 0))
        own = np.flatnonzero(first == witness)
        if not len(own) or not len(both):
            continue
        both = both[np.argsort(columns[both, witness])]
        before = np.searchsorted(columns[both, witness], columns[own, witness]) - 1
        anchors[own] = np.where(before >= 0, columns[both[np.maximum(before, 0)], 0], -1)
    word = columns[np.arange(len(columns)), first] if len(columns) else first
    order = np.lexsort((word, first, *keys, anchors))
    return np.ascontiguousarray(columns[order])
