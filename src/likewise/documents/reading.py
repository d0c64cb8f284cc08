"""`Reading`: one pass over a collection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from likewise.documents.extraction.extraction import Extraction
from likewise.documents.notice import Note, Skipped
from likewise.documents.origin import Origin
from likewise.documents.tables.labels import Labels
from likewise.documents.tables.values import Values
from likewise.errors import UsageError


@dataclass
class Reading:
    """One pass over a collection: what the user asked for, and what there is to report so far.

    Attributes:
        text, id, encoding: as given by the user.
        places: how places in plain text are numbered, one of `numbered.RULES`.
        whole: every file is one document, tables too.
        alone: the collection is one file that the user named.
        values: the further column of tables that is wanted, if any.
        groups: the column of their groups, if it is wanted beside that.
        reserved: names of columns that must not be there.
        skip_bad: go on without files that cannot be read at all.
        threads: how many parts of a table may be read at once.
        extraction: reads documents that are not plain text; for the time of the pass.
        position: bytes of the present origin that have been read from disk.
        notes: a set that keeps its order, so that a file read twice is mentioned once.
    """

    text: str | None = None
    id: str | None = None
    encoding: str | None = None
    alone: bool = True
    whole: bool = False
    places: str | None = None
    values: Values | None = None
    groups: Labels | None = None
    reserved: frozenset[str] = frozenset()
    skip_bad: bool = False
    threads: int = 1
    position: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    notes: dict[Note, None] = field(default_factory=dict)
    extraction: Extraction = field(default_factory=Extraction)

    def skip(self, origin: Origin, number: int, reason: str) -> None:
        self.skipped.append(Skipped(origin.name, origin.place(number), reason))

    def skip_file(self, origin: Origin, reason: str) -> None:
        self.skipped.append(Skipped(origin.name, "", reason))

    def note(self, origin: Origin, message: str) -> None:
        self.notes[Note(origin.name, message)] = None

    def refuse_reserved(self, origin: Origin, names: Iterable[str]) -> None:
        """Raise `UsageError` if a column that is going to be added is there already."""
        taken = next((name for name in names if name in self.reserved), None)
        if taken is not None:
            raise UsageError(
                f"{origin.name}: already has a column {taken!r}, which would be added",
                hint="rename or drop that column first",
            )
