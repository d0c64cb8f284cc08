"""One row per row of Parquet. Only the wanted columns are read.

Limitations: of a column of lists, all of a row is read, also where the text is one of its fields. A
packed file (`.parquet.gz`) is unpacked into a temporary file first, since Parquet is
read from its end.
"""

from __future__ import annotations

import contextlib
import tempfile
from typing import IO, TYPE_CHECKING

from likewise.documents.batch import RowBatch
from likewise.documents.stream import BLOCK, read_blocks
from likewise.documents.tables.nested import readable_name, take_column, take_texts
from likewise.documents.tables.parquet_writer import write_parquet
from likewise.documents.tables.table import Table
from likewise.documents.tables.typed_columns import note_mended, settle_columns
from likewise.documents.tables.values import id_strings
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.parquet import ColumnChunkMetaData, ParquetFile

    from likewise.documents.tables.table import RowEdits, Verdicts

_MAX_ROWS = 65536
# A value that is stored once may be in every row: such columns are larger than they admit.
_MAX_CODED_ROWS = 1024


class Parquet(Table):
    """A Parquet file."""

    extensions = (".parquet", ".pq")

    def open(self) -> None:
        """Read the footer: columns, their types, and how many rows there are."""
        with self.open_file() as file, self.explain():
            self._find_columns(file)

    @contextlib.contextmanager
    def open_file(self) -> Iterator[ParquetFile]:
        """Open the file; raise `SourceError` that names it where it is damaged."""
        from pyarrow import parquet

        with open_seekable(self) as content:
            with self.explain():
                # Without pre-buffering and with a buffer, column chunks are read in parts.
                file = parquet.ParquetFile(content, pre_buffer=False, buffer_size=1 << 20)
            yield file

    @contextlib.contextmanager
    def explain(self, group: int | None = None) -> Iterator[None]:
        """Raise what Arrow raises as a `SourceError` that names the file and the row group."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = str(error).partition("\n")[0]
            what = "damaged, or not Parquet" if group is None else f"row group {group} is damaged"
            raise SourceError(
                f"{self.name}: {what}: {reason}",
                hint="create or download the file again; it may be truncated",
            ) from error

    def _find_columns(self, file: ParquetFile) -> None:
        self.count = file.metadata.num_rows
        settle_columns(self, file.schema_arrow)

    def read(self) -> Iterator[RowBatch]:
        values = self.reading.values
        first = mended = 0
        with self.open_file() as file:
            if self.columns is None:
                with self.explain():
                    self._find_columns(file)
            columns = self.columns
            assert columns is not None
            names = [columns.text, columns.id, None if values is None else values.name]
            schema = file.schema_arrow
            wanted = list(dict.fromkeys(readable_name(schema, name) for name in names if name))
            for group in range(file.num_row_groups):
                for batch in self.read_group(file, group, wanted):
                    ids = more = None
                    with self.explain(group):
                        texts, damaged = take_texts(batch, columns.text)
                        if columns.id is not None:
                            ids = id_strings(take_column(batch, columns.id))
                        if values is not None:
                            more = values.from_column(take_column(batch, values.name))
                    mended += damaged
                    stop = first + len(batch)
                    yield RowBatch(range(first, stop), texts, ids, more, file=self.number)
                    first = stop
                    self.reading.position = (self.origin.size or 0) * first // (self.count or 1)
        note_mended(self, mended)

    def read_group(
        self, file: ParquetFile, group: int, columns: Sequence[str] | None
    ) -> Iterator[pa.RecordBatch]:
        """Yield a row group in batches of some megabytes, with these columns or with all."""
        chunks = self.column_chunks(file, group, columns)
        rows = _rows_at_a_time(file.metadata.row_group(group).num_rows, chunks)
        with self.explain(group):
            names = None if columns is None else list(columns)
            batches = file.iter_batches(rows, row_groups=[group], columns=names)
        count = 0
        while True:
            with self.explain(group):
                batch = next(batches, None)
            if batch is None:
                break
            count += len(batch)
            yield batch
        if count != file.metadata.row_group(group).num_rows:
            raise SourceError(
                f"{self.name}: row group {group} is damaged: it has only {count} rows"
            )

    def column_chunks(
        self, file: ParquetFile, group: int, columns: Sequence[str] | None = None
    ) -> list[ColumnChunkMetaData]:
        """Return what the footer says about these columns of a row group, or about all."""
        names = None if columns is None else list(columns)
        with self.explain(group):
            # Asked about a damaged column, Arrow would end the process; reading a row raises.
            next(file.iter_batches(1, row_groups=[group], columns=names), None)
        facts = file.metadata.row_group(group)
        paths = [file.schema.column(at).path for at in range(facts.num_columns)]
        return [
            facts.column(at)
            for at, path in enumerate(paths)
            if columns is None or any(f"{path}.".startswith(f"{name}.") for name in columns)
        ]

    def gather(self, rows: NDArray[np.int64]) -> Iterator[RowBatch]:
        """Yield some rows again, from the row groups that have them."""
        import numpy as np

        assert self.columns is not None
        name = self.columns.text
        first = 0
        with self.open_file() as file:
            wanted = [readable_name(file.schema_arrow, name)]
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                if np.searchsorted(rows, first) == np.searchsorted(rows, first + count):
                    first += count
                    continue
                for batch in self.read_group(file, group, wanted):
                    start, stop = np.searchsorted(rows, (first, first + len(batch)))
                    if stop > start:
                        some = rows[start:stop]
                        with self.explain(group):
                            # Not all types of strings can be taken from.
                            texts = take_texts(batch, name)[0].take(some - first)
                        yield RowBatch(some.tolist(), texts, file=self.number)
                    first += len(batch)

    def check(self) -> None:
        """Raise if one of the columns of one of the row groups cannot be read."""
        with self.open_file() as file:
            for group in range(file.num_row_groups):
                for _ in self.read_group(file, group, None):
                    pass

    def write(
        self,
        out: IO[bytes],
        verdicts: Verdicts,
        annotations: pa.Schema | None,
        group_bytes: int,
        edits: RowEdits | None = None,
    ) -> Iterator[tuple[int, int]]:
        return write_parquet(self, out, verdicts, annotations, group_bytes, edits)


def open_seekable(table: Table) -> IO[bytes]:
    """Open a table that is read from its end; one that is packed is unpacked to disk."""
    origin = table.origin
    if origin.compression is None and origin.path is not None and origin.size is not None:
        try:
            return open(origin.path, "rb")
        except OSError as error:
            raise SourceError(f"{table.name}: cannot be read: {error.strerror}") from error
    with contextlib.ExitStack() as stack:
        unpacked = stack.enter_context(tempfile.TemporaryFile())
        for block in read_blocks(origin, table.reading):
            unpacked.write(block)
        unpacked.seek(0)
        stack.pop_all()  # it is complete: the caller closes it
    return unpacked


def _rows_at_a_time(rows: int, chunks: Sequence[ColumnChunkMetaData]) -> int:
    """Return how many of the rows of a row group make about a block."""
    size = sum(chunk.total_uncompressed_size for chunk in chunks)
    coded = any(
        chunk.physical_type == "BYTE_ARRAY" and chunk.has_dictionary_page for chunk in chunks
    )
    return max(1, min(_MAX_CODED_ROWS if coded else _MAX_ROWS, BLOCK * rows // max(size, 1)))
