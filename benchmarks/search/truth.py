"""The true pairs, and how much of them a contender found.

Up to ``SLOW_LIMIT`` documents the truth comes from a slow, obvious inverted index that shares no
code with the package. Above, it is the exact join's answer, and the slow index checks it on the
first documents: whether two documents are a pair does not depend on the others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Set
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from benchmarks.texts.shingles import shingle_list

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.harness.trial import Trial
    from benchmarks.runners.contender import Gives

SLOW_LIMIT = 5_000

Pairs = Set[tuple[int, int]]


def slow_pairs(texts: list[str], threshold: float) -> frozenset[tuple[int, int]]:
    """Count shared shingles through an inverted index, and keep pairs at the threshold or above."""
    sizes: list[int] = []
    postings: dict[str, list[int]] = defaultdict(list)
    found: set[tuple[int, int]] = set()
    for b, text in enumerate(texts):
        shingles = set(shingle_list(text))
        shared: Counter[int] = Counter()
        for shingle in shingles:
            shared.update(postings[shingle])
            postings[shingle].append(b)
        sizes.append(len(shingles))
        for a, count in shared.items():
            if count / (sizes[a] + sizes[b] - count) >= threshold:
                found.add((a, b))
    return frozenset(found)


@dataclass(frozen=True)
class Truth:
    """The pairs at or above the threshold among the first ``documents``."""

    documents: int
    pairs: Pairs
    origin: str
    agrees: bool | None = None  # of the exact join with the slow index, where both were run

    @classmethod
    def of(
        cls, corpus: Path, documents: int, threshold: float, exact: Trial | None
    ) -> Truth | None:
        """Return the truth, or None where nothing here can compute it."""
        small = min(documents, SLOW_LIMIT)
        with corpus.open(encoding="ascii") as lines:
            slow = slow_pairs([line[:-1] for line in islice(lines, small)], threshold)
        joined = exact.pairs if exact and not exact.failure else None
        agrees = None
        if joined is not None:
            agrees = {pair for pair in joined if pair[1] < small} == slow
        if documents <= SLOW_LIMIT:
            return cls(documents, slow, "slow inverted index", agrees)
        if joined is None:
            return None
        return cls(documents, joined, f"exact join, checked on {small:,} documents", agrees)

    def expected(self, gives: Gives) -> Set[int] | Pairs:
        """Return what a perfect answer of this kind would hold."""
        if gives == "pairs":
            return self.pairs
        if gives == "marks":
            return {row for pair in self.pairs for row in pair}
        return {b for _, b in self.pairs}

    def score(self, trial: Trial, gives: Gives) -> tuple[float, float]:
        """Return recall and precision of the trial's answer, pairs or documents by ``gives``."""
        wanted: Set[object] = self.expected(gives)
        found: Set[object] = trial.pairs if gives == "pairs" else trial.marked
        right = len(wanted & found)
        return right / len(wanted) if wanted else 1.0, right / len(found) if found else 1.0
