"""Cohesion: the lowest similarity inside each cluster, whose ends may be linked by a chain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from likewise.arrays import U32, U64, Bools, Floats, Ints
from likewise.search.packed_pairs import pack

if TYPE_CHECKING:
    pass


MAX_COMPARED = 100  # unique documents; of larger clusters only the verified pairs count
PAIRS_AT_ONCE = 1 << 20


def lowest_inside(
    cluster: Ints,
    members: U32,
    unique: Ints,
    of_pairs: Ints,
    pairs: U64,
    similarity: Floats,
    similarity_of: Callable[[U64], Floats] | None,
) -> tuple[Floats, Bools]:
    """The lowest similarity inside each cluster, and whether it is that of all pairs.

    Args:
        cluster: of each member the number of its cluster.
        members: unique documents, ascending.
        unique: how many of them each cluster has.
        of_pairs: the cluster of each verified pair.
        pairs, similarity: verified.
        similarity_of: computes those of pairs that are not; None if only the verified ones count.
    """
    lowest = np.ones(len(unique))
    np.minimum.at(lowest, of_pairs, similarity)
    known = np.bincount(of_pairs, minlength=len(unique))
    complete = known == unique * (unique - 1) // 2
    if similarity_of is None:
        return lowest, complete
    exact = complete | (unique <= MAX_COMPARED)
    open_ = np.flatnonzero(exact & ~complete)
    if len(open_) == 0:
        return lowest, exact
    order = np.argsort(cluster, kind="stable")
    starts = np.concatenate([[0], np.cumsum(unique)])
    for size in np.unique(unique[open_]).tolist():
        left, right = np.triu_indices(size, 1)
        alike = open_[unique[open_] == size]
        at_once = max(1, PAIRS_AT_ONCE // len(left))
        for begin in range(0, len(alike), at_once):
            some = alike[begin : begin + at_once]
            own = members[order[starts[some][:, None] + np.arange(size)]]
            made = pack(own[:, left], own[:, right]).ravel()
            of = np.repeat(some, len(left))
            at = np.minimum(np.searchsorted(pairs, made), len(pairs) - 1)
            missing = pairs[at] != made
            made, of = made[missing], of[missing]
            by_pair = np.argsort(made, kind="stable")
            np.minimum.at(lowest, of[by_pair], similarity_of(made[by_pair]))
    return lowest, exact
