"""`Table`: a file whose rows are counted from 0, or neighbouring documents of a folder."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import replace
from typing import IO, TYPE_CHECKING, ClassVar, Protocol

from likewise.documents.stream import read_blocks
from likewise.documents.texts import null_if_empty
from likewise.errors import ColumnError, SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.batch import RowBatch
    from likewise.documents.origin import Origin
    from likewise.documents.reading import Reading
    from likewise.documents.tables.columns import Columns


READER_BYTES = 40 << 20  # what a part of a table may take of memory while others are read as well


class Verdicts(Protocol):
    """Which rows are kept, and their annotations: file by file, with rows ascending."""

    def count(self, file: int) -> int:
        """How many rows this file had; another number now means that it has changed."""

    def kept(self, file: int, start: int, stop: int) -> NDArray[np.bool_]:
        """Which of the rows from `start` to `stop` are kept."""

    def schema(self, file: int) -> pa.Schema:
        """The schema of the annotations of this file, with the names of that of the `Target`."""

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        """Annotations of these rows; used instead of `kept`."""


class RowEdits(Protocol):
    """Kept rows whose text is replaced; the other columns stay as they are."""

    def rows(self, file: int, start: int, stop: int) -> NDArray[np.int64]:
        """Which of the rows from `start` to `stop` have another text, ascending."""

    def edited(self, file: int, rows: NDArray[np.int64], texts: Sequence[str]) -> list[str]:
        """The new texts of these rows, by their texts as they were read."""


def check_replaceable(table: Table) -> None:
    """Raise `UsageError` if parts of texts cannot be removed, as they are joined from lists."""
    if table.joined and table.columns is not None:
        raise not_replaceable(table.name, table.columns.text)


def not_replaceable(table: str, column: str) -> UsageError:
    """What to raise where parts cannot be removed, as a text is joined from a list."""
    return UsageError(
        f"{table}: parts cannot be removed from {column!r}, which is a list",
        hint="annotate the rows instead, or write each list as one string",
    )


class Table:
    """Rows that are counted together; one subclass per format.

    Attributes:
        extensions: of files in this format.
        writer_bytes: what a file takes of memory while it is written beside others; None where
            that would not be faster.
        number: its place in `RowSource.files`.
        origins: the table alone, or the documents, one for each row.
        reading: what is wanted, and where notes go.
        kind: that of `Origin`, or "documents".
        count: how many rows it has; None where that is not known yet.
        columns: the names of its text and id columns; None where it has no columns.
        id_type: the type of its ids; None where that is not known, or where it has none.
        left_out: why the file is left out of everything (`skip_bad`); None if it is not.
        bad_rows: how many rows cannot be read, of those read so far.
        joined: texts are joined from lists, as far as is known, and cannot be replaced.
    """

    extensions: ClassVar[tuple[str, ...]] = ()
    writer_bytes: ClassVar[int | None] = None

    def __init__(self, origins: Sequence[Origin], reading: Reading, number: int = 0) -> None:
        self.number = number
        self.origins = origins
        self.reading = reading
        self.kind = origins[0].kind
        self.count: int | None = None
        self.columns: Columns | None = None
        self.id_type: pa.DataType | None = None
        self.left_out: str | None = None
        self.bad_rows = 0
        self.joined = False

    @property
    def origin(self) -> Origin:
        """The table."""
        return self.origins[0]

    @property
    def name(self) -> str:
        """What messages call it."""
        if len(self.origins) == 1:
            return self.origin.name
        return f"{self.origin.name} … {self.origins[-1].name}"

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(origin.size or 0 for origin in self.origins)

    def open_seekable(self, *, exact: bool = True) -> IO[bytes]:
        """Open the file for reading at any place; unpacked, if it is packed.

        `exact`: from a store, fetch only what is read.
        """
        origin = self.origin
        if origin.compression is None and origin.path is not None and origin.size is not None:
            try:
                return origin.open(exact=exact)
            except OSError as error:
                raise SourceError(f"{self.name}: cannot be read: {error.strerror}") from error
        with contextlib.ExitStack() as stack:
            unpacked = stack.enter_context(tempfile.TemporaryFile())
            for block in read_blocks(origin, self.reading):
                unpacked.write(block)
            unpacked.seek(0)
            stack.pop_all()  # it is complete: the caller closes it
        return unpacked

    def may_be_called(self, extension: str) -> bool:
        """Whether what is written may have this extension, if that is one of this format."""
        return True

    def open(self) -> None:
        """Find the columns, and what else can be known before reading."""

    def read(self) -> Iterator[RowBatch]:
        """Yield all rows, in batches of any size. A table need not be opened first."""
        raise NotImplementedError

    def gather(self, rows: NDArray[np.int64]) -> Iterator[RowBatch]:
        """Yield the texts of some rows of an open table again; `rows` ascend."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise if not every row can be read, with all that belongs to it."""
        for _ in self.read():
            pass

    def write(
        self,
        out: IO[bytes],
        verdicts: Verdicts,
        annotations: pa.Schema | None,
        room: int,
        edits: RowEdits | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Write the rows that are kept, some with another text, or all with annotations.

        What is written does not depend on `room`, the bytes that may be in memory. Yields how many
        rows were read and written, as it goes.
        """
        raise NotImplementedError

    def read_documents(self) -> Iterator[RowBatch]:
        """Yield the rows that have a text and an id (if there are ids), and skip the others."""
        for batch in self.read():
            ids = None if batch.ids is None else null_if_empty(batch.ids)
            if batch.bad or batch.texts.null_count or (ids is not None and ids.null_count):
                yield self._skip_incomplete(replace(batch, ids=ids))
            else:
                yield batch

    def _skip_incomplete(self, batch: RowBatch) -> RowBatch:
        from array import array

        import pyarrow as pa

        skipped = dict(batch.bad)
        kept = []
        has_id = None if batch.ids is None else batch.ids.is_valid().to_pylist()
        for at, has_text in enumerate(batch.texts.is_valid().to_pylist()):
            if not has_text:
                assert self.columns is not None
                reason = f"no text ({self.columns.text!r} is null or missing)"
                skipped.setdefault(batch.rows[at], reason)
            elif has_id is not None and not has_id[at]:
                assert self.columns is not None
                reason = f"no id ({self.columns.id!r} is null, empty or missing)"
                skipped[batch.rows[at]] = reason
            else:
                kept.append(at)
        for row, reason in sorted(skipped.items()):
            self.reading.skip(self.origin, row, reason)
        if len(kept) == len(batch):
            return batch
        places = pa.array(kept, pa.int64())  # with a type, even if there are none
        return replace(
            batch,
            rows=array("q", [batch.rows[at] for at in kept]),
            texts=batch.texts.take(places),
            ids=None if batch.ids is None else batch.ids.take(places),
            values=None if batch.values is None else batch.values.take(places),
            groups=None if batch.groups is None else batch.groups.take(places),
        )

    def check_values(self, names: Sequence[str]) -> None:
        """Raise `ColumnError` unless each further column that is wanted is there, and once."""
        for values in (self.reading.values, self.reading.groups):
            if values is not None and names.count(values.name) != 1:
                what = "no column" if values.name not in names else "several columns"
                found = ", ".join(map(repr, names[:20]))
                raise ColumnError(
                    f"{self.name}: {what} {values.name!r}; it has {found}",
                    hint="name one of these",
                )

    def check_columns(self, columns: Columns, names: Sequence[str]) -> None:
        """Raise `ColumnError` if the text or id column is there more than once."""
        for name in (columns.text, columns.id or columns.text):
            if names.count(name) > 1:
                raise ColumnError(
                    f"{self.name}: {names.count(name)} columns are called {name!r}",
                    hint="name another column, or rename one of them",
                )
