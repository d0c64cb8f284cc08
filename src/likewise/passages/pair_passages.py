"""`find_pair_passages`: what two texts share. Every command, view and API takes it from here.

The answer depends on the two texts and the settings alone: neither on which of them comes first nor
on what other texts there are. Words are weighed by general rates, which are fixed (`Frequencies`).
Excluded text is a part of the texts that are aligned; its words are taken out afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from likewise.passages.alignment import AlignmentSettings, align_pairs
from likewise.passages.attribution.attributed_text import AttributedText, attributed
from likewise.passages.excluded_words import AlignedText, mask_of, without_excluded
from likewise.passages.settings import DEFAULT_MIN_WORDS, check_spelling
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

    from likewise.passages.passage import Match, Passage
    from likewise.passages.settings import Spelling
    from likewise.text.cut_words import CutWords
    from likewise.text.word_frequencies import Frequencies

_NOTHING: Mapping[int, Iterable[tuple[int, int]]] = {}
_IN_RUNS = ("verbatim", "edited")  # kinds whose evidence is in runs of words


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPassages:
    """What two texts share.

    Attributes:
        passages: verbatim, edited and reordered ones, in the order of a.
        reworded: possibly reworded ones, which are part of no count and no percentage.
        size_a, size_b: words of each text, without excluded ones.
        words_a, words_b: its words that are matched in some passage, each counted once.
        similar_a, similar_b: those of them that are matched with similar words and with no
            identical one.
        p: the probability that unrelated texts of these lengths, excluded words included, share a
            run as long as that of the best passage; None where no passage has one.
        chance_run: the longest run that unrelated texts of these lengths share in one case of
            twenty.
        short_runs, equal_share: of both texts, by `count_short_runs`, from which `p` is computed;
            None and 0 if no passage has one.
    """

    passages: tuple[Passage, ...] = ()
    reworded: tuple[Passage, ...] = ()
    size_a: int
    size_b: int
    words_a: int = 0
    words_b: int = 0
    similar_a: int = 0
    similar_b: int = 0
    p: float | None = None
    chance_run: int
    short_runs: int | None = None
    equal_share: float = 0.0

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

    @property
    def every(self) -> tuple[Passage, ...]:
        """All passages, reworded ones last."""
        return self.passages + self.reworded

    def __bool__(self) -> bool:
        return bool(self.passages or self.reworded)

    def only(self, passages: Iterable[Passage], a: Words, b: Words) -> Self:
        """The same pair with these passages only; `a` and `b` are the words of both texts."""
        given = tuple(passages)
        return self if given == self.every else replace(self, **_passage_fields(given, a, b))


def _passage_fields(passages: Sequence[Passage], a: Words, b: Words) -> dict[str, Any]:
    """The fields of `PairPassages` that depend on its passages."""
    kept = tuple(passage for passage in passages if passage.kind != "reworded")
    chances = [passage.p for passage in kept if passage.p is not None]
    return {
        "passages": kept,
        "reworded": tuple(passage for passage in passages if passage.kind == "reworded"),
        "words_a": int(matched_words(a, kept).sum()),
        "words_b": int(matched_words(b, kept, "b").sum()),
        **_similar_counts(kept, a, b),
        "p": min(chances, default=None),
    }


def _similar_counts(passages: Sequence[Passage], a: Words, b: Words) -> dict[str, int]:
    """The words of both texts that are matched with similar words alone."""
    if not any(passage.similar for passage in passages):
        return {}
    same = [replace(one, matches=identical_matches(one, a, b)) for one in passages]
    return {
        f"similar_{side}": int(
            (matched_words(words, passages, side) & ~matched_words(words, same, side)).sum()
        )
        for side, words in (("a", a), ("b", b))
    }


def identical_matches(passage: Passage, a: Words, b: Words) -> tuple[Match, ...]:
    """The matches of a passage without those of similar words."""
    if not passage.similar or not passage.matches:
        return passage.matches
    places = np.array(passage.matches)
    first_a, first_b = (
        np.searchsorted(words.begins, places[:, column]) for words, column in ((a, 0), (b, 2))
    )
    same = a.hashes[first_a] == b.hashes[first_b]
    return tuple(m for m, is_same in zip(passage.matches, same.tolist(), strict=True) if is_same)


def matched_words(words: Words, passages: Iterable[Passage], side: str = "a") -> NDArray[np.bool_]:
    """For each word of one side, a or b, whether it is matched in one of the passages."""
    matched = np.zeros(len(words), bool)
    for passage in passages:
        if passage.kind != "reworded":
            mark_matches(matched, words, passage, side)
    return matched


def mark_matches(matched: NDArray[np.bool_], words: Words, passage: Passage, side: str) -> None:
    """Set `matched` for the matched words of one side of a passage."""
    own = slice(2) if side == "a" else slice(2, 4)
    places = np.array([match[own] for match in passage.matches]).reshape(-1, 2)
    for first, last in np.searchsorted(words.begins, places).tolist():
        matched[first:last] = True


def alignment_settings(
    min_words: int, base: AlignmentSettings | None = None, spelling: Spelling = "exact"
) -> AlignmentSettings:
    """Settings under which every run of `min_words` equal words is a passage; words match by
    similar spelling if `base` or `spelling` says so."""
    check_spelling(spelling)
    check_whole("min_words", min_words, 1)
    known = replace(base or AlignmentSettings(), least_run=min_words)
    return known if spelling == "exact" else replace(known, spelling=spelling)


def find_pair_passages(
    texts: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    *,
    min_words: int = DEFAULT_MIN_WORDS,
    spelling: Spelling = "exact",
    rates: Frequencies | None = None,
    settings: AlignmentSettings | None = None,
    threads: int | None = None,
    words: Sequence[Words] | CutWords | None = None,
    excluded: Mapping[int, Iterable[tuple[int, int]]] = _NOTHING,
    attributions: dict[int, AttributedText] | None = None,
) -> list[PairPassages]:
    """What the two texts of each pair share.

    Args:
        texts: all texts, as displayed (`matching_text`); only those of `pairs` are read.
        pairs: the positions of two texts in `texts`.
        min_words: every run of at least this many equal words is a passage.
        spelling: "similar" to count words of similar spelling as shared; "exact" means that of
            `settings`.
        rates: general word rates; estimated from the length of a word, if not given.
        settings: of the alignment.
        threads: how many to use; all processors, if not given.
        words: those of the texts, where they have been cut already.
        excluded: ranges of the texts, by position, whose words are not shared.
        attributions: quotations and citations of the texts, by position, where they are known;
            those of texts with passages are added.
    """
    known = alignment_settings(min_words, settings, spelling)
    # Only the texts of these pairs, so that the vocabulary stays small.
    used, positions = np.unique(np.array(list(pairs), np.int64).reshape(-1, 2), return_inverse=True)
    chosen: list[tuple[int, int]] = [(a, b) for a, b in positions.reshape(-1, 2).tolist()]
    numbers: list[int] = used.tolist()
    own = [texts[i] for i in numbers]
    cut = [
        words_of(texts[i], stem_letters=known.stem_letters) if words is None else words[i]
        for i in numbers
    ]
    found = align_pairs(own, chosen, rates=rates, settings=known, threads=threads, words=cut)
    known_attributions = {} if attributions is None else attributions

    def attribution(position: int) -> AttributedText:
        number = numbers[position]
        if number not in known_attributions:
            known_attributions[number] = AttributedText(own[position])
        return known_attributions[number]

    sides = [
        AlignedText(text, one, mask_of(one, excluded.get(number, ())))
        for number, text, one in zip(numbers, own, cut, strict=True)
    ]
    return [
        _pair(
            [
                attributed(passage, attribution(a), attribution(b), (cut[a], cut[b]))
                for passage in passages
            ],
            sides[a],
            sides[b],
            min_words,
        )
        for (a, b), passages in zip(chosen, found, strict=True)
    ]


def _pair(
    passages: Sequence[Passage], in_a: AlignedText, in_b: AlignedText, min_words: int
) -> PairPassages:
    """The passages outside excluded text, with their probabilities."""
    passages = without_excluded(passages, in_a, in_b, min_words)
    a, b = in_a.words, in_b.words
    unspaced = is_unspaced(a.letters) or is_unspaced(b.letters)
    reached = run_reached_by_chance(len(a), len(b), unspaced=unspaced)

    def is_in_runs(passage: Passage) -> bool:
        """Whether it is a passage by its runs, and not by single rare words."""
        if passage.kind in _IN_RUNS:
            return passage.run >= min_words or passage.score >= DEFAULT_MIN_WORDS
        return passage.run >= (2 if unspaced else 1) * min_words

    short, equal = None, 0.0
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
    fields = _passage_fields(passages, a, b)
    return PairPassages(
        size_a=in_a.size, size_b=in_b.size, chance_run=reached, short_runs=short, equal_share=equal,
        **fields,
    )  # fmt: skip
