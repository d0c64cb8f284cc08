"""Passages of two documents as they are shown: places in characters and words, and what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likewise.passages.passage import Match, Passage
from likewise.survey.shown_text import ShownText
from likewise.text.words import Words


def passages_view(a: ShownText, b: ShownText, passages: Iterable[Passage]) -> list[dict[str, Any]]:
    """Passages of a and b, as a sees them.

    `matched` are the matched words of a as [first, behind the last], and `other_matched` those of
    b: these words, and no others, are shared. `changed` and `other_changed` are the places, in
    characters, of all other words of the passage.
    """
    return [_passage(a, b, passage) for passage in passages]


def _passage(a: ShownText, b: ShownText, passage: Passage) -> dict[str, Any]:
    first, last = a.word_places(passage.a_start, passage.a_end)
    other_first, other_last = b.word_places(passage.b_start, passage.b_end)
    matched = _matched(a.words, first, last, passage.matches)
    turned = passage.turned()
    other_matched = _matched(b.words, other_first, other_last, turned.matches)
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
        "matched": matched,
        "changed": _places(a.words, first, last, matched),
        "other_matched": other_matched,
        "other_changed": _places(b.words, other_first, other_last, other_matched),
    }


def _matched(words: Words, first: int, last: int, matches: Sequence[Match]) -> list[list[int]]:
    """The words that are in some match, as ranges of words."""
    matched = np.zeros(last - first, bool)
    places = np.array([match[:2] for match in matches]).reshape(-1, 2)
    for begin, end in (np.searchsorted(words.begins, places) - first).tolist():
        matched[max(0, begin) : end] = True
    edges = np.flatnonzero(np.diff(np.r_[0, matched, 0]))
    ranges: list[list[int]] = (first + edges.reshape(-1, 2)).tolist()
    return ranges


def _places(words: Words, first: int, last: int, matched: list[list[int]]) -> list[list[int]]:
    """Where words `first` to `last` are that are not matched, as [start, end] in characters."""
    edges = [first, *(edge for part in matched for edge in part), last]
    return [
        [int(words.begins[begin]), int(words.ends[end - 1])]
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
        if begin < end
    ]
