"""`RowSource`: the rows of tables and folders, in a fixed order, any number of times."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from likewise.documents.batch import RowBatch
from likewise.documents.encoding import check_encoding
from likewise.documents.extraction.extraction import Extraction
from likewise.documents.kinds import split_name
from likewise.documents.notice import Note, Skipped
from likewise.documents.reading import Reading
from likewise.documents.sources import check_shape, find_origins
from likewise.documents.tables.documents import Documents
from likewise.documents.tables.formats import COLUMNED, TABLES
from likewise.documents.tables.labels import Labels
from likewise.documents.tables.values import Values
from likewise.documents.texts import spread
from likewise.errors import ColumnError, DocumentError, SourceError, UsageError
from likewise.storage.address import is_remote, shown

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.origin import Origin
    from likewise.documents.sources import Shape
    from likewise.documents.tables.table import Table

Source = str | os.PathLike[str]
Progress = Callable[[int], None]

MAX_LISTED_ROWS = 1000
_MAX_BATCH_ROWS = 1 << 20


def open_rows(
    sources: Source | Sequence[Source],
    *,
    text: str | None = None,
    id: str | None = None,
    column: str | None = None,
    group: str | None = None,
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
        group: another one, whose values are compared for equality only.
        shape, encoding, cache: as for `Reader`.
        skip_bad: leave out a file that is damaged or lacks a column, instead of an error. Every
            file is then read as a whole before its first batch is given, so that nothing depends
            on rows of a file that is left out.
        reserved: names of columns that are going to be added: that one is there already is an
            error, at the latest while reading.
        batch_bytes: how much text a batch contains, about; at least one row.
        progress: called with the bytes read from disk so far, of `total_bytes`.

    Raises `UsageError`, `SourceError` or `ColumnError` for what can be seen before reading.
    """
    check_shape(shape, text, id)
    check_encoding(encoding)
    if batch_bytes < 1:
        raise UsageError(f"batch_bytes is {batch_bytes}; it must be at least 1")
    given = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    if not given:
        raise UsageError("no source is given", hint="name a file, a folder or a pattern")
    origins, skipped = find_origins(given, shape)
    reading = Reading(
        text=text,
        id=id,
        encoding=encoding,
        alone=len(origins) == 1 and origins[0].named,
        whole=shape == "whole",
        values=None if column is None else Values(column),
        groups=None if group is None else Labels(group),
        reserved=frozenset(reserved),
        skip_bad=skip_bad,
    )
    reading.skipped.extend(skipped)
    origins = [
        origin
        for origin in origins
        if _can_be_read_again(origin, reading) and not _is_remark(origin, reading)
    ]
    if all(origin.kind not in COLUMNED for origin in origins):
        for name, hint in (
            (column, "use `keep=first` or `keep=longest`"),
            (group, "write the documents to a table with a column of groups"),
        ):
            if name is not None:
                raise ColumnError(f"no column {name!r}: none of the sources is a table", hint=hint)
    source = RowSource(
        [_whole_path(path) for path in given],
        _as_files(origins, reading),
        reading,
        cache=cache,
        batch_bytes=batch_bytes,
        progress=progress,
    )
    if not origins:
        raise SourceError(
            f"{', '.join(shown(str(path)) for path in given[:3])}: no documents"
            + (
                f" ({len(reading.skipped)} skipped: {reading.skipped[0]})"
                if reading.skipped
                else ""
            )
        )
    return source


def _whole_path(source: Source) -> str:
    path = os.fspath(source)
    return shown(path) if is_remote(path) else os.path.abspath(path)


def _can_be_read_again(origin: Origin, reading: Reading) -> bool:
    """Refuse what can be read once only, or cannot be written back."""
    if origin.path is None or origin.size is None:
        raise SourceError(
            f"{origin.name}: cannot be read twice, as is required here",
            hint="write it to a file first",
        )
    if origin.kind != "zip":
        return True
    if not reading.skip_bad:
        raise SourceError(
            f"{origin.name}: documents cannot be removed from a zip archive",
            hint="unpack it, and name the folder",
        )
    reading.skip_file(origin, "a zip archive; documents cannot be removed from it")
    return False


def _is_remark(origin: Origin, reading: Reading) -> bool:
    """Pass over what programs leave beside tables: _metadata, _committed_…"""
    name = os.path.basename(origin.path or "")
    if origin.named or not name.startswith("_") or split_name(name)[0]:
        return False
    reading.skip_file(origin, "a remark of the program that wrote the folder")
    return True


def _as_files(origins: Sequence[Origin], reading: Reading) -> list[Table]:
    """Put neighbouring documents together; a table is a file of its own."""
    files: list[Table] = []
    for is_table, together in groupby(origins, key=lambda origin: origin.kind in TABLES):
        if is_table:
            files.extend(
                TABLES[origin.kind]([origin], reading, number)
                for number, origin in enumerate(together, len(files))
            )
        else:
            files.append(Documents(list(together), reading, len(files)))
    return files


class RowSource:
    """Rows by their place: the number of the file, and of the row in it.

    Files come in the order of their paths below the source, in code-point order, and sources in
    the order in which they are given. One pass at a time: `batches` and `gather` of one source do
    not go side by side.

    Attributes:
        paths: the sources as absolute paths, or addresses in a store.
        files: tables, and runs of documents.
        reading: what is wanted, and what there is to report.
        alone: the source is one file that the user named, so that the output is a file too.
        bad: the first thousand rows that cannot be read, with their reasons.
        bad_rows: how many rows cannot be read, of those read so far.
    """

    def __init__(
        self,
        paths: Sequence[str],
        files: Sequence[Table],
        reading: Reading,
        *,
        cache: bool,
        batch_bytes: int,
        progress: Progress | None,
    ) -> None:
        self.paths = paths
        self.files = files
        self.reading = reading
        self.alone = reading.alone
        self.bad: list[Skipped] = []
        self.bad_rows = 0
        self._reported: dict[int, int] = {}  # by file: the last bad row, not to count it again
        self._cache = cache
        self._batch_bytes = batch_bytes
        self._progress = progress
        for file in files:
            with self._leaving_out(file):
                file.open()

    @property
    def has_ids(self) -> bool:
        """Whether any file has an id column."""
        return any(file.columns is not None and file.columns.id is not None for file in self.files)

    @property
    def skipped(self) -> list[Skipped]:
        """Files that are left out, with their reasons."""
        return self.reading.skipped

    @property
    def notes(self) -> list[Note]:
        """Choices that the user should hear of."""
        return list(self.reading.notes)

    def total_bytes(self) -> int:
        """Return the size of all the files on disk."""
        return sum(file.size for file in self.files)

    def batches(self, start: int = 0, stop: int | None = None) -> Iterator[RowBatch]:
        """Yield all rows of the files from `start` to `stop`.

        After the last batch of a file its `count` is known, also where it has no rows at all. With
        `skip_bad`, a damaged file gives no batch and its `left_out` says why. Raises `SourceError`
        that names the file, and of Parquet the row group.
        """
        done = sum(file.size for file in self.files[:start])
        with Extraction(cache=self._cache) as self.reading.extraction:
            for file in self.files[start:stop]:
                if file.left_out is None and self._is_sound(file):
                    self.reading.position = 0
                    for batch in self._read(file):
                        yield batch
                        self._report(done + self.reading.position)
                done += file.size
                self._report(done)

    def _is_sound(self, file: Table) -> bool:
        """Read a file as a whole, if a bad one is to be left out."""
        if self.reading.skip_bad:
            with self._leaving_out(file):
                file.check()
        return file.left_out is None

    def _read(self, file: Table) -> Iterator[RowBatch]:
        """Yield every row of a file, in batches of at least `batch_bytes`, but for the last."""
        waiting: list[RowBatch] = []
        size = first = stop = 0
        with self._explaining(file):
            for batch in file.read():
                self._report_bad(file, batch)
                waiting.append(batch)
                size += batch.texts.nbytes
                stop = max(stop, batch.end)
                if size >= self._batch_bytes or stop - first >= _MAX_BATCH_ROWS:
                    yield self._join(waiting, first, stop)
                    waiting, size, first = [], 0, stop
        if stop > first:
            yield self._join(waiting, first, stop)
        file.count = stop

    def _join(self, batches: Sequence[RowBatch], first: int, stop: int) -> RowBatch:
        """Return one batch of all rows from `first` to `stop`, null where there is nothing."""
        import numpy as np
        import pyarrow as pa

        rows = np.concatenate([np.asarray(batch.rows, np.int64) for batch in batches])

        def join(columns: Sequence[pa.Array[Any]]) -> Any:
            return spread(pa.concat_arrays(list(columns)), cast("Any", rows), first, stop)

        ids = [batch.ids for batch in batches if batch.ids is not None]

        def further(wanted: Values | None, columns: Sequence[pa.Array[Any] | None]) -> Any:
            if wanted is None:
                return None
            sized = zip(columns, batches, strict=True)
            return join([wanted.nulls(len(b)) if own is None else own for own, b in sized])

        return RowBatch(
            range(first, stop),
            join([batch.texts for batch in batches]),
            join(ids) if len(ids) == len(batches) else None,
            further(self.reading.values, [batch.values for batch in batches]),
            file=batches[0].file,
            groups=further(self.reading.groups, [batch.groups for batch in batches]),
        )

    def _report_bad(self, file: Table, batch: RowBatch) -> None:
        for row, reason in batch.bad.items():
            if row <= self._reported.get(file.number, -1):
                continue
            self._reported[file.number] = row
            self.bad_rows += 1
            file.bad_rows += 1
            if len(self.bad) < MAX_LISTED_ROWS:
                documents = file.kind == "documents"
                origin = file.origins[row] if documents else file.origin
                place = "" if documents else origin.place(row)
                self.bad.append(Skipped(origin.name, place, reason))

    def gather(self, file: int, rows: NDArray[np.int64]) -> Iterator[RowBatch]:
        """Yield the texts of some rows of one file again; `rows` ascend, each once.

        Row groups without a wanted row are not read, nor what follows the last one; of JSON Lines
        and CSV only the wanted rows are parsed. Raises `SourceError` where a row is not there.
        """
        if not len(rows):
            return
        wanted = self.files[file]
        done = 0
        with (
            self._explaining(wanted),
            Extraction(cache=self._cache) as self.reading.extraction,
        ):
            for some in wanted.gather(rows):
                done += len(some.rows)
                yield some
        if done != len(rows):
            raise has_changed(wanted)

    def leave_out(self, file: int, reason: str) -> None:
        """Leave a file out of reading and writing, as an earlier run with `skip_bad` did."""
        left_out = self.files[file]
        if left_out.left_out is None:
            left_out.left_out = reason
            self.reading.skip_file(left_out.origin, reason)

    def display(self, file: int, row: int) -> str:
        """Return what a row without an id is called: "12", "a/b.csv:12", or a document's path."""
        rows = self.files[file]
        if rows.kind == "documents":
            return rows.origins[row].id
        return str(row) if self.alone else f"{rows.origin.id}:{row}"

    def _report(self, position: int) -> None:
        if self._progress is not None:
            self._progress(position)

    @contextmanager
    def _leaving_out(self, file: Table) -> Iterator[None]:
        """Note what is wrong with a file and go on without it, if `skip_bad`."""
        try:
            with self._explaining(file):
                yield
        except SourceError as error:
            if not self.reading.skip_bad or self.alone:
                raise
            self.leave_out(file.number, str(error).removeprefix(f"{file.name}: "))

    @contextmanager
    def _explaining(self, file: Table) -> Iterator[None]:
        """A table that is no text at all cannot be read; for a document it would be one of many."""
        try:
            yield
        except DocumentError as error:
            raise SourceError(str(error), hint=error.hint) from error


def has_changed(file: Table) -> SourceError:
    """What to raise where a file has other rows than it had when it was read before."""
    return SourceError(
        f"{file.name}: has changed since it was read",
        hint="start over, and do not change the files during the run",
    )
