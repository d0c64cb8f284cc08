"""Candidates to verified pairs, in pieces that fit in memory wherever the texts are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from likewise import _core
from likewise.arrays import U32, Ints
from likewise.run import Progress, silent
from likewise.search.pairs import PairTable

if TYPE_CHECKING:
    from likewise.text.profile import Profile
    from likewise.types import Measure


# In one call of the core: enough to keep the threads busy, few enough for a progress bar.
PAIRS_AT_ONCE = 20_000
DEFAULT_ROOM = 256 << 20  # bytes of memory, where texts are read back from disk
# A text of n bytes is cut into shingles of 8 bytes each, in a table of twice as many places.
BYTES_PER_BYTE = 10


class TextStore(Protocol):
    """Texts by the numbers of their documents, in memory or on disk."""

    def select(self, chosen: U32) -> _core.Texts:
        """Some of the texts."""

    def text_sizes(self, chosen: U32) -> Ints | None:
        """Bytes of some of the texts; None where they are in memory."""


@dataclass(frozen=True)
class TextsInMemory:
    """The store of texts that need not be read."""

    texts: _core.Texts

    def select(self, chosen: U32) -> _core.Texts:
        return self.texts.select(chosen)

    def text_sizes(self, chosen: U32) -> None:
        return None


def verify(
    texts: TextStore,
    a: U32,
    b: U32,
    *,
    profile: Profile,
    threshold: float,
    threads: int,
    measure: Measure = "jaccard",
    room: int = DEFAULT_ROOM,
    progress: Progress = silent,
    stage: str = "verify",
) -> PairTable:
    """The pairs, given in the order of a, that reach the threshold: of their Jaccard similarity, or
    of the containment of b in a."""
    parts = [PairTable.empty()]
    first_sizes, second_sizes = texts.text_sizes(a), texts.text_sizes(b)
    sizes = None
    if first_sizes is not None and second_sizes is not None:
        # One text may be compared with very many: it is read once for those that follow each other.
        again = np.zeros(len(a), np.bool_)
        again[1:] = a[1:] == a[:-1]
        sizes = np.where(again, 0, first_sizes) + second_sizes
    for begin, end, workers in _pieces(len(a), sizes, room, threads):
        progress(stage, begin, len(a))
        involved, numbers = np.unique(
            np.concatenate([a[begin:end], b[begin:end]]), return_inverse=True
        )
        first, second = np.split(numbers.reshape(-1).astype(np.uint32), 2)
        columns = _core.verify(
            texts.select(involved), profile.rules(),
            np.searchsorted(first, np.arange(len(involved) + 1)).astype(np.uint64), second,
            begin=0, end=len(involved), measure=measure, threshold=threshold, threads=workers,
        )  # fmt: skip
        part = PairTable(*columns)
        parts.append(replace(part, a=involved[part.a], b=involved[part.b]))
    progress(stage, len(a), len(a))
    return PairTable.concatenated(parts)


def verify_first(
    texts: _core.Texts, profile: Profile, threshold: float, threads: int
) -> list[tuple[int, int, int, int]]:
    """The first text against all others: number of the other, shared shingles, both sizes."""
    others = np.arange(1, len(texts), dtype=np.uint32)
    found = verify(
        TextsInMemory(texts), np.zeros_like(others), others, profile=profile, threshold=threshold,
        threads=threads,
    )  # fmt: skip
    columns = (found.b, found.shared, found.size_a, found.size_b)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def count_distinct(texts: TextStore, chosen: U32, *, profile: Profile, threads: int) -> Ints:
    """How many different elements each of the chosen documents has."""
    counts = [np.zeros(0, np.uint64)]
    sizes = texts.text_sizes(chosen)
    for begin, end, workers in _pieces(len(chosen), sizes, DEFAULT_ROOM, threads):
        places = np.arange(end - begin, dtype=np.uint32)
        part = texts.select(chosen[begin:end])
        counts.append(_core.count_distinct(part, profile.rules(), places, threads=workers))
    return np.concatenate(counts).astype(np.int64)


def _pieces(
    count: int, sizes: Ints | None, room: int, threads: int
) -> Iterator[tuple[int, int, int]]:
    """Ranges of items to work on at once, and how many threads their shingles allow.

    A quarter of the room is for texts, and half of it for their shingles.
    """
    costs = np.full(count, 1 / PAIRS_AT_ONCE)  # 1 is all that a piece may cost
    if sizes is not None:
        costs = np.maximum(costs, sizes / (room // 4))
    spent = np.concatenate([[0.0], np.cumsum(costs)])
    cuts = np.searchsorted(spent, np.arange(1, spent[-1]))
    for begin, end in pairwise(np.unique(np.concatenate([[0], cuts, [count]])).tolist()):
        largest = 0 if sizes is None else int(sizes[begin:end].max()) * BYTES_PER_BYTE
        yield begin, end, max(1, min(threads, room // 2 // max(1, largest)))
