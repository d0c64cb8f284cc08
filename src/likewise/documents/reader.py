"""`Reader`: sources → batches of documents. The first step of the flow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from likewise.documents.archive import member_name, open_archive
from likewise.documents.encoding import check_encoding
from likewise.documents.extraction.extraction import Extraction
from likewise.documents.extraction.prefetch import Item, look_ahead
from likewise.documents.ids import Register
from likewise.documents.notice import Note, Skipped
from likewise.documents.numbered import check_rule
from likewise.documents.packer import Packer
from likewise.documents.reading import Reading
from likewise.documents.sources import Shape, check_shape, find_origins
from likewise.documents.submission_names import submission_of
from likewise.documents.tables.formats import TABLES
from likewise.documents.tables.labels import Labels
from likewise.documents.unreadable import UnreadableError
from likewise.documents.zipped import Zipped
from likewise.errors import (
    ColumnError,
    DocumentError,
    LikewiseError,
    SourceError,
    UsageError,
)
from likewise.storage.address import shown

if TYPE_CHECKING:
    from likewise.documents.batch import Batch, RowBatch
    from likewise.documents.metadata import MetadataTable
    from likewise.documents.origin import Origin

Source = str | os.PathLike[str]
Progress = Callable[[int], None]


class Reader:
    """Reads a collection, batch by batch, as often as it is iterated (stdin only once).

    Args:
        sources: files, folders, patterns, their addresses in a store ("s3://bucket/folder"), "-"
            for stdin; one, or a sequence of them.
        text, id: the columns of a table that hold the text and the id.
        column: one more column of tables, whose values the batches have, as strings.
        shape: "lines" reads every file as one document per line, "whole" as one document; "auto"
            takes a single `.txt` file and stdin by lines, tables by rows, and other files whole;
            "files" takes tables by rows, stdin by lines, and all other files whole.
        encoding: of all the files; None has it detected for each.
        places: how places in plain text are numbered: "verses" ("3:7"), "lines" of verse, or
            "sections". Numbers of verses and lines are not part of the text.
        cache: whether to use, and to fill, the user's cache of text extracted from documents.
        metadata: a table that says more about the documents. Submissions downloaded from Moodle or
            Canvas have an author without one, by their names.
        batch_bytes: the most that the texts of a batch take, unless one document alone is larger.
        progress: called with the bytes read from disk so far, of `total_bytes()`.

    Attributes:
        skipped: the documents left out so far, with their reasons.
        notes: choices that the user should hear of.
        documents, bytes: what has been given out so far; bytes of UTF-8 text.

    Raises `UsageError` or `SourceError` at once for what can be seen before reading, and
    `SourceError` while iterating for what cannot: damaged files, an id that comes twice, a
    collection without documents.

    Limitations: while a batch is put together its texts are in memory twice. The list of skipped
    documents has no bound.
    """

    def __init__(
        self,
        sources: Source | Sequence[Source],
        *,
        text: str | None = None,
        id: str | None = None,
        column: str | None = None,
        shape: Shape = "auto",
        encoding: str | None = None,
        places: str | None = None,
        cache: bool = True,
        metadata: MetadataTable | None = None,
        batch_bytes: int = 16 << 20,
        progress: Progress | None = None,
    ) -> None:
        check_shape(shape, text, id)
        check_encoding(encoding)
        check_rule(places)
        if batch_bytes < 1:
            raise UsageError(f"batch_bytes is {batch_bytes}; it must be at least 1")
        self._sources = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
        if not self._sources:
            raise UsageError("no source is given", hint="name a file, a folder, a pattern or -")
        self._origins, self._passed_over = find_origins(self._sources, shape)
        sizes = [origin.size for origin in self._origins]
        # Added up once: progress is reported after every file, and there may be very many.
        self._total_bytes = None if None in sizes else sum(size or 0 for size in sizes)
        self._text, self._id, self._encoding = text, id, encoding
        self._column = column
        self._whole = shape == "whole"
        self._places = places
        self._cache = cache
        self._metadata = metadata
        # Rows of tables are numbered, or have ids of their own.
        self._has_files = any(origin.kind not in TABLES for origin in self._origins)
        if metadata is not None:
            metadata.expect(_known_ids(self._origins))
        self._batch_bytes = batch_bytes
        self._progress = progress
        self._choices = _note_choices(self._origins) if shape in ("auto", "files") else []
        self._begin()
        if not self._origins:
            raise self._no_documents()

    def _begin(self) -> None:
        self.documents = 0
        self.bytes = 0
        alone = len(self._origins) == 1 and self._origins[0].named
        self._reading = Reading(
            self._text, self._id, self._encoding, alone, self._whole, self._places,
            None if self._column is None else Labels(self._column),
        )  # fmt: skip
        self._reading.skipped.extend(self._passed_over)
        self._reading.notes.update(dict.fromkeys(self._choices))

    @property
    def has_tables(self) -> bool:
        """Whether any of the files is a table."""
        return any(origin.kind in TABLES for origin in self._origins)

    @property
    def skipped(self) -> list[Skipped]:
        return self._reading.skipped

    @property
    def notes(self) -> list[Note]:
        return list(self._reading.notes)

    def total_bytes(self) -> int | None:
        """Return the size of all the files on disk; None if one of them is a pipe."""
        return self._total_bytes

    def __iter__(self) -> Iterator[Batch]:
        self._begin()
        if self._metadata is not None:
            self._metadata.settle()
        register = Register(self._origins, bare=self._reading.alone)
        packer = Packer(self._batch_bytes)
        with Extraction(cache=self._cache) as self._reading.extraction:
            finished = advance = 0
            for item in look_ahead(self._origins, self._reading):
                self._reading.position = 0
                for rows in self._read(item):
                    yield from self._count(packer.add(register.name(item.origin, rows), rows))
                    self._report(finished + advance + self._reading.position)
                advance += item.packed
                if item.last:
                    finished += item.origin.size or self._reading.position
                    advance = 0
                self._report(finished + advance)
        yield from self._count(packer.finish())
        if not self.documents:
            raise self._no_documents()

    def _read(self, item: Item) -> Iterator[RowBatch]:
        """Read one item; skip it if it is bad and the collection can do without it."""
        document = item.document
        try:
            yield from item.read()
        except DocumentError as error:
            if self._reading.alone and document.named:
                raise SourceError(str(error), hint=error.hint) from error
            self._reading.skip_file(document, error.reason)
        except ColumnError as error:
            if document.named:
                raise
            self._reading.skip_file(document, _without_name(error, document))
        except SourceError as error:
            # A table is many documents: a damaged one is never passed over.
            if document.named or document.kind in TABLES:
                raise
            self._reading.skip_file(document, _without_name(error, document))

    def _count(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            self.documents += len(batch)
            self.bytes += batch.text_bytes
            yield self._describe(batch)

    def _describe(self, batch: Batch) -> Batch:
        """The batch with what the table, or else the name of a submission, says of documents."""
        known: list[dict[str, str] | None] = [None] * len(batch)
        if self._metadata is not None:
            known = list(map(self._metadata.find, batch.ids))
        if self._has_files:
            for at, submission in enumerate(map(submission_of, batch.ids)):
                if submission is not None:
                    known[at] = {"author": submission.author} | (known[at] or {})
        if self._metadata is None and not any(known):
            return batch
        return replace(batch, metadata=known)

    def _report(self, position: int) -> None:
        if self._progress is not None:
            self._progress(position)

    def _no_documents(self) -> SourceError:
        where = ", ".join(shown(os.fspath(source)) for source in self._sources[:3])
        where += ", …" if len(self._sources) > 3 else ""
        if not self.skipped:
            return SourceError(f"{where}: no documents", hint="the source is empty")
        if [item.source for item in self.skipped] == [where]:
            return SourceError(str(self.skipped[0]))
        count = f"{len(self.skipped)} skipped" if len(self.skipped) > 1 else "skipped"
        return SourceError(f"{where}: no documents ({count}: {self.skipped[0]})")


def _known_ids(origins: Sequence[Origin]) -> Iterator[str]:
    """The ids of documents that are known before anything is read: files, and those in archives."""
    for origin in origins:
        if origin.kind == "zip":
            with suppress(LikewiseError, UnreadableError), open_archive(origin) as file:
                names = sorted(map(member_name, Zipped(file).members))
                yield from (f"{origin.id}/{name}" for name in names if not name.endswith("/"))
        elif origin.kind not in TABLES:
            yield origin.id


def _note_choices(origins: Sequence[Origin]) -> list[Note]:
    return [
        Note(origin.name, "one document per line (--whole reads it as one document)")
        for origin in origins
        if origin.kind == "lines"
    ]


def _without_name(error: SourceError, origin: Origin) -> str:
    return str(error).removeprefix(f"{origin.name}: ")
