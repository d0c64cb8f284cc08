"""Barriers: words that no other text has, where text was excluded; no passage crosses one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.text.words import CUT_GAP, Words

_BARRIER = 60  # words: runs end there, and passages are not merged across so many


class Part(NamedTuple):
    """What lies between two barriers on both sides: its words, matches and evidence."""

    places: tuple[int, int, int, int]
    matches: NDArray[np.uint32]
    evidence: float
    matched: int


def with_barriers(words: Words, number: int) -> Words:
    """The words of text `number` with barriers; these have no length in the text."""
    cuts = np.flatnonzero(words.gaps[1:-1] == CUT_GAP) + 1
    if not len(cuts):
        return words
    at = np.repeat(cuts, _BARRIER)
    unique = (np.uint64(number + 1) << np.uint64(32)) + np.arange(len(at), dtype=np.uint64)
    gaps = np.where(words.gaps == CUT_GAP, 3, words.gaps).astype(np.uint8)
    return Words(
        np.insert(words.hashes, at, unique),
        np.insert(words.stems, at, unique),
        np.insert(words.letters, at, 1),
        np.insert(words.begins, at, words.begins[at]),
        np.insert(words.ends, at, words.begins[at]),
        np.insert(gaps, at, 3),
    )


def count_words(words: Words, begin: int, end: int) -> int:
    """The words of a stretch, without those of barriers."""
    return int(np.count_nonzero(words.begins[begin:end] < words.ends[begin:end]))


def parts_between(
    places: Sequence[int], matches: NDArray[np.uint32], evidence: float, a: Words, b: Words
) -> Iterator[Part]:
    """A passage as it is, or its parts where single words were strong enough to cross a barrier.

    Evidence is shared out by matched words.
    """
    a_begin, a_end, b_begin, b_end = places
    matched = int(matches[:, 2].sum())
    if count_words(a, a_begin, a_end) == a_end - a_begin and (
        count_words(b, b_begin, b_end) == b_end - b_begin
    ):
        yield Part((a_begin, a_end, b_begin, b_end), matches, evidence, matched)
        return
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    behind_a, behind_b = (np.cumsum(words.begins == words.ends) for words in (a, b))
    for i, (at_a, at_b, _) in enumerate(matches.tolist()):
        groups[int(behind_a[at_a]), int(behind_b[at_b])].append(i)
    for group in groups.values():
        own = matches[group]
        first, last = own[:, :2].min(axis=0), (own[:, :2] + own[:, 2:]).max(axis=0)
        count = int(own[:, 2].sum())
        whole = int(first[0]), int(last[0]), int(first[1]), int(last[1])
        yield Part(whole, own, evidence * count / matched, count)
