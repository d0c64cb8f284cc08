"""One row per row of Parquet. Only the wanted columns are read.

Limitations: of a column of lists, all of a row is read, also where the text is one of its fields. A
packed file (`.parquet.gz`) is unpacked into a temporary file first, since Parquet is
read from its end.
"""

from __future__ import annotations

import contextlib
from typing import IO, TYPE_CHECKING

from likewise.documents.batch import RowBatch
from likewise.documents.stream import BLOCK
from likewise.documents.tables.nested import readable_name, take_column, take_texts
from likewise.documents.tables.parquet_writer import WRITER_BYTES, write_parquet
from likewise.documents.tables.read_ahead import in_order
from likewise.documents.tables.table import READER_BYTES, Table
from likewise.documents.tables.typed_columns import note_mended, settle_columns
from likewise.documents.tables.values import id_strings
from likewise.errors import SourceError
from likewise.storage.range_reader import PART as STORE_PART

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.parquet import ColumnChunkMetaData, FileMetaData, ParquetFile

    from likewise.documents.tables.table import RowEdits, Verdicts

_MAX_ROWS = 65536
# A value that is stored once may be in every row: such columns are larger than they admit.
_MAX_CODED_ROWS = 1024
_AHEAD = READER_BYTES // BLOCK - 4  # batches that wait; a few are under way


class Parquet(Table):
    """A Parquet file."""

    extensions = (".parquet", ".pq")
    writer_bytes = WRITER_BYTES

    def open(self) -> None:
        """Read the footer: columns, their types, and how many rows there are."""
        with self.open_file() as file, self.explain():
            self._find_columns(file)

    @contextlib.contextmanager
    def open_file(self, footer: FileMetaData | None = None) -> Iterator[ParquetFile]:
        """Open the file; raise `SourceError` that names it where it is damaged.

        `footer` is that of this file, where it has been read already.
        """
        from pyarrow import parquet

        with self.open_seekable() as content:
            with self.explain():
                # Without pre-buffering and with a buffer, column chunks are read in parts: larger
                # ones from a store, where each is a request.
                size = 1 << 20 if self.origin.stored is None else STORE_PART
                file = parquet.ParquetFile(
                    content, metadata=footer, pre_buffer=False, buffer_size=size
                )
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
        values, groups = self.reading.values, self.reading.groups
        first = mended = 0
        with self.open_file() as file:
            if self.columns is None:
                with self.explain():
                    self._find_columns(file)
            columns = self.columns
            assert columns is not None
            names = [columns.text, columns.id, *(one.name for one in (values, groups) if one)]
            schema = file.schema_arrow
            wanted = list(dict.fromkeys(readable_name(schema, name) for name in names if name))
            for group, batch in self._beside(file, range(file.num_row_groups), wanted):
                ids = more = own = None
                with self.explain(group):
                    texts, damaged = take_texts(batch, columns.text)
                    if columns.id is not None:
                        ids = id_strings(take_column(batch, columns.id))
                    if values is not None:
                        more = values.from_column(take_column(batch, values.name))
                    if groups is not None:
                        own = groups.from_column(take_column(batch, groups.name))
                mended += damaged
                stop = first + len(batch)
                rows = range(first, stop)
                yield RowBatch(rows, texts, ids, more, file=self.number, groups=own)
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
        with self.open_file() as file:
            counts = [
                file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)
            ]
            starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
            cuts = np.searchsorted(rows, starts)
            groups = np.flatnonzero(np.diff(cuts)).tolist()
            pieces = (
                self._gather_group(file, group, rows[cuts[group] : cuts[group + 1]], starts[group])
                for group in groups
            )
            yield from in_order(pieces, self._threads(groups), _AHEAD)

    def _gather_group(
        self, file: ParquetFile, group: int, rows: NDArray[np.int64], first: int
    ) -> Iterator[RowBatch]:
        """Yield some rows of a row group, which begins with row `first`."""
        import numpy as np

        assert self.columns is not None
        name = self.columns.text
        for batch in self._read_apart(file, group, [readable_name(file.schema_arrow, name)]):
            count = int(np.searchsorted(rows, first + len(batch)))
            if count:
                with self.explain(group):
                    # Not all types of strings can be taken from.
                    texts = take_texts(batch, name)[0].take(rows[:count] - first)
                yield RowBatch(rows[:count].tolist(), texts, file=self.number)
                rows = rows[count:]
            if not len(rows):
                return
            first += len(batch)

    def _beside(
        self, file: ParquetFile, groups: Sequence[int], columns: Sequence[str]
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield the batches of row groups in their order; several groups are read at once."""

        def read(group: int) -> Iterator[tuple[int, pa.RecordBatch]]:
            for batch in self._read_apart(file, group, columns):
                yield group, batch

        return in_order(map(read, groups), self._threads(groups), _AHEAD)

    def _threads(self, groups: Sequence[int]) -> int:
        """How many row groups are read at once: one of a packed file, which is read anew."""
        packed = self.origin.compression is not None
        return 1 if packed else max(1, min(self.reading.threads, len(groups)))

    def _read_apart(
        self, file: ParquetFile, group: int, columns: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        """As `read_group`, while others read other row groups."""
        if self._threads(range(file.num_row_groups)) == 1:
            yield from self.read_group(file, group, columns)
            return
        with self.open_file(file.metadata) as own:
            yield from self.read_group(own, group, columns)

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
        room: int,
        edits: RowEdits | None = None,
    ) -> Iterator[tuple[int, int]]:
        return write_parquet(self, out, verdicts, annotations, room, edits)


def _rows_at_a_time(rows: int, chunks: Sequence[ColumnChunkMetaData]) -> int:
    """Return how many of the rows of a row group make about a block."""
    size = sum(chunk.total_uncompressed_size for chunk in chunks)
    coded = any(
        chunk.physical_type == "BYTE_ARRAY" and chunk.has_dictionary_page for chunk in chunks
    )
    return max(1, min(_MAX_CODED_ROWS if coded else _MAX_ROWS, BLOCK * rows // max(size, 1)))
