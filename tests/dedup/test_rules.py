"""The rules of a deduplication equal slow, obvious ones."""

from __future__ import annotations

from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.dedup import rules
from likewise.search.clusters import connected_components
from likewise.sketches.candidates import find_candidates

HUBS = 8  # as core/candidates.hpp has it


def slow_bucket_pairs(keys: list[int], max_bucket: int) -> tuple[list[tuple[int, int]], int, int]:
    pairs, large, set_aside = set(), 0, 0
    for key in set(keys):
        members = [i for i, k in enumerate(keys) if k == key]
        everything = set(combinations(members, 2))
        taken = everything
        if len(members) > max_bucket:
            large += 1
            taken = {
                (a, b)
                for a, b in everything
                if a in members[:HUBS] or members.index(b) - members.index(a) <= HUBS
            }
        set_aside += len(everything) - len(taken)
        pairs |= taken
    return sorted(pairs), large, set_aside


@given(st.lists(st.integers(0, 6), max_size=60), st.integers(2, 70))
def test_buckets(keys: list[int], max_bucket: int) -> None:
    mixed = [key * 0x9E3779B97F4A7C15 % 2**64 for key in keys]
    found = find_candidates(np.array(mixed, np.uint64), max_bucket=max_bucket)
    pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
    expected = slow_bucket_pairs(mixed, max_bucket)
    assert (pairs, found.large_buckets, found.set_aside) == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=30))
def test_unique_documents_are_numbered_by_digest(digests: list[tuple[int, int]]) -> None:
    halves = [(x << 62, y << 62) for x, y in digests]  # unsigned: the high bit is no sign
    unique, numbers, first = rules.number_unique(np.array(halves, np.uint64).reshape(-1, 2))
    expected = sorted(set(halves))
    assert [(int(x), int(y)) for x, y in unique] == expected
    assert numbers.tolist() == [expected.index(digest) for digest in halves]
    assert first.tolist() == [halves.index(digest) for digest in expected]


def test_a_cluster_is_named_by_its_digest() -> None:
    assert rules.cluster_name((1, 2**64 - 1)) == "0000000000000001ffffffffffffffff"
    assert rules.cluster_name(np.array([2**63, 0], np.uint64)) == "8" + "0" * 31


Pairs = list[tuple[int, int, float]]


@st.composite
def verified(draw: st.DrawFn) -> tuple[int, Pairs, list[int]]:
    n = draw(st.integers(1, 14))
    possible = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    score = st.sampled_from([0.8, 0.85, 0.9, 0.95])
    return n, [(a, b, draw(score)) for a, b in edges], draw(st.permutations(range(n)))


def slow_clusters(n: int, pairs: Pairs) -> list[int]:
    labels = list(range(n))
    for _ in range(n):
        for a, b, _ in pairs:
            labels[a] = labels[b] = min(labels[a], labels[b])
    return labels


def slow_choose(
    n: int, pairs: Pairs, rank: list[int], chains: str
) -> tuple[list[bool], list[int], list[float | None]]:
    score = {(a, b): j for a, b, j in pairs} | {(b, a): j for a, b, j in pairs}
    labels = slow_clusters(n, pairs)
    kept: list[int] = []
    for i in sorted(range(n), key=rank.__getitem__):
        if chains == "split" and not any((i, k) in score for k in kept):
            kept.append(i)
        if chains == "join" and labels[i] not in [labels[k] for k in kept]:
            kept.append(i)
    similar_to, similarity = [], []
    for i in range(n):
        near = [(-score[i, k], rank[k], k) for k in kept if (i, k) in score]
        if i in kept:
            similar_to.append(i)
            similarity.append(1.0)
        elif near:
            similar_to.append(min(near)[2])
            similarity.append(-min(near)[0])
        else:
            similar_to.append(next(k for k in kept if labels[k] == labels[i]))
            similarity.append(None)
    return [i in kept for i in range(n)], similar_to, similarity


@pytest.mark.parametrize("rounds", [0, 1, 32])
@pytest.mark.parametrize("chains", rules.CHAINS)
@given(drawn=verified())
def test_choice(drawn: tuple[int, Pairs, list[int]], chains: str, rounds: int) -> None:
    n, pairs, rank = drawn
    a, b = (np.array([pair[i] for pair in pairs], np.uint32) for i in range(2))
    jaccard = np.array([pair[2] for pair in pairs])
    assert connected_components(n, a, b).tolist() == slow_clusters(n, pairs)
    with patch.object(rules, "ROUNDS", rounds):
        kept, similar_to, similarity = rules.choose(
            a, b, jaccard, jaccard, np.array(rank, np.uint64), chains
        )
    told = [None if np.isnan(value) else float(value) for value in similarity]
    assert (kept.tolist(), similar_to.tolist(), told) == slow_choose(n, pairs, rank, chains)


def test_a_long_chain_is_gone_through() -> None:
    n = 5_000
    a = np.arange(n - 1, dtype=np.uint32)
    same = np.full(n - 1, 0.9)
    kept, _, _ = rules.choose(a, a + np.uint32(1), same, same, np.arange(n, dtype="u8"))
    assert kept.tolist() == [i % 2 == 0 for i in range(n)]


@given(verified(), st.data())
def test_second_look(drawn: tuple[int, Pairs, list[int]], data: st.DataObject) -> None:
    n, pairs, rank = drawn
    labels = slow_clusters(n, pairs)
    kept = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    expected = set()
    for label in set(labels):
        members = [i for i in range(n) if labels[i] == label]
        staying = sorted((i for i in members if kept[i]), key=rank.__getitem__)
        if len(members) > 3 and len(staying) > 1:
            expected |= {
                (min(i, leader), max(i, leader))
                for leader in staying[:2]
                for i in members
                if i != leader
            }
    with patch.multiple(rules, LARGE_CLUSTER=3, LEADERS=2):
        found = rules.second_look(
            np.array(labels, np.uint32), np.array(kept, np.bool_), np.array(rank, np.uint64)
        )
    assert [(int(p) >> 32, int(p) & 0xFFFFFFFF) for p in found] == sorted(expected)


Directed = tuple[list[frozenset[int]], list[int]]


@st.composite
def sets_and_ranks(draw: st.DrawFn) -> Directed:
    sets = draw(
        st.lists(st.frozensets(st.integers(0, 9), min_size=1), min_size=1, max_size=14, unique=True)
    )
    return sets, draw(st.permutations(range(len(sets))))


def contained(x: frozenset[int], y: frozenset[int]) -> float:
    return len(x & y) / len(x)


def slow_containment(sets: list[frozenset[int]], rank: list[int], least: float) -> list[bool]:
    """One after the other: what no undecided better document contains; in a circle, what no
    undecided document contains one-way, the best of those that contain each other."""

    def is_in(i: int, j: int) -> bool:
        return i != j and contained(sets[i], sets[j]) >= least

    def beats(j: int, i: int) -> bool:
        return is_in(i, j) and (not is_in(j, i) or rank[j] < rank[i])

    undecided, kept = set(range(len(sets))), set()
    while undecided:
        winners = {i for i in undecided if not any(beats(j, i) for j in undecided)}
        if not winners:
            top = {
                i for i in undecided
                if not any(is_in(i, j) and not is_in(j, i) for j in undecided)
            }  # fmt: skip
            winners = {i for i in top if not any(beats(j, i) for j in top)}
        kept |= winners
        undecided -= winners
        undecided -= {i for i in undecided if any(is_in(i, j) for j in winners)}
    return [i in kept for i in range(len(sets))]


@pytest.mark.parametrize("rounds", [0, 1, 32])
@given(drawn=sets_and_ranks(), least=st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_containment(drawn: Directed, least: float, rounds: int) -> None:
    sets, rank = drawn
    pairs = [
        (i, j, contained(sets[i], sets[j]), contained(sets[j], sets[i]))
        for i, j in combinations(range(len(sets)), 2)
        if max(contained(sets[i], sets[j]), contained(sets[j], sets[i])) >= least
    ]
    a, b = (np.array([pair[i] for pair in pairs], np.uint32) for i in range(2))
    of_a, of_b = (np.array([pair[i] for pair in pairs], np.float64) for i in (2, 3))
    with patch.object(rules, "ROUNDS", rounds):
        kept, similar_to, similarity = rules.choose(
            a, b, of_a, of_b, np.array(rank, np.uint64), "split", least
        )
    assert kept.tolist() == slow_containment(sets, rank, least)
    for i, near in enumerate(similar_to.tolist()):
        assert kept[near]
        assert similarity[i] == contained(sets[i], sets[near])
        if not kept[i]:
            others = [j for j in np.flatnonzero(kept).tolist() if j != i]
            assert similarity[i] == max(contained(sets[i], sets[j]) for j in others) >= least
        else:
            assert not any(
                contained(sets[i], sets[j]) >= least for j in np.flatnonzero(kept) if j != i
            )
