"""`Families`: the passage families of a collection."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, overload

from likewise.errors import UsageError
from likewise.frames import Frames
from likewise.passages.families.family import Family
from likewise.run import Stats, counted
from likewise.text.inputs import id_array
from likewise.types import K

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.passages.document_set import DocumentSet

COLUMN_TYPES: dict[str, type] = {
    "family": int, "documents": int, "witnesses": int, "common": int, "run": int,
    "similarity": float, "kind": str, "p": float, "document": str, "side": str, "start": int,
    "end": int, "words": int, "matched": int, "earliest": bool,
}  # fmt: skip
COLUMNS = tuple(COLUMN_TYPES)


@dataclass(frozen=True, eq=False)
class Families(Frames, Sequence[Family[K]], Generic[K]):
    """Families, those of the most documents first, then those with the most words in common.

    Attributes:
        families: the families.
        stats: settings, counts and times of the search.
        searched: the documents, as they were aligned.
    """

    families: list[Family[K]]
    stats: Stats = field(default_factory=Stats)
    searched: DocumentSet | None = field(default=None, repr=False)

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def __len__(self) -> int:
        return len(self.families)

    @overload
    def __getitem__(self, at: int) -> Family[K]: ...
    @overload
    def __getitem__(self, at: slice) -> list[Family[K]]: ...
    def __getitem__(self, at: int | slice) -> Family[K] | list[Family[K]]:
        return self.families[at]

    def __iter__(self) -> Iterator[Family[K]]:
        return iter(self.families)

    def shared_by(self, *ids: K, without: Sequence[K] = ()) -> Families[K]:
        """Those that all of these documents have, and none of `without`.

        Raises `UsageError` for an id that no document has.
        """
        if isinstance(without, str):
            raise UsageError("without must be a list of ids, not a single str")
        if self.searched is not None:
            known = set(self.searched.ids)
            for id_ in (*ids, *without):
                if id_ not in known:
                    raise UsageError(
                        f"no document has the id {id_!r}",
                        hint="the ids are those of the documents that were searched",
                    )
        wanted, unwanted = set(ids), set(without)

        def is_kept(family: Family[K]) -> bool:
            own: set[Hashable] = {witness.id for witness in family.witnesses}
            return wanted <= own and not unwanted & own

        return replace(self, families=[family for family in self.families if is_kept(family)])

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """One witness per row, with the values of COLUMNS; families are numbered from 1."""
        for number, family in enumerate(self.families, 1):
            own = (
                number, family.documents, len(family.witnesses), family.common, family.run,
                family.similarity, family.kind, family.p,
            )  # fmt: skip
            for position, one in enumerate(family.witnesses):
                earliest = position in family.earliest if family.earliest else None
                yield (
                    *own, one.id, one.side, one.start, one.end, one.words, one.matched, earliest
                )  # fmt: skip

    def to_arrow(self) -> pa.Table:
        """One witness per row; the rows of a family have its number in `family`."""
        import pyarrow as pa

        kinds: dict[type, pa.DataType] = {
            str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(),
        }  # fmt: skip
        columns = dict(
            zip(COLUMNS, list(zip(*self.rows(), strict=True)) or [()] * len(COLUMNS), strict=True)
        )
        ids: Sequence[Any] = self.searched.ids if self.searched else ()
        return pa.table(
            {
                name: id_array(list(values), ids)
                if name == "document"
                else pa.array(values, kinds[COLUMN_TYPES[name]])
                for name, values in columns.items()
            }
        )

    def __repr__(self) -> str:
        most = max((family.documents for family in self.families), default=0)
        return f"<Families: {len(self):,}, of up to {counted(most, 'document')}>"
