"""`Pair` and `Pairs`: what a search gives, verified on the full sets of shingles.

Exact copies of a document are known by a digest of 128 bits over its shingles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from likewise.errors import UsageError
from likewise.search.clusters import Cluster, clusters_of
from likewise.search.order import id_ranks

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.run import Stats
    from likewise.search.chance import PairChances
    from likewise.search.collection import Ids

CHANCE_COLUMNS = ("chance", "p_value", "q_value")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two similar documents.

    Attributes:
        a, b: their ids.
        jaccard: shared shingles over all shingles of both.
        containment_a, containment_b: shared shingles over those of a, and over those of b.
        shared, size_a, size_b: how many shingles (different ones, in a set).
        chance, p_value, q_value: where a valid chance level was computed: the
            similarity that chance gives on average, the probability of at least this much by
            chance, and the expected share of chance finds among the pairs at least this similar.
    """

    a: str
    b: str
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

    def ordered(self, ids: Ids, measure: str, *, two_sided: bool) -> PairTable:
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


class Pairs:
    """Similar pairs, the most similar first.

    Iterates as `Pair`; `len()`, indexing, `to_arrow()`, `to_pandas()` and `clusters()` do what they
    say. `stats` holds settings, counts and the time of each stage; `notes` what one should know.
    """

    def __init__(
        self,
        table: PairTable,
        ids: Ids,
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
        types: dict[Any, type] = {"str": str, "int": int}
        kinds = {field.name: types.get(field.type, float) for field in fields(Pair)}
        return tuple(kinds[name] for name in self.columns)

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, row: int) -> Pair: ...
    @overload
    def __getitem__(self, row: slice) -> list[Pair]: ...
    def __getitem__(self, row: int | slice) -> Pair | list[Pair]:
        chosen = range(len(self))[row]
        if isinstance(chosen, int):
            return Pair(*next(self.rows(chosen, chosen + 1)))
        return [self[i] for i in chosen]

    def __iter__(self) -> Iterator[Pair]:
        return starmap(Pair, self.rows())

    def rows(self, begin: int = 0, end: int | None = None) -> Iterator[tuple[Any, ...]]:
        """The fields of `Pair` as tuples, which is quicker where there are millions."""
        at_once = 4096
        end = len(self) if end is None else end
        for start in range(begin, end, at_once):
            columns = self._values(slice(start, min(start + at_once, end)))
            lists = (c if isinstance(c, list) else c.tolist() for c in columns)
            yield from zip(*lists, strict=True)

    def _values(self, rows: slice) -> list[Any]:
        """The columns of some pairs; None where there is no valid chance level."""
        part = self._table.take(rows)
        columns: list[Any] = [
            self._ids.take(part.a.tolist()),
            self._ids.take(part.b.tolist()),
            *(measure(part) for measure in MEASURES.values()),
        ]
        if self._chances is not None:
            valid = self._chances.reason is None
            chances = self._chances.columns()
            columns += [column[rows] if valid else [None] * len(part) for column in chances]
        return columns

    def clusters(self) -> list[Cluster]:
        """Documents connected by pairs, the largest cluster first."""
        if self._two_sided:
            raise UsageError(
                "clusters need a single collection, but these pairs are between two",
                hint="search both as one collection",
            )
        return clusters_of(len(self._ids), self._table.a, self._table.b, self._ids)

    def to_arrow(self) -> pa.Table:
        """An Arrow table with the columns of `Pair`."""
        import pyarrow as pa

        types = {str: pa.string(), int: pa.int64(), float: pa.float64()}
        columns = zip(self.columns, self.kinds, self._values(slice(None)), strict=True)
        return pa.table({name: pa.array(values, types[kind]) for name, kind, values in columns})

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def __repr__(self) -> str:
        return f"<Pairs: {len(self):,} of {len(self._ids):,} documents>"
