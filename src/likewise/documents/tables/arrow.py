"""One row per row of an Arrow IPC file or stream, which Feather (version 2) is as well.

Rows are written back as a file or a stream, batch by batch, with all types, metadata and the codec.

Limitations: a record batch is in memory as a whole, as Arrow reads no less. Invalid UTF-8 is mended
in columns of strings, and damage in other types: views, dictionaries, and strings in lists.
"""

from __future__ import annotations

import contextlib
from typing import IO, TYPE_CHECKING, Any, cast

from likewise.documents.batch import RowBatch
from likewise.documents.tables.arrow_messages import find_codec
from likewise.documents.tables.nested import find_keys, take_column, take_texts
from likewise.documents.tables.parquet_writer import annotate_batch, edit_batch, filter_batch
from likewise.documents.tables.table import Table
from likewise.documents.tables.typed_columns import note_mended, settle_columns
from likewise.documents.tables.values import id_strings
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.tables.table import RowEdits, Verdicts

_FILE, _FEATHER_1 = b"ARROW1", b"FEA1"
_BYTES = {"string": "binary", "large_string": "large_binary"}


class Arrow(Table):
    """An Arrow IPC file or stream."""

    extensions = (".arrow", ".arrows", ".ipc", ".feather")

    def open(self) -> None:
        """Read the schema."""
        with self._open() as content, self._explain():
            batches = _Batches(content)
            self._is_file = batches.is_file
            settle_columns(self, batches.schema)

    def schema(self) -> pa.Schema:
        """Return the schema."""
        with self._open() as content, self._explain():
            return _Batches(content).schema

    def all_batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all batches with all columns."""
        with self._open() as content:
            yield from (batch for _, batch, _ in self._all_batches(content))

    def may_be_called(self, extension: str) -> bool:
        """Feather is a file, and `.arrows` a stream."""
        return extension != (".arrows" if self._is_file else ".feather")

    @contextlib.contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        with self.open_seekable(exact=False) as content:  # batches follow each other
            if content.read(len(_FEATHER_1)) == _FEATHER_1:
                raise SourceError(
                    f"{self.name}: Feather version 1, which is not read",
                    hint="write it as version 2, which pandas and pyarrow do by default",
                )
            content.seek(0)
            yield content

    @contextlib.contextmanager
    def _explain(self, batch: int | None = None) -> Iterator[None]:
        """Raise what Arrow raises as a `SourceError` that names the file and the batch."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError, EOFError, MemoryError) as error:
            # Memory: lengths are what the file says, however small it is.
            reason = str(error).partition("\n")[0]
            what = "damaged, or not Arrow" if batch is None else f"batch {batch} is damaged"
            raise SourceError(
                f"{self.name}: {what}: {reason}",
                hint="create or download the file again; it may be truncated",
            ) from error

    def read(self) -> Iterator[RowBatch]:
        values, groups = self.reading.values, self.reading.groups
        first = mended = 0
        with self._open() as content:
            if self.columns is None:
                with self._explain():
                    settle_columns(self, _Batches(content).schema)
                content.seek(0)
            columns = self.columns
            assert columns is not None
            names = [columns.text, columns.id, *(one.name for one in (values, groups) if one)]
            for number, batch in self._read_batches(content, [name for name in names if name]):
                with self._explain(number):
                    texts, damaged = take_texts(batch, columns.text)
                    ids = more = own = None
                    if columns.id is not None:
                        ids = id_strings(take_column(batch, columns.id))
                    if values is not None:
                        more = values.from_column(take_column(batch, values.name))
                    if groups is not None:
                        own = groups.from_column(take_column(batch, groups.name))
                mended += damaged
                self.reading.position = min(content.tell(), self.origin.size or 0)
                if len(batch):
                    rows = range(first, first + len(batch))
                    yield RowBatch(rows, texts, ids, more, file=self.number, groups=own)
                first += len(batch)
        note_mended(self, mended)

    def _read_batches(
        self, content: IO[bytes], names: Sequence[str]
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield batches with these columns or paths, and with their numbers."""
        with self._explain():
            schema = _Batches(content).schema
            content.seek(0)
            tops = [find_keys(schema.names, name)[0] for name in names]
            wanted = sorted({schema.names.index(name) for name in tops})
            batches = iter(_Batches(content, wanted))
        for number in range(1 << 62):
            with self._explain(number):
                batch, _ = next(batches, (None, None))
            if batch is None:
                return
            yield number, batch

    def gather(self, rows: NDArray[np.int64]) -> Iterator[RowBatch]:
        """Yield some rows again."""
        import numpy as np

        assert self.columns is not None
        name = self.columns.text
        first = 0
        with self._open() as content:
            for number, batch in self._read_batches(content, [name]):
                start, stop = np.searchsorted(rows, (first, first + len(batch)))
                if stop > start:
                    some = rows[start:stop]
                    with self._explain(number):
                        texts = take_texts(batch, name)[0].take(cast("Any", some - first))
                    yield RowBatch(some.tolist(), texts, file=self.number)
                if stop == len(rows):
                    return
                first += len(batch)

    def check(self) -> None:
        """Raise if one of the columns of one of the batches cannot be read."""
        with self._open() as content:
            for _ in self._all_batches(content):
                pass

    def _all_batches(
        self, content: IO[bytes]
    ) -> Iterator[tuple[int, pa.RecordBatch, pa.KeyValueMetadata | None]]:
        with self._explain():
            batches = iter(_Batches(content))
        for number in range(1 << 62):
            with self._explain(number):
                batch, metadata = next(batches, (None, None))
            if batch is None:
                return
            yield number, batch, metadata

    def write(
        self,
        out: IO[bytes],
        verdicts: Verdicts,
        annotations: pa.Schema | None,
        room: int,
        edits: RowEdits | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Write a file or a stream as the source is one; a batch for each that has rows left."""
        first = 0
        with self._open() as content:
            with self._explain():
                codec = find_codec(content)
                content.seek(0)
                source = _Batches(content)
                content.seek(0)
            schema = source.schema
            for field in annotations or ():
                schema = schema.append(field)
            with _open_writer(out, source, schema, codec) as writer:
                for number, batch, metadata in self._all_batches(content):
                    stop = first + len(batch)
                    if annotations is None:
                        mask = verdicts.kept(self.number, first, stop)
                        if len(mask) != len(batch):
                            yield len(batch), 0  # the file has grown; the caller will see it
                            return
                        if edits is not None:
                            with self._explain(number):
                                batch = edit_batch(batch, self, edits, first)
                        kept = filter_batch(batch, mask)
                    else:
                        added = verdicts.annotations(self.number, first, stop)
                        kept = [annotate_batch(batch, added, schema)]
                    for part in _as_one(kept):
                        writer.write_batch(part, metadata)
                    yield stop - first, sum(map(len, kept))
                    first = stop


class _Batches:
    """The batches of a file or a stream, checked, with some or all of the columns.

    What a file says of itself is not trusted: where offsets led out of a column, Arrow would read
    what is not there.
    """

    def __init__(self, content: IO[bytes], columns: Sequence[int] | None = None) -> None:
        from pyarrow import ipc

        options: Any = ipc.IpcReadOptions(included_fields=list(columns or ()))
        self.is_file = content.read(len(_FILE)) == _FILE
        content.seek(0)
        opened: Any = ipc.open_file if self.is_file else ipc.open_stream
        self._reader: Any = opened(content, options=options)
        self.schema: pa.Schema = self._reader.schema
        self.metadata = self._reader.metadata if self.is_file else None

    def __iter__(self) -> Iterator[tuple[pa.RecordBatch, pa.KeyValueMetadata | None]]:
        import pyarrow as pa

        for batch, metadata in self._read():
            for column in batch.columns:
                # Strings may claim to be UTF-8 when they are not; texts are mended.
                bytes_ = _BYTES.get(str(column.type))
                checked = column if bytes_ is None else column.view(getattr(pa, bytes_)())
                checked.validate(full=True)
            batch.validate()
            yield batch, metadata

    def _read(self) -> Iterator[tuple[pa.RecordBatch, pa.KeyValueMetadata | None]]:
        if self.is_file:
            for number in range(self._reader.num_record_batches):
                yield self._reader.get_batch_with_custom_metadata(number)
            return
        with contextlib.suppress(StopIteration):
            while True:
                yield self._reader.read_next_batch_with_custom_metadata()


def _as_one(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Return the rows in one batch, if Arrow can do that."""
    import pyarrow as pa

    arrow: Any = pa
    try:
        return [arrow.concat_batches(batches)] if len(batches) > 1 else batches
    except pa.ArrowNotImplementedError:
        return batches


def _open_writer(out: IO[bytes], source: _Batches, schema: pa.Schema, codec: str | None) -> Any:
    from pyarrow import ipc

    options: Any = ipc.IpcWriteOptions(compression=cast("Any", codec), emit_dictionary_deltas=True)
    if source.is_file:
        metadata = {"metadata": source.metadata} if source.metadata else {}
        return ipc.new_file(cast("Any", out), schema, options=options, **metadata)
    return ipc.new_stream(cast("Any", out), schema, options=options)
