"""`Piece` and `Reading`: what passes between a collection's reader and the readers of each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from likewise.documents.extraction.extraction import Extraction
from likewise.documents.notice import Note, Skipped
from likewise.documents.origin import Origin

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.documents.document import Hidden


@dataclass(frozen=True, eq=False)
class Piece:
    """Some documents of one origin, in order.

    Attributes:
        texts: no nulls, valid UTF-8.
        numbers: each document's row or line, from 0; a `range` where no row was skipped.
        ids: from an id column or the file's id; None where the numbers serve.
        page_starts: for each document, where its pages begin, or None; None if no document of the
            piece has pages.
        hidden: for each document, what in it is not seen; None if nothing is, in any.
    """

    texts: pa.LargeStringArray
    numbers: Sequence[int]
    ids: Sequence[str] | None = None
    page_starts: Sequence[tuple[int, ...] | None] | None = None
    hidden: Sequence[tuple[Hidden, ...]] | None = None


@dataclass
class Reading:
    """One pass over a collection: what the user asked for, and what there is to tell so far.

    Attributes:
        text, id, encoding: as given by the user.
        whole: every file is one document, tables too.
        alone: the collection is one file that the user named.
        extraction: reads documents that are not plain text; for the time of the pass.
        position: bytes of the present origin that have been read from disk.
        notes: a set that keeps its order; a file that is read twice is told about once.
    """

    text: str | None = None
    id: str | None = None
    encoding: str | None = None
    alone: bool = True
    whole: bool = False
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


ReadKind = Callable[[Origin, Reading], Iterator[Piece]]
"""Reads one origin. Raises `DocumentError` where the origin as a whole is no text."""
