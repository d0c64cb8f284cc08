"""Documents that are contained in an earlier one, each with the earlier one that has most of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._core import Texts
from likewise.arrays import U32, Floats, Ints
from likewise.dedup.rules import NONE
from likewise.errors import UsageError
from likewise.index.index import Index
from likewise.search.containment import ContainmentSearch
from likewise.search.packed_pairs import unpack
from likewise.search.verification import verify

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.settings import DedupSettings
    from likewise.run import Progress
    from likewise.search.containment import Batches
    from likewise.search.verification import TextStore

CHARACTERS_AT_ONCE = 4 << 20


@dataclass(frozen=True)
class TwoStores:
    """Texts of two collections; the numbers of the second one follow those of the first."""

    first: TextStore
    second: TextStore
    count: int  # of the first

    def _split(self, chosen: U32) -> tuple[U32, U32, Ints]:
        """Numbers in each, and where the chosen ones are in both together."""
        later = chosen >= self.count
        order = np.empty(len(chosen), np.int64)
        order[np.concatenate([np.flatnonzero(~later), np.flatnonzero(later)])] = np.arange(
            len(chosen)
        )
        return chosen[~later], chosen[later] - np.uint32(self.count), order

    def select(self, chosen: U32) -> Texts:
        own, others, order = self._split(chosen)
        both = Texts.concatenated([self.first.select(own), self.second.select(others)])
        return both.select(order.astype(np.uint32))

    def text_sizes(self, chosen: U32) -> Ints | None:
        own, others, order = self._split(chosen)
        sizes = self.first.text_sizes(own), self.second.text_sizes(others)
        if sizes[0] is None or sizes[1] is None:
            return None
        return np.concatenate([sizes[0], sizes[1]])[order]


@dataclass(frozen=True, slots=True, eq=False)
class Containers:
    """Unique documents, ascending, that are contained in an earlier one.

    Attributes:
        unique: their numbers.
        earlier: the number of the earlier one; the first of several that have as much of it.
        similarity: how much of it is there.
    """

    unique: U32
    earlier: U32
    similarity: Floats


def find_containers(
    own: Batches,
    earlier: Batches,
    texts: TextStore,
    count: int,
    elements: int,
    settings: DedupSettings,
    *,
    room: int,
    progress: Progress,
) -> Containers:
    """Looks for documents in earlier ones.

    Args:
        own, earlier: the texts, numbered from 0 on each side.
        texts: those of both; the numbers of earlier ones follow the `count` unique documents.
        elements: about how many shingles all of them have.
        room: bytes of memory.
    """
    search = ContainmentSearch(
        own, earlier, elements, settings.profile, settings.threshold, settings.max_bucket,
        settings.threads, room // 2, progress,
    )  # fmt: skip
    best = np.full(count, NONE)
    similarity = np.zeros(count)
    for run in search.runs():
        container, contained = unpack(run.pairs)
        found = verify(
            texts, container + np.uint32(count), contained, profile=settings.profile,
            measure="containment", threshold=settings.threshold, threads=settings.threads,
            room=room // 2,
        )  # fmt: skip
        score = found.shared / found.size_b
        number = found.a - np.uint32(count)
        order = np.lexsort((number, -score, found.b))
        rows, number, score = found.b[order], number[order], score[order]
        rows, first = np.unique(rows, return_index=True)
        number, score = number[first], score[first]
        better = (score > similarity[rows]) | ((score == similarity[rows]) & (number < best[rows]))
        best[rows[better]], similarity[rows[better]] = number[better], score[better]
    unique = np.flatnonzero(best != NONE).astype(np.uint32)
    return Containers(unique, best[unique], similarity[unique])


def count_shingles(counts: NDArray[np.integer[Any]], numbers: U32, unique: int) -> int:
    """About how many shingles the unique documents have, whichever of their copies come first.

    `counts` are those of each document, with repeats, and `numbers` those of its digest.
    """
    of_each = np.full(unique, np.iinfo(counts.dtype).max, counts.dtype)
    present = numbers != NONE
    np.minimum.at(of_each, numbers[present], counts[present])
    return int(of_each.sum(dtype=np.int64))


def open_index(path: str | Index) -> Index:
    """An index that stores texts; raises if it has none."""
    index = path if isinstance(path, Index) else Index(path)
    if not index.settings.keep_text:
        raise UsageError(
            f"{index.name} stores no texts, and containment is computed on texts",
            hint="create the index with texts, or use `measure=jaccard`",
        )
    return index


def stored_texts(index: Index) -> Iterator[tuple[list[str], list[str]]]:
    """Ids and texts of all documents, some at a time, in the order in which they were added."""
    ids: list[str] = []
    texts: list[str] = []
    size = 0
    for document in index.documents():
        ids.append(document.id)
        texts.append(document.stored_text)
        size += len(texts[-1])
        if size > CHARACTERS_AT_ONCE:
            yield ids, texts
            ids, texts, size = [], [], 0
    yield ids, texts
