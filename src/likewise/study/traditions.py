"""What several texts share: all of them, exactly two of them, one alone. Each as a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import Hashes, Ints
from likewise.passages.families.find import find_families
from likewise.passages.families.results import Families
from likewise.passages.find import find_passages
from likewise.statistics.family_runs import longest_run_of_all
from likewise.study.parallel_order import common_order, kendall_tau
from likewise.study.shingled import Shingled
from likewise.text.profile import Profile
from likewise.text.words import words_of

LETTERS = "abcde"
"""The texts, as reports call them."""

MEASURES = {
    "words": "words of passages that exactly these texts share",
    "shingles": "different shingles that exactly these texts have",
    "run": "words of the longest run that all of these texts have",
    "order": "Kendall's tau of the parallels: 1 same order, 0 no relation, -1 reversed",
    "in order": "share of the words of the parallels that are in one common order",
}


class Figure(NamedTuple):
    """What is counted, a key of MEASURES, and in which texts, as letters: "ab"."""

    measure: str
    texts: str


Figures = dict[Figure, float | None]


def subsets(texts: int, fewest: int = 1) -> Iterator[tuple[int, ...]]:
    """All sets of at least `fewest` texts, the largest first."""
    for size in range(texts, fewest - 1, -1):
        yield from combinations(range(texts), size)


def lettered(subset: Sequence[int]) -> str:
    return "".join(LETTERS[i] for i in subset)


def shingle_figures(texts: Sequence[str], profile: Profile) -> Figures:
    """Different shingles, by the texts that have them."""
    counts = count_exactly([Shingled.of_text(text, profile).elements for text in texts])
    return {Figure("shingles", names): count for names, count in counts.items()}


def count_exactly(sets: Sequence[Hashes]) -> dict[str, int]:
    """For each subset of the sets, the elements that exactly these have."""
    _, element = np.unique(np.concatenate(sets), return_inverse=True)
    bits = np.repeat(1 << np.arange(len(sets)), [len(one) for one in sets])
    owners = np.bincount(element.reshape(-1), weights=bits).astype(np.int64)
    counts = np.bincount(owners, minlength=1 << len(sets))
    return {lettered(one): int(counts[sum(1 << i for i in one)]) for one in subsets(len(sets))}


def run_figures(texts: Sequence[str]) -> Figures:
    """The longest run of words of each two texts and more."""
    words = [words_of(text).hashes for text in texts]
    return {
        Figure("run", lettered(subset)): longest_run_of_all([words[i] for i in subset])
        for subset in subsets(len(texts), 2)
    }


@dataclass(frozen=True, slots=True, eq=False)
class Traditions:
    """The words of the passage families of several texts, by the texts that have them.

    A word counts once where several texts have it: it is a column of the families, the same as a
    word in the columns of a synopsis.

    Attributes:
        families: they cover each word at most once.
        sizes: words of each text.
        columns: for each subset of two texts or more, the columns of exactly these.
        words: the words of each of these texts in them: more, where a text has a wording twice.
        alone: the words of each text that no other has.
    """

    families: Families[int]
    sizes: tuple[int, ...]
    columns: dict[str, int]
    words: dict[str, tuple[int, ...]]
    alone: tuple[int, ...]

    @classmethod
    def of_texts(cls, texts: Sequence[str], min_words: int) -> Traditions:
        families = find_families(find_passages(texts, min_words=min_words))
        sizes = tuple(len(words_of(text)) for text in texts)
        columns: Counter[int] = Counter()
        words = [Counter[int]() for _ in texts]
        for family in families:
            numbers = [witness.number for witness in family.witnesses]
            owners = has_word(family.columns, numbers, len(texts)) @ (1 << np.arange(len(texts)))
            columns.update(owners.tolist())
            for number, column in zip(numbers, family.columns.T, strict=True):
                words[number].update(owners[column >= 0].tolist())
        shared = {subset: sum(1 << i for i in subset) for subset in subsets(len(texts), 2)}
        return cls(
            families,
            sizes,
            {lettered(subset): columns[owners] for subset, owners in shared.items()},
            {
                lettered(subset): tuple(words[i][owners] for i in subset)
                for subset, owners in shared.items()
            },
            tuple(
                size - sum(own[owners] for owners in shared.values())
                for size, own in zip(sizes, words, strict=True)
            ),
        )

    def places(self, *texts: int) -> tuple[list[Ints], Ints]:
        """The families that all of these texts have.

        The number of the first word in each text, and the words that all of these have in common.
        If a text has a family in several places, the first counts.
        """
        firsts: list[list[int]] = []
        weights: list[int] = []
        for family in self.families:
            numbers = [witness.number for witness in family.witnesses]
            if set(texts) <= set(numbers):
                firsts.append([family.witnesses[numbers.index(text)].first for text in texts])
                has = has_word(family.columns, numbers, len(self.sizes))
                weights.append(int(np.count_nonzero(has[:, list(texts)].all(axis=1))))
        table = np.array(firsts, np.int64).reshape(-1, len(texts))
        return list(table.T), np.array(weights, np.int64)

    def figures(self) -> Figures:
        """Words by the texts that have them, and the order of the parallels of each two texts."""
        figures: Figures = {}
        for subset in subsets(len(self.sizes)):
            names = lettered(subset)
            count = self.columns[names] if len(subset) > 1 else self.alone[subset[0]]
            figures[Figure("words", names)] = count
        for pair in subsets(len(self.sizes), 2):
            if len(pair) == 2:
                (a, b), words = self.places(*pair)
                tau = kendall_tau(a, b)
                share = None if tau is None else common_order(a, b, words) / int(words.sum())
                figures[Figure("order", lettered(pair))] = tau
                figures[Figure("in order", lettered(pair))] = share
        return figures


def has_word(columns: NDArray[np.int32], numbers: Sequence[int], texts: int) -> NDArray[np.bool_]:
    """Whether each text has the word of each column; `numbers` are the texts of the witnesses."""
    has = np.zeros((len(columns), texts), bool)
    for witness, number in enumerate(numbers):
        has[:, number] |= columns[:, witness] >= 0
    return has
