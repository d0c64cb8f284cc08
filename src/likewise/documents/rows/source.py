"""`RowSource`: the rows of tables and folders, in a fixed order, as often as they are asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from likewise.documents.rows.batch import RowBatch, RowTexts
from likewise.documents.rows.file import RowFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from likewise.documents.notice import Note, Skipped
    from likewise.documents.sources import Shape

Source = str | os.PathLike[str]
Progress = Callable[[int], None]


def open_rows(
    sources: Source | Sequence[Source],
    *,
    text: str | None = None,
    id: str | None = None,
    column: str | None = None,
    shape: Shape = "auto",
    encoding: str | None = None,
    cache: bool = True,
    skip_bad: bool = False,
    reserved: Sequence[str] = (),
    batch_bytes: int = 16 << 20,
    progress: Progress | None = None,
) -> RowSource:
    """Find the files of a collection and look at their columns.

    Args:
        sources: files, folders and patterns, as `Reader` takes them; neither stdin nor zip.
        text, id: the columns of the text and of the id, chosen as by `Reader` where not named.
        column: one more column, whose values the batches have.
        shape, encoding, cache: as for `Reader`.
        skip_bad: leave out a file that is damaged or lacks a column, instead of an error. Every
            file is then read as a whole before its first batch is given, so that nothing depends
            on rows of a file that is left out.
        reserved: names of columns that are going to be added: that one is there already is an
            error, at the latest while reading.
        batch_bytes: how much text a batch holds, about; at least one row.
        progress: called with the bytes read from disk so far, to be held against `total_bytes`.

    Raises `UsageError`, `SourceError` or `ColumnError` for what can be seen before reading.
    """
    raise NotImplementedError


class RowSource:
    """Rows by their place: the number of the file, and of the row in it.

    Files come in the order of their paths below the source, in code-point order, and sources in
    the order in which they are given.

    Attributes:
        files: tables, and runs of documents.
        alone: the source is one file that the user named, so that the output is a file too.
        has_ids: whether any file has an id column.
        bad: rows that cannot be read, with their reasons: the first `MOST_TOLD`.
        bad_rows: how many there are, of those read so far.
        skipped: files that are left out, with their reasons.
        notes: choices that the user should hear of.
    """

    MOST_TOLD = 1000

    files: Sequence[RowFile]
    alone: bool
    has_ids: bool
    bad: list[Skipped]
    bad_rows: int
    skipped: list[Skipped]

    @property
    def notes(self) -> list[Note]:
        raise NotImplementedError

    def total_bytes(self) -> int:
        """Return the size of all the files on disk."""
        raise NotImplementedError

    def batches(self, start: int = 0, stop: int | None = None) -> Iterator[RowBatch]:
        """Yield all rows of the files from `start` to `stop`.

        After the last batch of a file its `count` is known, also where it has no rows at all. With
        `skip_bad`, a damaged file gives no batch and its `left_out` says why. Raises `SourceError`
        that names the file, and of Parquet the row group.
        """
        raise NotImplementedError

    def gather(self, file: int, rows: NDArray[np.int64]) -> Iterator[RowTexts]:
        """Yield the texts of some rows of one file again; `rows` ascend, each once.

        Row groups without a wanted row are not read, nor what follows the last one; of JSON Lines
        only the wanted lines are parsed.
        """
        raise NotImplementedError

    def leave_out(self, file: int, reason: str) -> None:
        """Leave a file out of reading and writing, as an earlier run with `skip_bad` did."""
        raise NotImplementedError

    def display(self, file: int, row: int) -> str:
        """Return what a row without an id is called: "12", "a/b.csv:12", or a document's path."""
        raise NotImplementedError
