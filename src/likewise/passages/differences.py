"""`differences`: a passage word by word: what is the same, replaced, left out and put in.

RapidFuzz finds the most words that both sides have in the same order. Its time is the product of
the lengths, so what is too long for that is first cut where both sides surely belong together: at
runs of words that each side has once, in the same order on both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from likewise.errors import UsageError
from likewise.passages.increasing import increasing
from likewise.passages.ranges import word_range
from likewise.text.words import Words, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.passage import Match, Passage

Change = Literal["equal", "replaced", "left out", "put in"]

# Words of one side times words of the other: 50 MB and a tenth of a second.
MAX_STEPS = 400_000_000
_ANCHOR = 4  # words in a row: shorter runs may occur once by chance


@dataclass(frozen=True, slots=True)
class Difference:
    """A stretch of a passage in which both sides are the same, or not at all.

    a has its words from b: words put in are only in a, and words left out only in b.

    Attributes:
        kind: "equal", "replaced", "left out" or "put in".
        a_start, a_end, b_start, b_end: from the first word to the last on each side, in code points
            of the texts; empty, behind the word before, on the side that has none.
        a_words, b_words: how many words.
    """

    kind: Change
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    a_words: int
    b_words: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def differences(a: str, b: str, passage: Passage | Match) -> list[Difference]:
    """The words of a passage of `a` beside those of `b`, in the order of both.

    Words are equal whatever their case. Those that moved are left out in one place and put in at
    another. Where a passage is so long, and so changed, that not even single runs help, a stretch
    of it is "replaced" as a whole, though it may contain equal words.
    """
    for text, end, name in ((a, passage.a_end, "a"), (b, passage.b_end, "b")):
        if end > len(text):
            raise UsageError(
                f"the passage ends at {end:,} in {name}, which has {len(text):,} characters",
                hint="give the texts in which it was found",
            )
    in_a = words_of(a[passage.a_start : passage.a_end])
    in_b = words_of(b[passage.b_start : passage.b_end])
    hashes = np.concatenate([in_a.hashes, in_b.hashes])
    ids = np.unique(hashes, return_inverse=True)[1].astype(np.uint32)
    equal = _blocks(ids[: len(in_a)], ids[len(in_a) :])
    return [
        Difference(
            kind,
            *_place(in_a, passage.a_start, a_begin, a_end),
            *_place(in_b, passage.b_start, b_begin, b_end),
            a_words=a_end - a_begin,
            b_words=b_end - b_begin,
        )
        for kind, a_begin, a_end, b_begin, b_end in _merged(equal, len(in_a), len(in_b))
    ]


def _place(words: Words, offset: int, begin: int, end: int) -> tuple[int, int]:
    """Where words of a stretch are that begins at `offset`; empty, if there are none."""
    if begin < end:
        start, stop = word_range(words, begin, end)
    else:
        start = stop = int(words.ends[begin - 1]) if begin else 0
    return offset + start, offset + stop


_Equal = tuple[int, int, int]  # place in a, place in b, words
_Block = tuple[Change, int, int, int, int]  # from which word to which, in a and in b


def _merged(equal: Iterator[_Equal], a_words: int, b_words: int) -> Iterator[_Block]:
    """Equal runs, those that touch as one, and what is between them."""
    run = (0, 0, 0)
    for a, b, words in [*equal, (a_words, b_words, 0)]:
        if (a, b) == (run[0] + run[2], run[1] + run[2]) and words:
            run = (run[0], run[1], run[2] + words)
            continue
        if run[2]:
            yield "equal", run[0], run[0] + run[2], run[1], run[1] + run[2]
        a_done, b_done = run[0] + run[2], run[1] + run[2]
        if a > a_done and b > b_done:
            yield "replaced", a_done, a, b_done, b
        elif a > a_done:
            yield "put in", a_done, a, b_done, b
        elif b > b_done:
            yield "left out", a_done, a, b_done, b
        run = (a, b, words)


def _blocks(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> Iterator[_Equal]:
    """Runs of equal words, in the order of both sides."""
    shorter = min(len(a), len(b))
    head = _first_other(a[:shorter], b[:shorter])
    tail = _first_other(a[::-1][: shorter - head], b[::-1][: shorter - head])
    if head:
        yield 0, 0, head
    inner_a, inner_b = a[head : len(a) - tail], b[head : len(b) - tail]
    for at_a, at_b, words in _inner_blocks(inner_a, inner_b):
        yield head + at_a, head + at_b, words
    if tail:
        yield len(a) - tail, len(b) - tail, tail


def _first_other(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> int:
    """How many words are equal before the first that is not."""
    other = np.flatnonzero(a != b)
    return int(other[0]) if len(other) else len(a)


def _inner_blocks(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> Iterator[_Equal]:
    if len(a) * len(b) <= MAX_STEPS:
        yield from _in_order(a, b)
        return
    a_done = b_done = 0
    for at_a, at_b in [*_anchors(a, b), (len(a), len(b))]:
        part_a, part_b = a[a_done:at_a], b[b_done:at_b]
        if len(part_a) * len(part_b) <= MAX_STEPS:
            for in_a, in_b, words in _in_order(part_a, part_b):
                yield a_done + in_a, b_done + in_b, words
        a_done, b_done = at_a, at_b


def _in_order(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> Iterator[_Equal]:
    """The most equal words that are in the same order on both sides."""
    from rapidfuzz.distance import Indel

    if len(a) and len(b):
        for step in Indel.opcodes(array("I", a.tobytes()), array("I", b.tobytes())):
            if step.tag == "equal":
                yield step.src_start, step.dest_start, step.src_end - step.src_start


def _anchors(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> list[tuple[int, int]]:
    """Places where a run begins that each side has once: the most of them that keep the order."""
    once_a, places_a = _single_runs(a)
    once_b, places_b = _single_runs(b)
    _, in_a, in_b = np.intersect1d(once_a, once_b, assume_unique=True, return_indices=True)
    order = np.argsort(places_a[in_a])
    in_order = order[increasing(places_b[in_b][order].tolist())]
    return list(
        zip(places_a[in_a][in_order].tolist(), places_b[in_b][in_order].tolist(), strict=True)
    )


def _single_runs(words: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Hashes of the runs that occur in a text once, and where."""
    count = max(0, len(words) - _ANCHOR + 1)
    hashes = np.zeros(count, np.uint64)
    for i in range(_ANCHOR):  # wraps around on purpose
        hashes = (hashes + words[i : i + count] + 1) * np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
    found, places, counts = np.unique(hashes, return_index=True, return_counts=True)
    return found[counts == 1], places[counts == 1]
