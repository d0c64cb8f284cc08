"""`Agreements`: which words agree in which of the texts, and how many there are of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.survey.synopsis.units import Column, SharedWording

KINDS = {1: "single", 2: "double", 3: "triple", 4: "quadruple", 5: "quintuple"}
"""What a tradition is called, by the number of its texts."""

_ALWAYS_LISTED = 3  # texts up to which every tradition is listed, even if it has no words


class AgreedRun(NamedTuple):
    """Words in a row that the same texts have in the same order.

    Attributes:
        words: how many there are.
        places: for each text that has them, its number and the number of its first word.
    """

    words: int
    places: tuple[tuple[int, int], ...]

    @property
    def texts(self) -> tuple[int, ...]:
        return tuple(sorted({text for text, _ in self.places}))


@dataclass(frozen=True, slots=True)
class Tradition:
    """Words that the same texts have.

    Attributes:
        texts: their numbers.
        kind: "single" for one text, "double" for two, and so on.
        words: the words of each text.
        wider: those of them that are in passages which more texts share.
    """

    texts: tuple[int, ...]
    kind: str
    words: tuple[int, ...]
    wider: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Agreements:
    """The agreements of texts.

    Attributes:
        columns: the words that agree, in order.
        families: the passages that they are in.
        sizes: the number of words of each text.
        excluded: which of them are excluded; they agree with none, and are in no tradition.
    """

    columns: Sequence[Column]
    families: Sequence[SharedWording]
    sizes: Sequence[int]
    excluded: Sequence[NDArray[np.bool_]]

    @cached_property
    def masks(self) -> list[NDArray[np.uint8]]:
        """For each word of each text the texts that have it, as bits; its own text at least."""
        masks = [np.full(size, 1 << text, np.uint8) for text, size in enumerate(self.sizes)]
        for column in self.columns:
            bits = _bits(text for text, _ in column)
            for text, word in column:
                masks[text][word] = bits
        return masks

    @cached_property
    def runs(self) -> list[AgreedRun]:
        """All words that agree, as runs."""
        runs: list[AgreedRun] = []
        following: Column = ()
        for column in self.columns:
            if column == following:
                runs[-1] = AgreedRun(runs[-1].words + 1, runs[-1].places)
            else:
                runs.append(AgreedRun(1, column))
            following = tuple((text, word + 1) for text, word in column)
        return runs

    def traditions(self) -> list[Tradition]:
        """Those of most texts first; empty ones only for up to three texts."""
        return list(self._traditions())

    def _traditions(self) -> Iterator[Tradition]:
        count = len(self.sizes)
        shared = self.shared_masks
        remaining = [~mask for mask in self.excluded]
        for size in range(count, 0, -1):
            for texts in combinations(range(count), size):
                own = _bits(texts)
                chosen = [(self.masks[text] == own) & remaining[text] for text in texts]
                wider = [
                    int((mask & (shared[text] != own) & (shared[text] & own == own)).sum())
                    for text, mask in zip(texts, chosen, strict=True)
                ]
                words = [int(mask.sum()) for mask in chosen]
                if any(words) or size in (1, count) or count <= _ALWAYS_LISTED:
                    yield Tradition(texts, KINDS[size], tuple(words), tuple(wider))

    @cached_property
    def shared_masks(self) -> list[NDArray[np.uint8]]:
        """For each word the texts of the family that it is in, as bits; 0 outside families."""
        shared = [np.zeros(size, np.uint8) for size in self.sizes]
        for family in self.families:
            texts = _bits(stretch.text for stretch in family.stretches)
            for stretch in family.stretches:
                shared[stretch.text][stretch.first : stretch.stop] = texts
        return shared


def _bits(texts: Iterable[int]) -> int:
    bits = 0
    for text in texts:
        bits |= 1 << text
    return bits
