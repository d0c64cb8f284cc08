"""`Inputs`: the collections that a command reads."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from likewise.cli.grouping import Grouping
from likewise.cli.messages import notify, warn
from likewise.cli.parser import arguments_for
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.documents import Batch, Reader
    from likewise.documents.sources import Shape
    from likewise.run import Progress


class Inputs:
    """The collections that a command reads, by its reading options.

    Args:
        stage: what the progress bar calls the reading.
        shape: what a file is, unless --lines or --whole is given. "files" makes a single text
            file one document.

    Attributes:
        readers: one per collection.
        grouping: the groups of the documents, by --within or --across.
        metadata: the table named by --metadata, if any.
    """

    def __init__(
        self,
        options: argparse.Namespace,
        progress: Progress,
        stage: str = "read",
        shape: Shape = "auto",
    ) -> None:
        from likewise.documents.metadata import MetadataTable

        self._options, self._progress, self._stage, self._shape = options, progress, stage, shape
        self.readers: list[Reader] = []
        self.grouping = Grouping(options)
        self.metadata: MetadataTable | None = None
        if (table := getattr(options, "metadata", None)) is not None:
            columns = _columns_of(options.metadata_column or ())
            self.metadata = MetadataTable.read(table, options.encoding, columns)
        elif getattr(options, "metadata_column", None):
            raise UsageError("--metadata-column requires --metadata", hint="--metadata TABLE")

    def open(self, sources: Sequence[str]) -> Reader:
        """A reader of one collection."""
        from likewise.documents import Reader

        reader: Reader = Reader(
            sources,
            **arguments_for(
                Reader,
                self._options,
                shape=self._options.shape or self._shape,
                metadata=self.metadata,
                column=self.grouping.table_column,
                progress=lambda done: self._progress(self._stage, done, reader.total_bytes()),
            ),
        )
        self.readers.append(reader)
        return reader

    def open_sides(self) -> list[Reader]:
        """Readers of SOURCE and, if it is given, of --against OTHER."""
        sides = [self._options.sources, self._options.against or []]
        if all("-" in side for side in sides):
            raise UsageError("only one of SOURCE and OTHER can be stdin")
        return [self.open(side) for side in sides if side]

    def batches(self, reader: Reader) -> Iterator[Batch]:
        """The documents of one collection; keeps their groups."""
        self.grouping.begin_collection()
        for batch in reader:
            self.grouping.add(batch)
            yield batch

    def notes(self) -> list[str]:
        """Notes on the documents that were read."""
        from likewise.documents.notice import note_lines

        notes = [note for reader in self.readers for note in reader.notes]
        return note_lines(notes + ([] if self.metadata is None else self.metadata.notes))

    def skipped(self) -> int:
        return sum(len(reader.skipped) for reader in self.readers)

    def report(self) -> int:
        """Prints notes and skipped documents; the exit status, which depends on --strict."""
        from likewise.run import counted

        notify(self._options, *self.notes())
        skipped = [item for reader in self.readers for item in reader.skipped]
        notify(self._options, *(f"skipped {item}" for item in skipped))
        if skipped:
            what = "document" if any(item.place for item in skipped) else "file"
            warn(f"{counted(len(skipped), what)} skipped")
        return 1 if skipped and self._options.strict else 0

    def report_single(self) -> None:
        """Prints a note if the only collection has only one document."""
        if len(self.readers) == 1 and self.readers[0].documents == 1:
            notify(
                self._options,
                "only 1 document: there is nothing to compare it with "
                "(give another file or a folder; --lines reads one document per line)",
            )


def _columns_of(given: Sequence[str]) -> dict[str, str]:
    """Columns of a table by field, from FIELD=COLUMN."""
    columns: dict[str, str] = {}
    for one in given:
        field, sign, column = one.partition("=")
        if not sign or not column.strip():
            raise UsageError(
                f"--metadata-column {one!r} is not FIELD=COLUMN",
                hint="for example --metadata-column author=Student",
            )
        columns[field.strip().lower()] = column.strip()
    return columns
