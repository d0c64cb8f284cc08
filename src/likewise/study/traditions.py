"""What several texts share: all of them, exactly two of them, one alone. Each as a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
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
from likewise.survey.synopsis.agreement import Agreements
from likewise.survey.synopsis.columns import agreeing_words, shared_wordings
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


@dataclass(frozen=True, eq=False)
class Traditions:
    """The words of passages that several texts share, by the texts that have them.

    The words are those that agree in a synopsis of the texts, with the same counts.

    Attributes:
        families: the passages that the texts share.
        agreements: the words that agree, by the texts that have them.
    """

    families: Families[int]
    agreements: Agreements

    @classmethod
    def of_texts(cls, texts: Sequence[str], min_words: int) -> Traditions:
        passages = find_passages(texts, min_words=min_words)
        families = find_families(passages)
        wordings = shared_wordings(families)
        words = [words_of(text) for text in texts]
        pairs = {(pair.a, pair.b): pair for pair in passages}
        nothing = [np.zeros(len(own), np.bool_) for own in words]
        columns = agreeing_words(wordings, pairs, words)
        sizes = [len(own) for own in words]
        return cls(families, Agreements(columns, wordings, sizes, nothing))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The words of each text."""
        return tuple(self.agreements.sizes)

    @cached_property
    def columns(self) -> dict[str, int]:
        """For each subset of two texts or more, the words of exactly these.

        A word counts once, however many texts have it, and however often.
        """
        counts = Counter(
            lettered(sorted({text for text, _ in column})) for column in self.agreements.columns
        )
        return {
            lettered(subset): counts[lettered(subset)] for subset in subsets(len(self.sizes), 2)
        }

    @cached_property
    def words(self) -> dict[str, tuple[int, ...]]:
        """For each subset, the words of each of these texts that exactly these have.

        They are more than in `columns` where a text has a wording twice.
        """
        masks = self.agreements.masks
        return {
            lettered(subset): tuple(
                int(np.count_nonzero(masks[text] == sum(1 << one for one in subset)))
                for text in subset
            )
            for subset in subsets(len(self.sizes))
        }

    @property
    def alone(self) -> tuple[int, ...]:
        """The words of each text that no other has."""
        return tuple(self.words[letter][0] for letter in LETTERS[: len(self.sizes)])

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
