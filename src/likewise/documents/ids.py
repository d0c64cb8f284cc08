"""Ids of documents: strings, each once in a collection.

Numbers of rows are turned into strings only when used, and need no check among themselves.
Ids from a column are remembered until the end, about 150 bytes each.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import cast, overload

from likewise.documents.batch import RowBatch
from likewise.documents.origin import Origin
from likewise.errors import SourceError

# A document's place in one integer: the origin's number above, the row's below.
_ROW_BITS = 44


class RowIds(Sequence[str]):
    """The ids of rows known by their number: "12", or "orders.jsonl:12" among other files."""

    def __init__(self, prefix: str, numbers: Sequence[int]) -> None:
        self.prefix = prefix
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> RowIds: ...
    def __getitem__(self, at: int | slice) -> str | RowIds:
        if isinstance(at, slice):
            return RowIds(self.prefix, self.numbers[at])
        return f"{self.prefix}{self.numbers[at]}"

    def __iter__(self) -> Iterator[str]:
        prefix = self.prefix
        return (f"{prefix}{number}" for number in self.numbers)

    def __repr__(self) -> str:
        return f"RowIds({self.prefix!r}, {self.numbers!r})"


def join_ids(parts: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the parts as one sequence, still lazy where they number the rows of one file."""
    if len(parts) == 1:
        return parts[0]
    rows = [part for part in parts if isinstance(part, RowIds)]
    if len(rows) < len(parts) or len({part.prefix for part in rows}) > 1:
        return list(chain.from_iterable(parts))
    numbers = [part.numbers for part in rows]
    first, last = numbers[0][0], numbers[-1][-1]
    if last - first + 1 == sum(map(len, numbers)):
        return RowIds(rows[0].prefix, range(first, last + 1))
    return RowIds(rows[0].prefix, array("q", chain.from_iterable(numbers)))


class Register:
    """Gives documents their ids and refuses an id that comes twice."""

    def __init__(self, origins: Sequence[Origin], *, bare: bool) -> None:
        """`bare`: row numbers are ids on their own, without their file's id."""
        self._origins = origins
        self._bare = bare
        self._index = {origin.id: at for at, origin in enumerate(origins)}
        self._seen: dict[str, int] = {}
        # Ids that look like a numbered row of another file, and how far each file was numbered.
        self._alike: dict[str, dict[int, int]] = {}
        self._numbered: dict[str, int] = {}

    def name(self, origin: Origin, batch: RowBatch) -> Sequence[str]:
        """Return the ids of the documents in `batch`; raise `SourceError` if one is taken."""
        if batch.ids is None:
            return self._name_rows(origin, batch.rows)
        base = self._index[origin.id] << _ROW_BITS
        places = [base + row for row in batch.rows]
        ids = cast("list[str]", batch.ids.to_pylist())
        fresh = dict(zip(ids, places, strict=True))
        if len(fresh) < len(places) or not self._seen.keys().isdisjoint(fresh):
            self._refuse_repeated(ids, places)
        self._seen.update(fresh)
        if not self._bare:
            self._compare_with_rows(fresh)
        return ids

    def _name_rows(self, origin: Origin, numbers: Sequence[int]) -> RowIds:
        if self._bare:
            return RowIds("", numbers)
        for number, place in self._alike.get(origin.id, {}).items():
            if number in numbers:
                own = (self._index[origin.id] << _ROW_BITS) + number
                raise self._duplicate(f"{origin.id}:{number}", place, own)
        if len(numbers):
            self._numbered[origin.id] = numbers[-1] + 1
        return RowIds(f"{origin.id}:", numbers)

    def _compare_with_rows(self, fresh: dict[str, int]) -> None:
        for id_, place in fresh.items():
            file, _, tail = id_.rpartition(":")
            if file not in self._index or not (tail.isascii() and tail.isdigit()):
                continue
            number = int(tail)
            if str(number) != tail:
                continue
            if number < self._numbered.get(file, 0):
                raise self._duplicate(id_, (self._index[file] << _ROW_BITS) + number, place)
            self._alike.setdefault(file, {})[number] = place

    def _refuse_repeated(self, ids: Sequence[str], places: Sequence[int]) -> None:
        seen = dict(self._seen)
        for id_, place in zip(ids, places, strict=True):
            if id_ in seen:
                raise self._duplicate(id_, seen[id_], place)
            seen[id_] = place

    def _duplicate(self, id_: str, first: int, second: int) -> SourceError:
        return SourceError(
            f"duplicate id {id_!r}: in {self._describe(first)} and in {self._describe(second)}",
            hint="ids must be unique within a collection; name another id column with `id`",
        )

    def _describe(self, place: int) -> str:
        origin = self._origins[place >> _ROW_BITS]
        return f"{origin.name} {origin.place(place & ((1 << _ROW_BITS) - 1))}".rstrip()
