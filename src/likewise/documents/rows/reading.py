"""`RowReading`: one pass over rows, with what is asked of it and what there is to tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from likewise.documents.notice import Skipped
from likewise.documents.reading import Reading
from likewise.documents.rows.values import Values
from likewise.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likewise.documents.origin import Origin
    from likewise.documents.rows.file import RowFile

MOST_TOLD = 1000


@dataclass
class RowReading(Reading):
    """A `Reading` whose bad rows are kept and told.

    Attributes:
        values: the further column that is asked for; None if none is.
        reserved: names of columns that must not be there.
        bad: the first bad rows, with their reasons.
        bad_rows: how many there are.
        skip_bad: go on without what cannot be read at all.
        checking: a file is being looked at before its turn; nothing is told.
    """

    values: Values | None = None
    reserved: frozenset[str] = frozenset()
    bad: list[Skipped] = field(default_factory=list)
    bad_rows: int = 0
    skip_bad: bool = False
    checking: bool = False
    # The last row that was told, by file: what is read again is not told again.
    _told: dict[int, int] = field(default_factory=dict)

    def tell_bad(self, file: RowFile, row: int, reason: str) -> None:
        """Note that a row cannot be read, the first time that it is met."""
        if self.checking or row <= self._told.get(file.number, -1):
            return
        self._told[file.number] = row
        self.bad_rows += 1
        file.bad_rows += 1
        if len(self.bad) < MOST_TOLD:
            origin = file.origins[row] if file.kind == "documents" else file.origin
            place = "" if file.kind == "documents" else origin.place(row)
            self.bad.append(Skipped(origin.name, place, reason))

    def refuse_reserved(self, origin: Origin, names: Iterable[str]) -> None:
        """Raise `UsageError` if a column that is going to be added is there already."""
        taken = [name for name in names if name in self.reserved]
        if taken:
            raise UsageError(
                f"{origin.name}: has a column {taken[0]!r} already, and one of this name is to be "
                "added",
                hint="rename or drop that column first",
            )
