"""`find_pair_passages`: what two texts share. Every command, view and API takes it from here.

The answer depends on the two texts and the settings alone: neither on which of them comes first nor
on what other texts there are. Words are weighed by general rates, which are fixed (`Frequencies`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.passages.alignment import AlignmentSettings, align_pairs
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.statistics.shared_runs import (
    SMALLEST_P,
    count_short_runs,
    is_unspaced,
    pair_run_chance,
    run_reached_by_chance,
)
from likewise.text.words import Words, words_of
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.passage import Passage
    from likewise.text.word_frequencies import Frequencies

_IN_RUNS = ("verbatim", "edited")  # kinds whose evidence is in runs of words


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPassages:
    """What two texts share.

    Attributes:
        passages: verbatim, edited and reordered ones, in the order of a.
        reworded: possibly reworded ones, which are part of no count and no percentage.
        size_a, size_b: words of each text, without those that were excluded from matching.
        words_a, words_b: its words that are matched in some passage, each counted once.
        p: the probability that unrelated texts of these lengths share a run as long as that of the
            best passage; None where no passage has one.
        chance_run: the longest run that unrelated texts of these lengths share in one case of
            twenty.
    """

    passages: tuple[Passage, ...] = ()
    reworded: tuple[Passage, ...] = ()
    size_a: int
    size_b: int
    words_a: int = 0
    words_b: int = 0
    p: float | None = None
    chance_run: int

    @property
    def words(self) -> int:
        """The shared words of a."""
        return self.words_a

    @property
    def share_a(self) -> float:
        """The shared words of a, of all of its words."""
        return self.words_a / self.size_a if self.size_a else 0.0

    @property
    def share_b(self) -> float:
        """The shared words of b, of all of its words."""
        return self.words_b / self.size_b if self.size_b else 0.0

    @property
    def longest_run(self) -> int:
        """Words of the longest run of equal ones."""
        return max((passage.run for passage in self.passages), default=0)

    def __bool__(self) -> bool:
        return bool(self.passages or self.reworded)


def figures_of(passages: Iterable[Passage], a: Words, b: Words, chance_run: int) -> dict[str, Any]:
    """The fields of `PairPassages` for these passages of two texts."""
    given = list(passages)
    kept = tuple(passage for passage in given if passage.kind != "reworded")
    chances = [passage.p for passage in kept if passage.p is not None]
    return {
        "passages": kept,
        "reworded": tuple(passage for passage in given if passage.kind == "reworded"),
        "size_a": len(a),
        "size_b": len(b),
        "words_a": int(matched_words(a, kept).sum()),
        "words_b": int(matched_words(b, [passage.turned() for passage in kept]).sum()),
        "p": min(chances, default=None),
        "chance_run": chance_run,
    }


def matched_words(words: Words, passages: Iterable[Passage]) -> NDArray[np.bool_]:
    """For each word of a, whether it is matched in one of the passages."""
    matched = np.zeros(len(words), bool)
    for passage in passages:
        if passage.kind != "reworded" and passage.matches:
            places = np.array([match[:2] for match in passage.matches])
            for first, last in np.searchsorted(words.begins, places).tolist():
                matched[first:last] = True
    return matched


def alignment_settings(min_words: int, base: AlignmentSettings | None = None) -> AlignmentSettings:
    """Settings under which every run of `min_words` equal words is a passage."""
    check_whole("min_words", min_words, 1)
    return replace(base or AlignmentSettings(), least_run=min_words)


def find_pair_passages(
    texts: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    *,
    min_words: int = DEFAULT_MIN_WORDS,
    rates: Frequencies | None = None,
    settings: AlignmentSettings | None = None,
    threads: int | None = None,
    words: Sequence[Words] | None = None,
) -> list[PairPassages]:
    """What the two texts of each pair share.

    Args:
        texts: all texts, as they are matched (`matching_text`).
        pairs: the places of two texts in `texts`.
        min_words: every run of so many equal words is a passage.
        rates: how often words are met in general; by their length, if not given.
        settings: of the alignment.
        threads: how many to use; all processors, if not given.
        words: those of the texts, where they have been cut already.
    """
    known = alignment_settings(min_words, settings)
    if words is None:
        words = [words_of(text, stem_letters=known.stem_letters) for text in texts]
    chosen = list(pairs)
    found = align_pairs(texts, chosen, rates=rates, settings=known, threads=threads, words=words)
    return [
        _with_chance(passages, words[a], words[b], min_words)
        for (a, b), passages in zip(chosen, found, strict=True)
    ]


def _with_chance(passages: Sequence[Passage], a: Words, b: Words, min_words: int) -> PairPassages:
    unspaced = is_unspaced(a.letters) or is_unspaced(b.letters)
    reached = run_reached_by_chance(len(a), len(b), unspaced=unspaced)

    def is_in_runs(passage: Passage) -> bool:
        """Whether it is a passage by its runs, and not by single rare words."""
        if passage.kind in _IN_RUNS:
            return passage.run >= min_words or passage.score >= DEFAULT_MIN_WORDS
        return passage.run >= (2 if unspaced else 1) * min_words

    if any(map(is_in_runs, passages)):
        short, equal = count_short_runs(a.hashes, b.hashes)
        passages = [
            replace(
                passage,
                p=max(
                    SMALLEST_P,
                    pair_run_chance(
                        len(a), len(b), passage.score, short, equal_share=equal, unspaced=unspaced
                    ),
                ),
            )
            if is_in_runs(passage)
            else passage
            for passage in passages
        ]
    return PairPassages(**figures_of(passages, a, b, reached))
