"""`Pair` and `Pairs`: what a search gives, verified on the full sets of shingles.

Exact copies of a document are known by a digest of 128 bits over its shingles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, overload

import numpy as np

from likewise.errors import UsageError
from likewise.frames import Frames
from likewise.search.clusters import Cluster, cluster_documents
from likewise.search.order import id_ranks
from likewise.statistics.bands import check_threshold
from likewise.types import K

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.run import Stats
    from likewise.search.chance import PairChances
    from likewise.search.collection import CollectionIds

CHANCE_COLUMNS = ("chance", "p_value", "q_value")


@dataclass(frozen=True, slots=True)
class Pair(Generic[K]):
    """Two similar documents.

    Attributes:
        a, b: their ids, as they were given; row numbers, if none were.
        jaccard: shared shingles over all shingles of both.
        containment_a, containment_b: shared shingles over those of a, and over those of b.
        shared, size_a, size_b: how many shingles (different ones, in a set).
        chance, p_value, q_value: where a valid chance level was computed: the
            similarity that chance gives on average, the probability of at least this much by
            chance, and the expected share of chance finds among the pairs at least this similar.
    """

    a: K
    b: K
    jaccard: float
    containment_a: float
    containment_b: float
    shared: int
    size_a: int
    size_b: int
    chance: float | None = None
    p_value: float | None = None
    q_value: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Pairs as columns of numbers; documents by their place in the collection."""

    a: NDArray[np.uint32]
    b: NDArray[np.uint32]
    shared: NDArray[np.uint64]
    size_a: NDArray[np.uint64]
    size_b: NDArray[np.uint64]

    @classmethod
    def empty(cls) -> PairTable:
        return cls(*(np.zeros(0, kind) for kind in ("u4", "u4", "u8", "u8", "u8")))

    @classmethod
    def concatenated(cls, parts: Iterable[PairTable]) -> PairTable:
        columns = zip(*(part.columns() for part in parts), strict=True)
        return cls(*map(np.concatenate, columns))

    def columns(self) -> tuple[NDArray[Any], ...]:
        return self.a, self.b, self.shared, self.size_a, self.size_b

    def __len__(self) -> int:
        return len(self.a)

    def take(self, rows: Any) -> PairTable:
        return PairTable(*(column[rows] for column in self.columns()))

    def jaccard(self) -> NDArray[np.float64]:
        # 0 where a document has no shingle.
        union = np.maximum(self.size_a + self.size_b - self.shared, 1)
        jaccard: NDArray[np.float64] = self.shared / union
        return jaccard

    def containment_a(self) -> NDArray[np.float64]:
        return self.shared / np.maximum(self.size_a, 1)

    def containment_b(self) -> NDArray[np.float64]:
        return self.shared / np.maximum(self.size_b, 1)

    def similarity(self, measure: str) -> NDArray[np.float64]:
        if measure == "jaccard":
            return self.jaccard()
        return self.shared / np.minimum(self.size_a, self.size_b)

    def ordered(self, ids: CollectionIds, measure: str, *, two_sided: bool) -> PairTable:
        """By the measure down, then a, then b. Inside one collection a is put before b."""
        ranks = id_ranks(ids, self.a, self.b)
        table = self
        if not two_sided:
            swap = ranks[0] > ranks[1]
            table = PairTable(
                np.where(swap, self.b, self.a),
                np.where(swap, self.a, self.b),
                self.shared,
                np.where(swap, self.size_b, self.size_a),
                np.where(swap, self.size_a, self.size_b),
            )
            ranks = np.minimum(*ranks), np.maximum(*ranks)
        return table.take(np.lexsort((ranks[1], ranks[0], -table.similarity(measure))))


MEASURES: dict[str, Callable[[PairTable], NDArray[Any]]] = {
    "jaccard": PairTable.jaccard,
    "containment_a": PairTable.containment_a,
    "containment_b": PairTable.containment_b,
    "shared": attrgetter("shared"),
    "size_a": attrgetter("size_a"),
    "size_b": attrgetter("size_b"),
}
"""The columns of numbers; a new one needs a line here and a field of `Pair`."""

COLUMNS = ("a", "b", *MEASURES)


class Pairs(Frames, Generic[K]):
    """Similar pairs, the most similar first.

    Iterates as `Pair`, and has `len()` and indexing. `stats` has the settings, counts and the time
    of each stage; `notes` what one should know.
    """

    def __init__(
        self,
        table: PairTable,
        ids: CollectionIds,
        stats: Stats,
        *,
        two_sided: bool,
        chances: PairChances | None = None,
    ) -> None:
        self._table = table
        self._ids = ids
        self._two_sided = two_sided
        self._chances = chances
        self.stats = stats

    @property
    def table(self) -> PairTable:
        """The pairs as columns, documents by their place in the collection."""
        return self._table

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields of a pair that are there."""
        return COLUMNS if self._chances is None else COLUMNS + CHANCE_COLUMNS

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types of the columns."""
        types: dict[Any, type] = {"K": str, "int": int}
        kinds = {field.name: types.get(field.type, float) for field in fields(Pair)}
        return tuple(kinds[name] for name in self.columns)

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, row: int) -> Pair[K]: ...
    @overload
    def __getitem__(self, row: slice) -> list[Pair[K]]: ...
    def __getitem__(self, row: int | slice) -> Pair[K] | list[Pair[K]]:
        chosen = range(len(self))[row]
        if isinstance(chosen, int):
            return Pair(*next(self.rows(chosen, chosen + 1)))
        return [self[i] for i in chosen]

    def __iter__(self) -> Iterator[Pair[K]]:
        return starmap(Pair, self.rows())

    def rows(self, begin: int = 0, end: int | None = None) -> Iterator[tuple[Any, ...]]:
        """The fields of `Pair` as tuples, which is quicker where there are millions."""
        at_once = 4096
        end = len(self) if end is None else end
        for start in range(begin, end, at_once):
            rows = slice(start, min(start + at_once, end))
            ids = (
                self._ids.take(column[rows].tolist()) for column in (self._table.a, self._table.b)
            )
            numbers = (c if isinstance(c, list) else c.tolist() for c in self._numbers(rows))
            yield from zip(*ids, *numbers, strict=True)

    def _numbers(self, rows: slice) -> list[Any]:
        """The columns after the ids of some pairs; None where there is no valid chance level."""
        part = self._table.take(rows)
        columns: list[Any] = [measure(part) for measure in MEASURES.values()]
        if self._chances is not None:
            valid = self._chances.reason is None
            chances = self._chances.columns()
            columns += [column[rows] if valid else [None] * len(part) for column in chances]
        return columns

    def filter(self, threshold: float) -> Pairs[K]:
        """The pairs of at least this similarity, without another search.

        It cannot be lower than the threshold of the search, which left out less similar pairs.
        """
        check_threshold(threshold)
        searched = self.stats.settings["threshold"]
        if threshold < searched:
            raise UsageError(
                f"the search was for similarities of {searched:g} or more; at {threshold:g} pairs "
                "would be missing",
                hint="search again with a lower threshold",
            )
        similarity = self._table.similarity(self.stats.settings["measure"])
        rows = slice(int(np.count_nonzero(similarity >= threshold)))
        stats = replace(
            self.stats,
            settings=self.stats.settings | {"threshold": threshold},
            counts=self.stats.counts | {"pairs": rows.stop},
        )
        chances = None if self._chances is None else self._chances.take(rows)
        table = self._table.take(rows)
        return Pairs(table, self._ids, stats, two_sided=self._two_sided, chances=chances)

    def clusters(self) -> list[Cluster[K]]:
        """Documents connected by pairs, the largest cluster first."""
        return [Cluster(tuple(self._ids.take(documents))) for documents in self._clusters()]

    def labels(self) -> NDArray[np.int64]:
        """For each document the place of its cluster in `clusters()`; -1 if it is in none."""
        labels = np.full(len(self._ids), -1, np.int64)
        for place, documents in enumerate(self._clusters()):
            labels[documents] = place
        return labels

    def _clusters(self) -> list[list[int]]:
        if self._two_sided:
            raise UsageError(
                "clusters need a single collection, but these pairs are between two",
                hint="search both as one collection",
            )
        return cluster_documents(len(self._ids), self._table.a, self._table.b, self._ids)

    def to_arrow(self) -> pa.Table:
        """An Arrow table with the columns of `Pair`."""
        import pyarrow as pa

        types = {int: pa.int64(), float: pa.float64()}
        ids = [self._ids.to_arrow(column.tolist()) for column in (self._table.a, self._table.b)]
        kinds = self.kinds[len(ids) :]
        numbers = zip(self._numbers(slice(None)), kinds, strict=True)
        columns = [*ids, *(pa.array(values, types[kind]) for values, kind in numbers)]
        return pa.table(columns, list(self.columns))

    def __repr__(self) -> str:
        return f"<Pairs: {len(self):,} of {len(self._ids):,} documents>"
