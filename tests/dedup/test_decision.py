"""Decisions on documents equal a slow, obvious reading of the rules."""

from __future__ import annotations

import math
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.dedup import cohesion
from likewise.dedup.decision import Decision, decide
from likewise.dedup.rules import CHAINS, NONE
from likewise.dedup.settings import DedupSettings
from likewise.dedup.verified_pairs import VerifiedPairs

THRESHOLD = 0.5


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[int | None], dict[tuple[int, int], float]]:
    """Digest numbers of documents, and similarities of the digests."""
    unique = draw(st.integers(1, 7))
    numbers = draw(st.permutations([*range(unique), *draw(copies_of(unique))]))
    score = st.sampled_from([0.0, 0.2, 0.4, 0.5, 0.6, 0.9])
    return numbers, {pair: draw(score) for pair in combinations(range(unique), 2)}


def copies_of(unique: int) -> st.SearchStrategy[list[int | None]]:
    return st.lists(st.none() | st.integers(0, unique - 1), max_size=6)


def slow(
    numbers: list[int | None], scores: dict[tuple[int, int], float], order: list[int], how: str
) -> tuple[list[bool], list[int | None], list[int | None], list[float | None]]:
    both = scores | {(b, a): score for (a, b), score in scores.items()}
    unique = {number for number in numbers if number is not None}
    best = {u: min((i for i, n in enumerate(numbers) if n == u), key=order.index) for u in unique}
    label = {u: u for u in unique}
    for _ in unique:
        for (a, b), score in scores.items():
            if score >= THRESHOLD:
                label[a] = label[b] = min(label[a], label[b])
    kept: list[int] = []
    for u in sorted(unique, key=lambda u: order.index(best[u])):
        near = any(both[u, k] >= THRESHOLD for k in kept)
        if not (near if how == "split" else label[u] in [label[k] for k in kept]):
            kept.append(u)
    rows = []
    for i, u in enumerate(numbers):
        mates = [
            j
            for j, v in enumerate(numbers)
            if v is not None and u is not None and label[v] == label[u]
        ]
        if u is None or len(mates) == 1:
            rows.append((True, None, None, None))
        elif u in kept and best[u] == i:
            rows.append((True, label[u], None, None))
        elif u in kept:
            rows.append((False, label[u], best[u], 1.0))
        else:
            near_kept = [k for k in kept if label[k] == label[u]]
            if how == "split":
                near_kept = [k for k in near_kept if both[u, k] >= THRESHOLD]
            k = min(near_kept, key=lambda k: (-both[u, k], order.index(best[k])))
            rows.append((False, label[u], best[k], both[u, k]))
    columns = zip(*rows, strict=True)
    return tuple(list(column) for column in columns)  # type: ignore[return-value]


def made(
    numbers: list[int | None], scores: dict[tuple[int, int], float], order: list[int], how: str
) -> Decision:
    similar = sorted((a << 32 | b, score) for (a, b), score in scores.items() if score >= THRESHOLD)
    every = {a << 32 | b: score for (a, b), score in scores.items()}

    def order_of(documents: np.ndarray) -> np.ndarray:
        given_ = documents.tolist()
        return np.array([given_.index(i) for i in order if i in given_], np.int64)

    return decide(
        np.array([NONE if n is None else n for n in numbers], np.uint32),
        len({n for n in numbers if n is not None}),
        VerifiedPairs(
            np.array([pair for pair, _ in similar], np.uint64),
            *2 * (np.array([score for _, score in similar], np.float64),),
        ),
        DedupSettings.checked(threshold=THRESHOLD, chains=how),
        order_of=order_of,
        similarity_of=lambda pairs: VerifiedPairs(
            pairs, *2 * (np.array([every[int(pair)] for pair in pairs], np.float64),)
        ),
    )


@pytest.mark.parametrize("how", CHAINS)
@given(drawn=collections(), data=st.data())
def test_decisions(
    drawn: tuple[list[int | None], dict[tuple[int, int], float]], how: str, data: st.DataObject
) -> None:
    numbers, scores = drawn
    order = data.draw(st.permutations(range(len(numbers))))
    decision = made(numbers, scores, order, how)
    kept, cluster, similar_to, similarity = slow(numbers, scores, order, how)
    assert decision.kept.tolist() == kept
    assert [None if c == NONE else int(c) for c in decision.cluster] == cluster
    assert [None if s == NONE else int(s) for s in decision.similar_to] == similar_to
    assert [None if math.isnan(s) else s for s in decision.similarity] == similarity


@pytest.mark.parametrize("most", [2, 100])
@given(drawn=collections())
def test_clusters_tell_their_lowest_similarity(
    drawn: tuple[list[int | None], dict[tuple[int, int], float]], most: int
) -> None:
    numbers, scores = drawn
    with patch.object(cohesion, "MAX_COMPARED", most):
        decision = made(numbers, scores, list(range(len(numbers))), "split")
    table = decision.clusters
    for i, label in enumerate(table.label.tolist()):
        inside = [j for j, c in enumerate(decision.cluster.tolist()) if c == label]
        unique = {numbers[j] for j in inside}
        pairs = [scores[pair] for pair in scores if set(pair) <= unique]
        similar = [score for score in pairs if score >= THRESHOLD]
        exact = len(unique) <= most or len(similar) == len(pairs)
        removed = [decision.similarity[j] for j in inside if not decision.kept[j]]
        assert table.documents[i] == len(inside)
        assert table.unique[i] == len(unique)
        assert table.kept[i] == sum(decision.kept[inside])
        assert table.inside_exact[i] == exact
        assert table.inside[i] == min(pairs if exact else similar, default=1.0)
        assert table.removed[i] == min(removed)


def test_no_documents() -> None:
    decision = made([], {}, [], "split")
    assert len(decision.kept) == 0
    assert len(decision.clusters) == 0
