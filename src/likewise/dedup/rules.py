"""What a deduplication decides, as pure functions of arrays: the same on every engine.

Unique documents are those with different digests. They are numbered in the order of their digests,
so that nothing depends on the order of files, partitions or threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from likewise.arrays import U32, U64, Bools, Floats, Ints
from likewise.search.clusters import connected_components
from likewise.search.packed_pairs import pack

CHAINS = ("split", "join")
NONE = np.uint32(0xFFFFFFFF)  # in place of the number of a document

# Clusters of more unique documents, of which "split" keeps several, are looked at once more: the
# pairs that large buckets set aside would leave similar documents among the kept ones.
LARGE_CLUSTER = 100
LEADERS = 8

# Rounds over all pairs at once before what is left, long chains, is gone through one by one.
ROUNDS = 32


def number_unique(digests: U64) -> tuple[U64, U32, U32]:
    """Digests [n, 2] of documents: the different ones in their order, each document's number among
    them, and of each of them the first document.

    The order is that of the first half, then of the second, both unsigned.
    """
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    ordered = digests[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(order), np.uint32)
    numbers[order] = np.cumsum(new, dtype=np.uint32) - np.uint32(1)
    return ordered[new], numbers, order[new].astype(np.uint32)  # the sort is stable


def cluster_name(digest: U64 | tuple[int, int]) -> str:
    """The name of a cluster: the smallest digest in it, as 32 hexadecimal digits."""
    return f"{int(digest[0]):016x}{int(digest[1]):016x}"


def choose(
    a: U32,
    b: U32,
    of_a: Floats,
    of_b: Floats,
    best_rank: U64,
    chains: str = "split",
    threshold: float = 0.0,
) -> tuple[Bools, U32, Floats]:
    """Which unique documents are kept, which kept one each is most similar to, and how similar.

    Args:
        a, b: verified pairs, in any order, each once.
        of_a, of_b: how much of each is in the other; where that is less than the threshold, it
            cannot be removed for it. Both are the same for a measure without a direction.
        best_rank: for each unique document the rank of its best copy; all different.
        chains: "split" keeps each document that is not in a kept one, as `_without_kept_neighbour`
            has it; "join" keeps the best of each cluster and no other.

    A kept document is most similar to itself. Where "join" removes a document that has no pair with
    the kept one, the similarity is NaN and has to be computed.
    """
    n = len(best_rank)
    similar_to = np.arange(n, dtype=np.uint32)
    similarity = np.ones(n)
    if chains == "join":
        labels = connected_components(n, a, b)
        kept = _best_of_each(labels, best_rank)
        keeper = np.zeros(n, np.uint32)
        keeper[labels[kept]] = np.flatnonzero(kept)
        similar_to = keeper[labels]
        similarity[~kept] = np.nan
    else:
        a_in_b, b_in_a = of_a >= threshold, of_b >= threshold
        kept = _without_kept_neighbour(a, b, a_in_b, b_in_a, best_rank)
    removed, keeping, score = _kept_pairs(a, b, of_a, of_b, kept, threshold)
    first = _first_of_each(removed, best_rank[keeping], -score)
    similar_to[removed[first]] = keeping[first]
    similarity[removed[first]] = score[first]
    return kept, similar_to, similarity


def best_keepers(
    a: U32, b: U32, of_a: Floats, of_b: Floats, best_rank: U64, kept: Bools, threshold: float
) -> U32:
    """Of each removed document the kept one of the best rank that it is in; of others themselves.

    Arguments as of `choose`, and its result.
    """
    removed, keeping, _ = _kept_pairs(a, b, of_a, of_b, kept, threshold)
    first = _first_of_each(removed, best_rank[keeping])
    keepers = np.arange(len(best_rank), dtype=np.uint32)
    keepers[removed[first]] = keeping[first]
    return keepers


def _kept_pairs(
    a: U32, b: U32, of_a: Floats, of_b: Floats, kept: Bools, threshold: float
) -> tuple[U32, U32, Floats]:
    """Each removed document with each kept one that it may be removed for, and how similar."""
    removed, keeping = np.concatenate([a, b]), np.concatenate([b, a])
    score = np.concatenate([of_a, of_b])
    chosen = ~kept[removed] & kept[keeping] & (score >= threshold)
    return removed[chosen], keeping[chosen], score[chosen]


def _first_of_each(removed: U32, *keys: Any) -> Ints:
    """The place of each document that is first by keys, of which the last counts most."""
    order = np.lexsort((*keys, removed))
    first = np.ones(len(removed), np.bool_)
    first[1:] = removed[order[1:]] != removed[order[:-1]]
    return order[first]


def second_look(
    labels: U32, kept: Bools, best_rank: U64, among: tuple[U32, Bools] | None = None
) -> U64:
    """Pairs to verify before "split" chooses once more: `a << 32 | b` with a < b, ascending.

    In each cluster of more than LARGE_CLUSTER unique documents with two or more kept ones, the
    LEADERS best of the kept ones are compared with all others. What is similar to the best document
    of a cluster is then removed, however large the buckets were.

    Args:
        among: for containment, the best kept document that each is in, and a mask of those for
            which not all was compared. Only these are, with the kept ones that most others are in.
    """
    pairs = [np.zeros(0, np.uint64)]
    sizes = np.bincount(labels, minlength=len(labels))
    several = np.bincount(labels[kept], minlength=len(labels)) > 1
    wanted = np.flatnonzero((sizes > LARGE_CLUSTER) & several)
    if len(wanted) == 0:
        return pairs[0]
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], wanted)
    for start, size in zip(starts.tolist(), sizes[wanted].tolist(), strict=True):
        members = order[start : start + size]
        staying = members[kept[members]]
        order = np.argsort(best_rank[staying])
        if among is not None:
            keepers, open_ = among
            many = np.bincount(keepers[members], minlength=len(labels))
            order = np.lexsort((best_rank[staying], -many[staying]))
            members = members[open_[members]]
        for leader in staying[order][:LEADERS]:
            others = members[members != leader]
            pairs.append(pack(np.minimum(others, leader), np.maximum(others, leader)))
    return np.unique(np.concatenate(pairs))


def _best_of_each(labels: U32, best_rank: U64) -> Bools:
    """The document with the smallest rank of each cluster."""
    order = np.lexsort((best_rank, labels))
    first = np.ones(len(order), np.bool_)
    first[1:] = labels[order[1:]] != labels[order[:-1]]
    kept = np.zeros(len(order), np.bool_)
    kept[order[first]] = True
    return kept


def _without_kept_neighbour(a: U32, b: U32, a_in_b: Bools, b_in_a: Bools, best_rank: U64) -> Bools:
    """Documents none of which is in another, such that each other one is in one of them.

    Of two documents the better one is that which contains the other; if both do, that of the better
    rank. In a round all documents are kept that have no undecided better one, and those in them are
    removed: the same decisions as one by one, by rank where all pairs have both directions. Where
    better ones form a circle, those are kept that no undecided document contains one-way, as far
    as they are the best by rank among each other.
    """
    a_better = np.where(a_in_b & b_in_a, best_rank[a] < best_rank[b], b_in_a)
    better, worse = np.where(a_better, (a, b), (b, a))
    mutual = a_in_b & b_in_a
    removed = np.zeros(len(best_rank), np.bool_)
    done = 0
    while len(better):
        if done == ROUNDS:
            apart = _only_mutual(len(best_rank), better, worse, mutual)
            _go_through(better[apart], worse[apart], best_rank, removed)
            better, worse, mutual = better[~apart], worse[~apart], mutual[~apart]
        done += 1
        undecided = np.zeros(len(best_rank), np.bool_)
        undecided[worse] = True
        settled = ~undecided[better]  # the better one of these pairs is kept
        if not settled.any():
            winners = _of_circles(better, worse, mutual, best_rank)
            removed[better[winners[worse]]] = True
            settled = winners[better]
        removed[worse[settled]] = True
        left = ~(settled | removed[better] | removed[worse])
        better, worse, mutual = better[left], worse[left], mutual[left]
    return ~removed


def _of_circles(better: U32, worse: U32, mutual: Bools, best_rank: U64) -> Bools:
    """Which documents to keep where each has a better one; none is in a pair with another."""
    winners = np.zeros(len(best_rank), np.bool_)
    winners[better] = winners[worse] = True
    winners[worse[~mutual]] = False  # what contains them comes first
    beaten = worse[winners[better] & winners[worse]]
    winners[beaten] = False
    return winners


def _only_mutual(n: int, better: U32, worse: U32, mutual: Bools) -> Bools:
    """The pairs of those components all of whose pairs have both directions."""
    labels = connected_components(n, better, worse)
    mixed = np.zeros(n, np.bool_)
    mixed[labels[better[~mutual]]] = True
    return ~mixed[labels[better]]


def _go_through(better: U32, worse: U32, best_rank: U64, removed: Bools) -> None:
    """One pair after the other, by the rank of the better one."""
    order = np.argsort(best_rank[better], kind="stable")
    for good, bad in zip(better[order].tolist(), worse[order].tolist(), strict=True):
        if not removed[good]:
            removed[bad] = True
