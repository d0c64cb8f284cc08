"""Passages of two documents as they are shown: places in characters and words, and what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from likewise.arrays import Ints
from likewise.passages.pair_passages import mark_matches
from likewise.passages.passage import Passage
from likewise.passages.ranges import gaps, word_range
from likewise.survey.shown_text import ShownText


def passages_view(a: ShownText, b: ShownText, passages: Iterable[Passage]) -> list[dict[str, Any]]:
    """Passages of a and b, as a sees them.

    `matched` are the matched words of a as [first, behind the last], and `other_matched` those of
    b: these words, and no others, are shared. `changed` and `other_changed` are the places, in
    characters, of all other words of the passage. `matches` are runs of matched words, cut where a
    mark of either text begins or ends, so that marked text can be excluded: [word of a, word of b,
    words, start and end in a, start and end in b].
    """
    return [_passage(a, b, passage) for passage in passages]


def passage_words(a: ShownText, b: ShownText, passage: Passage) -> tuple[Ints, Ints]:
    """For each matched word its number in a and in b."""
    places = np.array(passage.matches, np.int64).reshape(-1, 4)
    first, last = (np.searchsorted(a.words.begins, places[:, at]) for at in (0, 1))
    other = np.searchsorted(b.words.begins, places[:, 2])
    of_a = [np.arange(start, end) for start, end in zip(first, last, strict=True)]
    of_b = [begin + part - part[0] for begin, part in zip(other, of_a, strict=True) if len(part)]
    empty = np.zeros(0, np.int64)
    return np.concatenate([empty, *of_a]), np.concatenate([empty, *of_b])


def _passage(a: ShownText, b: ShownText, passage: Passage) -> dict[str, Any]:
    first, last = a.word_places(passage.a_start, passage.a_end)
    other_first, other_last = b.word_places(passage.b_start, passage.b_end)
    matched, changed = _matched_and_changed(a, first, last, passage)
    other_matched, other_changed = _matched_and_changed(b, other_first, other_last, passage, "b")
    return {
        "start": passage.a_start,
        "end": passage.a_end,
        "first": first,
        "last": last,
        "other_start": passage.b_start,
        "other_end": passage.b_end,
        "other_first": other_first,
        "other_last": other_last,
        "words": passage.words,
        "run": passage.run,
        "similarity": round(passage.similarity, 4),
        "kind": passage.kind,
        "p": passage.p,
        "attribution": passage.a_attribution,
        "other_attribution": passage.b_attribution,
        "matches": list(_matches(a, b, passage)),
        "matched": matched,
        "changed": changed,
        "other_matched": other_matched,
        "other_changed": other_changed,
    }


def _matches(a: ShownText, b: ShownText, passage: Passage) -> Iterator[list[int]]:
    edges = [{edge for *_, first, last in text.marks for edge in (first, last)} for text in (a, b)]
    for match in passage.matches:
        first, last = a.word_places(match.a_start, match.a_end)
        other = b.word_places(match.b_start, match.b_end)[0]
        cuts = {edge for edge in edges[0] if first < edge < last}
        cuts |= {edge - other + first for edge in edges[1] if other < edge < other + last - first}
        for begin, end in pairwise([first, *sorted(cuts), last]):
            at = other + begin - first
            yield [
                begin, at, end - begin, *word_range(a.words, begin, end),
                *word_range(b.words, at, at + end - begin),
            ]  # fmt: skip


def _matched_and_changed(
    text: ShownText, first: int, last: int, passage: Passage, side: str = "a"
) -> tuple[list[list[int]], list[list[int]]]:
    """Matched words as ranges of words, and where the others are, as ranges of characters."""
    is_matched = np.zeros(len(text.words), bool)
    mark_matches(is_matched, text.words, passage, side)
    edges = np.flatnonzero(np.diff(np.r_[0, is_matched[first:last], 0]))
    matched: list[list[int]] = (first + edges.reshape(-1, 2)).tolist()
    changed = [list(word_range(text.words, *gap)) for gap in gaps(matched, first, last)]
    return matched, changed
