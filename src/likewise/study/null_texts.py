"""Texts in which nothing is shared but by chance, in place of several texts: shuffled or unrelated.

Each null says something else, and a p-value is given only for the measures it is a fair null of.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from likewise.errors import UsageError
from likewise.study.altered import MIN_UNITS, UNITS
from likewise.study.estimators.randomness import generator
from likewise.text.words import Words, words_of

MIN_SETS = 100  # of unrelated texts, for a p-value; as many as pairs for the null model `corpus`
_MAX_DRAWS = 100  # of an order of unrelated texts that has room for all stretches


@dataclass(frozen=True, slots=True)
class TextNull:
    """A kind of random texts.

    Attributes:
        what: how they are made.
        says: what it means to be above this level.
        tests: the measures that a p-value is given for.
        no_test: why there is none for the others.
    """

    what: str
    says: str
    tests: Collection[str]
    no_test: str


NULLS = {
    "words": TextNull(
        what="the words of each text in random order",
        says="what the vocabularies give. The set phrases of a language are enough to be above it",
        tests=("shingles",),
        no_test="passages and runs are words in order, and random words have none",
    ),
    "sentences": TextNull(
        what="the sentences of each text in random order",
        says="what single sentences share, without the help of those around them; a level for the "
        "order of the parallels, not for sharing nothing",
        tests=("order", "in order"),
        no_test="it keeps the sentences that the texts share",
    ),
    "lines": TextNull(
        what="the lines (or verses, one per line) of each text in random order",
        says="what single lines share, without the help of those around them; a level for the "
        "order of the parallels, not for sharing nothing",
        tests=("order", "in order"),
        no_test="it keeps the lines that the texts share",
    ),
    "unrelated": TextNull(
        what="stretches of unrelated texts, of the same lengths",
        says="what texts of these lengths share anyway, if the unrelated ones are of the same "
        "language, kind and time",
        tests=("words", "shingles", "run"),
        no_test="unrelated texts have few parallels",
    ),
}
SHUFFLES = ("words", "sentences", "lines")


class ShuffledTexts:
    """The same texts with their words, sentences or lines in random order."""

    def __init__(self, texts: Sequence[str], unit: str) -> None:
        split = _split_words if unit == "words" else _split_units
        self.parts = [split(text, unit) for text in texts]

    def too_short(self) -> list[int]:
        """The texts with too few units for a shuffle to change much."""
        return [at for at, (units, _) in enumerate(self.parts) if len(units) < MIN_UNITS]

    def draw(self, rng: np.random.Generator) -> list[str]:
        """Every text with its units in random order, and what is between them in place."""
        return [_joined(units, between, rng) for units, between in self.parts]


Parts = tuple[list[str], list[str]]
"""The units of a text, and what is before, between and after them."""


def _split_words(text: str, unit: str) -> Parts:
    words = words_of(text)
    # One character can be several words, such as "½".
    places = list(dict.fromkeys(zip(words.begins.tolist(), words.ends.tolist(), strict=True)))
    units = [text[begin:end] for begin, end in places]
    edges = [0, *(edge for place in places for edge in place), len(text)]
    between = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    # Words that touch are letters of a script without spaces, which others might run into.
    spaced = bool((words.letters > 0).any())
    if spaced:
        between[1:-1] = [one or " " for one in between[1:-1]]
    return units, between


def _split_units(text: str, unit: str) -> Parts:
    parts = UNITS[unit.removesuffix("s")].split(text)
    units, between = [], [""]
    for one, end in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if one and not one.isspace():
            units.append(one)
            between.append(end)
        else:
            between[-1] += one + end
    return units, between


def _joined(units: list[str], between: list[str], rng: np.random.Generator) -> str:
    order = rng.permutation(len(units)).tolist()
    return between[0] + "".join(
        units[at] + after for at, after in zip(order, between[1:], strict=True)
    )


class UnrelatedTexts:
    """Stretches of unrelated texts, each text in one of them only.

    A stretch comes from a single text if enough of them are long enough. Otherwise it is put
    together from several; then there is no p-value.

    Args:
        texts: the unrelated texts.
        sizes: words of each stretch.
    """

    def __init__(self, texts: Sequence[str], sizes: Sequence[int]) -> None:
        self.sizes = list(sizes)
        self.texts: list[tuple[str, Words]] = []
        for text in dict.fromkeys(texts):  # a copy is not unrelated
            words = words_of(text)
            if len(words):
                self.texts.append((text, words))
        self.words = sum(len(words) for _, words in self.texts)
        self._long = [at for at, (_, words) in enumerate(self.texts) if len(words) >= max(sizes)]
        self.single = comb(len(self._long), len(sizes)) >= MIN_SETS
        if self.words < sum(sizes):
            raise UsageError(
                f"the unrelated texts have {self.words:,} words; {sum(sizes):,} are needed, as many"
                " as the texts have together",
                hint="give more texts with --unrelated",
            )

    def why_no_p(self) -> str | None:
        """Why these texts give no p-value; None if they do."""
        if self.single:
            return None
        return (
            f"only {len(self._long)} of {len(self.texts):,} unrelated texts are as long as the "
            f"longest text, too few for {MIN_SETS} different sets; stretches are put together from "
            "several texts"
        )

    def draw(self, rng: np.random.Generator) -> list[str]:
        """One stretch for each text."""
        for _ in range(_MAX_DRAWS):
            if (stretches := self._try(rng)) is not None:
                return stretches
        raise UsageError(
            f"{len(self.texts):,} unrelated texts with {self.words:,} words are too few for "
            f"{len(self.sizes)} stretches of {max(self.sizes):,} words at most",
            hint="give more texts with --unrelated",
        )

    def _try(self, rng: np.random.Generator) -> list[str] | None:
        chosen = self._long if self.single else range(len(self.texts))
        order = rng.permutation(np.array(chosen)).tolist()
        stretches: list[str] = []
        for size in self.sizes:
            parts = []
            while size > 0:
                if not order:
                    return None
                text, words = self.texts[order.pop()]
                length = min(size, len(words))
                first = int(rng.integers(len(words) - length + 1))
                parts.append(text[words.begins[first] : words.ends[first + length - 1]])
                size -= length
            stretches.append("\n\n".join(parts))
        return stretches


def trial_generator(seed: int, null: str, trial: int) -> np.random.Generator:
    """The randomness of one trial: the same however many there are, and whichever other nulls."""
    sequence = np.random.SeedSequence([seed, list(NULLS).index(null), trial])
    return generator(int(sequence.generate_state(1, np.uint64)[0]))
