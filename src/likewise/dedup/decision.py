"""`Decision`: of every document whether it is kept, and what it is similar to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.arrays import U32, U64, Bools, Floats, Ints
from likewise.dedup.across import GroupedTexts, choose_across
from likewise.dedup.cohesion import lowest_inside
from likewise.dedup.groups import UniqueGroups
from likewise.dedup.rules import NONE, best_keepers, choose, second_look
from likewise.dedup.verified_pairs import VerifiedPairs
from likewise.search.clusters import connected_components
from likewise.search.packed_pairs import pack, unpack

if TYPE_CHECKING:
    from likewise.dedup.settings import DedupSettings


# Documents, which ascend: from the best to the worst, as places in what was given.
OrderOf = Callable[["U32"], "Ints"]
# Pairs a << 32 | b of unique documents, which ascend: how similar they are.
SimilarityOf = Callable[["U64"], VerifiedPairs]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterTable:
    """Clusters as columns, by their labels.

    Attributes:
        label: the smallest unique document.
        documents, unique, kept: how many there are.
        inside: the lowest similarity of two unique documents in it.
        inside_exact: whether all pairs were looked at for it, and not the verified ones only.
        removed: the lowest similarity of a removed document to the kept one; NaN if none is.
    """

    label: U32
    documents: Ints
    unique: Ints
    kept: Ints
    inside: Floats
    inside_exact: Bools
    removed: Floats

    def __len__(self) -> int:
        return len(self.label)


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A row for each document.

    Attributes:
        kept: whether it is kept.
        cluster: the label of its cluster; NONE if it is alone.
        similar_to: the most similar kept document, of one that is removed; otherwise NONE.
        similarity: to that one; NaN where there is none.
        clusters: what is known of each cluster.
    """

    kept: Bools
    cluster: U32
    similar_to: U32
    similarity: Floats
    clusters: ClusterTable


def decide(
    numbers: U32,
    unique: int,
    pairs: VerifiedPairs,
    settings: DedupSettings,
    *,
    order_of: OrderOf,
    similarity_of: SimilarityOf,
    boilerplate: U32 | None = None,
    groups: U64 | None = None,
) -> Decision:
    """Decides on all documents.

    Args:
        numbers: of each document the number of its digest, or NONE: it is kept, and alone.
        unique: how many digests there are.
        pairs: verified.
        settings: of these the threshold of the pairs, and chains as in `rules.choose`.
        order_of, similarity_of: what has to be looked up or computed on the way.
        boilerplate: for containment, unique documents for which not all was compared.
        groups: of each document the hash of its group, where only documents of different groups
            are compared. The pairs are those of texts that different groups have.
    """
    # One place more than there are digests: the last is that of documents without one.
    number = np.minimum(numbers, np.uint32(unique))
    copies = np.bincount(number, minlength=unique + 1).astype(np.uint32)
    copies[unique] = 0
    of_groups = None
    if groups is not None:
        of_groups = UniqueGroups.of("across", unique, [(numbers, groups)])
    involved = copies > 1 if of_groups is None else np.append(of_groups.are_several(), False)
    involved[pairs.a] = True
    involved[pairs.b] = True
    members: U32 = np.flatnonzero(involved).astype(np.uint32)  # unique documents, ascending
    place = np.zeros(unique, np.uint32)
    place[members] = np.arange(len(members), dtype=np.uint32)
    documents: U32 = np.flatnonzero(involved[number]).astype(np.uint32)
    own = place[numbers[documents]]  # of each such document its unique one, as a place
    del involved, number
    # What is decided on: unique documents, across groups each of them once for every group.
    grouped = None if groups is None else GroupedTexts.of_documents(own, groups[documents])
    unit = own if grouped is None else grouped.of

    # Written from the worst to the best, the best is what stays.
    order = order_of(documents)[::-1]
    count = len(members) if grouped is None else len(grouped)
    best, rank = np.empty(count, np.uint32), np.empty(count, np.uint64)
    best[unit[order]] = documents[order]
    rank[unit[order]] = np.arange(len(order), dtype=np.uint64)[::-1]
    del order

    a, b = place[pairs.a], place[pairs.b]
    labels = connected_components(len(members), a, b)
    kept, similar_to, similarity = _choose(a, b, pairs, rank, grouped, settings)
    among = None
    if boilerplate is not None:
        keepers = best_keepers(a, b, pairs.of_a, pairs.of_b, rank, kept, settings.threshold)
        among = keepers, np.isin(members, boilerplate)
    if settings.chains == "split":
        in_view = (kept, rank) if grouped is None else grouped.best_of_texts(kept, rank)
        more = _named(second_look(labels, *in_view, among), members)
        if of_groups is not None:
            more = of_groups.admit(more)
        if len(more):
            pairs = _with_more(pairs, more, settings.threshold, similarity_of)
            a, b = place[pairs.a], place[pairs.b]
            kept, similar_to, similarity = _choose(a, b, pairs, rank, grouped, settings)
    _compute_missing(similar_to, similarity, members, similarity_of)
    stays = kept[unit]
    if grouped is None:
        stays &= best[unit] == documents
    del place, rank, b
    inside_of = similarity_of if settings.measure == "jaccard" else None
    clusters = _describe(labels, members, own, stays, similarity[unit], pairs, a, inside_of)
    del a, pairs

    count = len(numbers)
    decision = Decision(
        np.ones(count, np.bool_),
        np.full(count, NONE),
        np.full(count, NONE),
        np.full(count, np.nan),
        clusters,
    )
    decision.cluster[documents] = members[labels[own]]
    decision.kept[documents] = stays
    gone, of = documents[~stays], unit[~stays]
    decision.similar_to[gone] = best[similar_to[of]]
    decision.similarity[gone] = similarity[of]
    return decision


def _choose(
    a: U32,
    b: U32,
    pairs: VerifiedPairs,
    rank: U64,
    grouped: GroupedTexts | None,
    settings: DedupSettings,
) -> tuple[Bools, U32, Floats]:
    """Which are kept, which kept one each is most similar to, and how similar."""
    if grouped is not None:
        return choose_across(a, b, pairs.similarity, rank, grouped)
    return choose(a, b, pairs.of_a, pairs.of_b, rank, settings.chains, settings.threshold)


def _named(pairs: U64, members: U32) -> U64:
    """Pairs of places among the members as pairs of members."""
    a, b = unpack(pairs)
    return pack(members[a], members[b])


def _with_more(
    pairs: VerifiedPairs, more: U64, threshold: float, similarity_of: SimilarityOf
) -> VerifiedPairs:
    """The pairs, and those of some more that reach the threshold."""
    compared = similarity_of(np.setdiff1d(more, pairs.pairs, assume_unique=True))
    return VerifiedPairs.joined([pairs, compared.take(compared.similarity >= threshold)])


def _compute_missing(
    similar_to: U32, similarity: Floats, members: U32, similarity_of: SimilarityOf
) -> None:
    """The similarity of documents to the kept one that they have no verified pair with."""
    at = np.flatnonzero(np.isnan(similarity))
    if len(at) == 0:
        return
    one, other = members[at], members[similar_to[at]]
    pairs = pack(np.minimum(one, other), np.maximum(one, other))
    order = np.argsort(pairs, kind="stable")
    similarity[at[order]] = similarity_of(pairs[order]).similarity


def _describe(
    labels: U32,
    members: U32,
    own: U32,
    stays: Bools,
    similarity: Floats,
    pairs: VerifiedPairs,
    a: U32,
    similarity_of: SimilarityOf | None,
) -> ClusterTable:
    """What is known of each cluster; `labels` are by place among the members.

    own, stays, similarity: of each document its member, whether it is kept, and how similar it is
    to the kept one.
    """
    heads = np.flatnonzero(labels == np.arange(len(labels)))
    cluster = np.zeros(len(labels), np.int64)
    cluster[heads] = np.arange(len(heads))
    cluster = cluster[labels]
    count = len(heads)
    unique = np.bincount(cluster, minlength=count)
    inside, exact = lowest_inside(
        cluster, members, unique, cluster[a], pairs.pairs, pairs.similarity,
        None if similarity_of is None else lambda some: similarity_of(some).similarity,
    )  # fmt: skip
    removed = np.full(count, np.inf)
    np.minimum.at(removed, cluster[own[~stays]], similarity[~stays])
    removed[np.isinf(removed)] = np.nan
    return ClusterTable(
        label=members[heads],
        documents=np.bincount(cluster[own], minlength=count),
        unique=unique,
        kept=np.bincount(cluster[own[stays]], minlength=count),
        inside=inside,
        inside_exact=exact,
        removed=removed,
    )
