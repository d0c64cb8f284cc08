"""Candidates to verified pairs, in pieces that fit in memory wherever the texts are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.run import Progress
from likewise.search.pairs import PairTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.search.collection import Collection
    from likewise.search.settings import Settings
    from likewise.text.profile import Profile

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]
    Columns = tuple[U32, U32, U64, U64, U64]

# In one call of the core: enough to keep the threads busy, few enough for a progress bar and, where
# texts are read back from disk, for memory.
AT_ONCE = 20_000
BYTES_AT_ONCE = 64 << 20


def verify(
    collection: Collection,
    settings: Settings,
    threshold: float,
    offsets: NDArray[np.uint64],
    others: NDArray[np.uint32],
    progress: Progress,
    stage: str = "verify",
) -> PairTable:
    """The candidates whose Jaccard similarity reaches the threshold.

    `others[offsets[a] : offsets[a + 1]]` are the candidates of document a.
    """
    parts = []
    for begin, end in _pieces(offsets, others, collection.text_sizes()):
        progress(stage, int(offsets[begin]), len(others))
        if collection.spilled:
            own = offsets[begin : end + 1]
            part = _verify_from_disk(collection, settings, threshold, own, others, begin)
        else:
            part = _core.verify(
                collection.texts(), settings.profile.rules(), offsets, others,
                begin=begin, end=end, threshold=threshold, threads=settings.threads,
            )  # fmt: skip
        parts.append(part)
    progress(stage, len(others), len(others))
    return PairTable(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def verify_first(
    texts: _core.Texts, profile: Profile, threshold: float, threads: int
) -> list[tuple[int, int, int, int]]:
    """The first text against all others: number of the other, shared shingles, both sizes."""
    offsets = np.full(len(texts) + 1, max(0, len(texts) - 1), np.uint64)
    offsets[0] = 0
    _, others, shared, size_a, size_b = _core.verify(
        texts, profile.rules(), offsets, np.arange(1, len(texts), dtype=np.uint32),
        begin=0, end=min(1, len(texts)), threshold=threshold, threads=threads,
    )  # fmt: skip
    columns = (others, shared, size_a, size_b)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _verify_from_disk(
    collection: Collection,
    settings: Settings,
    threshold: float,
    offsets: NDArray[np.uint64],
    others: NDArray[np.uint32],
    begin: int,
) -> Columns:
    """The same for documents from `begin` on, with only their texts and candidates' in memory."""
    firsts = np.flatnonzero(np.diff(offsets)).astype(np.uint32) + np.uint32(begin)
    seconds = others[int(offsets[0]) : int(offsets[-1])]
    involved = np.unique(np.concatenate([firsts, seconds]))
    counts = np.zeros(len(involved) + 1, np.uint64)
    counts[np.searchsorted(involved, firsts) + 1] = np.diff(offsets)[firsts - np.uint32(begin)]
    a, b, shared, size_a, size_b = _core.verify(
        collection.select(involved),
        settings.profile.rules(),
        np.cumsum(counts, dtype=np.uint64),
        np.searchsorted(involved, seconds).astype(np.uint32),
        begin=0,
        end=len(involved),
        threshold=threshold,
        threads=settings.threads,
    )
    return involved[a], involved[b], shared, size_a, size_b


def count_distinct(
    collection: Collection, settings: Settings, chosen: NDArray[np.uint32]
) -> NDArray[np.uint64]:
    """How many different elements each of the chosen documents has."""
    counts = [np.zeros(0, np.uint64)]
    sizes = collection.text_sizes()
    costs = _costs(None if sizes is None else sizes[chosen], len(chosen))
    for begin, end in pairwise(_cuts(np.concatenate([[0.0], np.cumsum(costs)]))):
        part = chosen[begin:end]
        counts.append(
            _core.count_distinct(
                collection.select(part), settings.profile.rules(),
                np.arange(len(part), dtype=np.uint32), threads=settings.threads,
            )
        )  # fmt: skip
    return np.concatenate(counts)


def _pieces(
    offsets: NDArray[np.uint64], others: NDArray[np.uint32], sizes: NDArray[np.int64] | None
) -> Iterator[tuple[int, int]]:
    """Ranges of documents whose candidates can be verified at once; at least one range."""
    if len(offsets) < 2:
        return iter([(0, 0)])
    of_pairs = None
    if sizes is not None:  # both texts of a candidate are read
        of_pairs = sizes[others] + np.repeat(sizes, np.diff(offsets).astype(np.int64))
    costs = _costs(of_pairs, len(others))
    return pairwise(_cuts(np.concatenate([[0.0], np.cumsum(costs)])[offsets]))


def _costs(sizes: NDArray[np.int64] | None, count: int) -> NDArray[np.float64]:
    """What each document takes of a call: 1 is all that one may have."""
    costs = np.full(count, 1 / AT_ONCE)
    return costs if sizes is None else np.maximum(costs, sizes / BYTES_AT_ONCE)


def _cuts(spent: NDArray[np.float64]) -> list[int]:
    """Where to cut so that each piece spends about 1; `spent` is the running total."""
    cuts = np.searchsorted(spent, np.arange(1, spent[-1]))
    edges = np.unique(np.concatenate([[0], cuts, [len(spent) - 1]]))
    return [int(edge) for edge in edges]
