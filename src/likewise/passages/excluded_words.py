"""Excluded words: which of a text's words they are, and what they leave of a passage.

Texts are aligned as a whole, and excluded words are taken out of the passages afterwards. So an
exclusion changes nothing elsewhere, and may be switched on and off without a new search. The pages
of report and app do the same (`pages/static/data/excluded_words.js`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.passages.alignment import passage_of
from likewise.passages.passage import Passage, score_of
from likewise.statistics.shared_runs import is_unspaced
from likewise.text.words import Words

Mask: TypeAlias = NDArray[np.bool_]


class AlignedText(NamedTuple):
    """One side of a pair: its text, its words, and which of them are excluded; None for none."""

    text: str
    words: Words
    excluded: Mask | None = None

    @property
    def size(self) -> int:
        """The number of words that are not excluded."""
        excluded = 0 if self.excluded is None else int(np.count_nonzero(self.excluded))
        return len(self.words) - excluded


def remaining_words(words: Words, ranges: Iterable[tuple[int, int]]) -> int:
    """The number of words outside excluded ranges."""
    return AlignedText("", words, mask_of(words, ranges)).size


def mask_of(words: Words, ranges: Iterable[tuple[int, int]]) -> Mask | None:
    """The words that begin in one of the ranges of a text; None if there are no ranges."""
    places = np.array(list(ranges), np.int64).reshape(-1, 2)
    if not len(places):
        return None
    mask = np.zeros(len(words), np.bool_)
    for first, last in np.searchsorted(words.begins, places).tolist():
        mask[first:last] = True
    return mask


def without_excluded(
    passages: Iterable[Passage], a: AlignedText, b: AlignedText, min_words: int
) -> list[Passage]:
    """What is left of the passages of two texts.

    A passage ends at excluded text, on either side. Of its parts those are passages in which the
    longest run, with each changed word counted against it (`Passage.score`, but of similar words
    too if they match), has at least `min_words` words, or twice as many letters in scripts without
    spaces. A possibly reworded passage is dropped if most words of either stretch are excluded.
    """
    if a.excluded is None and b.excluded is None:
        return list(passages)
    unspaced = is_unspaced(a.words.letters) or is_unspaced(b.words.letters)
    masks = _mask(a), _mask(b)
    return [
        part
        for passage in passages
        for part in _parts(passage, a, b, masks, min_words * (2 if unspaced else 1))
    ]


def _mask(side: AlignedText) -> Mask:
    return np.zeros(len(side.words), np.bool_) if side.excluded is None else side.excluded


def _parts(
    passage: Passage, a: AlignedText, b: AlignedText, masks: tuple[Mask, Mask], min_score: int
) -> Iterator[Passage]:
    out_a, out_b = masks
    inside = [
        mask[slice(*np.searchsorted(side.words.begins, place).tolist())]
        for mask, side, place in (
            (out_a, a, (passage.a_start, passage.a_end)),
            (out_b, b, (passage.b_start, passage.b_end)),
        )
    ]
    if not any(mask.any() for mask in inside):
        yield passage
        return
    if passage.kind == "reworded":
        if all(2 * np.count_nonzero(mask) <= len(mask) for mask in inside):
            yield passage
        return
    # Words between the same excluded stretches, on both sides, belong together.
    stretch_a, stretch_b = (np.cumsum(np.diff(mask, prepend=False) & mask) for mask in masks)
    groups: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
    for run in _runs(passage, a.words, b.words, out_a, out_b):
        groups[int(stretch_a[run[0]]), int(stretch_b[run[1]])].append(run)
    for runs in groups.values():
        if (score := score_of_both(runs)) >= min_score:
            matched = sum(words for _, _, words in runs)
            evidence = passage.evidence * matched / passage.words
            similar = passage.similar is not None
            part = passage_of(runs, evidence, a[:2], b[:2], kind=passage.kind, similar=similar)
            yield replace(
                part,
                score=part.score if similar else score,
                a_attribution=passage.a_attribution,
                b_attribution=passage.b_attribution,
            )


def score_of_both(runs: Sequence[tuple[int, int, int]]) -> int:
    """The score of these runs seen from both sides: the same whichever text is a."""
    turned = sorted((b, a, words) for a, b, words in runs)
    return max(score_of(runs), score_of(turned))


def _runs(
    passage: Passage, a: Words, b: Words, out_a: Mask, out_b: Mask
) -> Iterator[tuple[int, int, int]]:
    """Matched words that are excluded on neither side: word of a, word of b, words."""
    for match in passage.matches:
        first_a, last_a = np.searchsorted(a.begins, match[:2]).tolist()
        first_b = int(np.searchsorted(b.begins, match.b_start))
        length = min(last_a - first_a, len(b) - first_b)
        kept = ~(out_a[first_a : first_a + length] | out_b[first_b : first_b + length])
        for begin, end in np.flatnonzero(np.diff(np.r_[0, kept, 0])).reshape(-1, 2).tolist():
            yield first_a + begin, first_b + begin, end - begin
