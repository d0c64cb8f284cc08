"""Parquet written back: all columns, row group by row group, coded and packed as they were.

Limitations: row groups are as large as in the source less the rows left out, but cut where they
would not fit into the memory that is allowed. Encryption and Bloom filters are not kept, and the
level of compression is Arrow's own.
"""

from __future__ import annotations

from queue import Queue
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Any

from likewise.documents.tables.nested import take_texts, with_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.parquet import ParquetFile, ParquetWriter

    from likewise.documents.tables.parquet import Parquet
    from likewise.documents.tables.table import RowEdits, Table, Verdicts

_AHEAD = 4
# A value of more bytes than this was not stored by its number in a dictionary.
_CODED_BYTES = 32


def write_parquet(
    source: Parquet,
    out: IO[bytes],
    verdicts: Verdicts,
    annotations: pa.Schema | None,
    group_bytes: int,
    edits: RowEdits | None = None,
) -> Iterator[tuple[int, int]]:
    """Write a table; yield how many rows were read and written, as it goes."""
    with source.open_file() as file:
        with source.explain():
            schema = file.schema_arrow
        whole = schema
        for field in annotations or ():
            whole = whole.append(field)
        with _open_writer(source, file, whole, out) as writer:
            waiting: list[pa.RecordBatch] = []
            size = first = 0
            for batch, last in _read_ahead(source, file):
                stop = first + len(batch)
                if annotations is None:
                    mask = verdicts.kept(source.number, first, stop)
                    if len(mask) != len(batch):
                        yield len(batch), 0  # the file has grown; the caller will see it
                        return
                    if edits is not None:
                        with source.explain():
                            batch = edit_batch(batch, source, edits, first)
                    kept = filter_batch(batch, mask)
                else:
                    added = verdicts.annotations(source.number, first, stop)
                    kept = [annotate_batch(batch, added, whole)]
                waiting.extend(kept)
                size += sum(map(_bytes, kept))
                if waiting and (last or size >= group_bytes):
                    _write_group(writer, waiting)
                    waiting, size = [], 0
                yield len(batch), sum(map(len, kept))
                first = stop


def _bytes(batch: pa.RecordBatch) -> int:
    import pyarrow as pa

    try:
        return batch.nbytes
    except pa.ArrowTypeError:  # string views before Arrow 24
        return batch.get_total_buffer_size()


def filter_batch(batch: pa.RecordBatch, mask: NDArray[np.bool_]) -> list[pa.RecordBatch]:
    """Return the rows that are kept, in one batch if Arrow can do that."""
    import numpy as np
    import pyarrow as pa

    if mask.all():
        return [batch]
    try:
        kept = batch.filter(pa.array(mask))
        return [kept] if len(kept) else []
    except pa.ArrowNotImplementedError:
        # Not for columns of every type; but any run of rows can be cut out.
        edges = np.flatnonzero(np.diff(mask, prepend=False, append=False)).tolist()
        runs = zip(edges[::2], edges[1::2], strict=True)
        return [batch.slice(start, stop - start) for start, stop in runs]


def edit_batch(batch: pa.RecordBatch, source: Table, edits: RowEdits, first: int) -> pa.RecordBatch:
    """Return the rows, of which the first has the number `first`, with their new texts."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = edits.rows(source.number, first, first + len(batch))
    if not len(rows):
        return batch
    assert source.columns is not None
    name = source.columns.text
    texts, _ = take_texts(batch, name)
    old: Any = texts.take(pa.array(rows - first, pa.int64())).to_pylist()
    own = edits.edited(source.number, rows, old)
    mask = np.zeros(len(batch), np.bool_)
    mask[rows - first] = True
    compute: Any = pc
    changed = compute.replace_with_mask(texts, mask, pa.array(own, texts.type))
    return with_texts(batch, name, changed)


def annotate_batch(
    batch: pa.RecordBatch, added: pa.RecordBatch, schema: pa.Schema
) -> pa.RecordBatch:
    """Return the rows with further columns, in a schema that has both."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([*batch.columns, *added.columns], schema=schema)


def _write_group(writer: ParquetWriter, batches: list[pa.RecordBatch]) -> None:
    import pyarrow as pa

    rows = pa.Table.from_batches(batches)
    # One row group: chunks of a dictionary column may each have a dictionary of their own.
    writer.write_table(rows, row_group_size=max(1, len(rows)))


def _read_ahead(source: Parquet, file: ParquetFile) -> Iterator[tuple[pa.RecordBatch, bool]]:
    """Yield all batches, and whether each ends its row group; the next ones are read meanwhile."""
    queue: Queue[tuple[pa.RecordBatch, bool] | BaseException | None] = Queue(_AHEAD)
    given_up = Event()

    def read() -> None:
        try:
            for group in range(file.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                for batch in source.read_group(file, group, None):
                    rows -= len(batch)
                    queue.put((batch, rows == 0))
                    if given_up.is_set():
                        return
            queue.put(None)
        except BaseException as error:
            queue.put(error)

    reader = Thread(target=read, name="rows-ahead", daemon=True)
    reader.start()
    try:
        while (item := queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        given_up.set()
        while reader.is_alive():
            while not queue.empty():
                queue.get()
            reader.join(0.01)


def _open_writer(
    source: Parquet, file: ParquetFile, schema: pa.Schema, out: IO[bytes]
) -> ParquetWriter:
    from pyarrow import parquet

    facts = file.metadata
    options: dict[str, Any] = {}
    if facts.num_row_groups:
        chunks = source.column_chunks(file, 0)
        added = schema.names[len(file.schema_arrow) :]
        with source.explain(0):  # names that are not UTF-8
            options = _options(chunks, source.columns.text if source.columns else "", added)
        if sorting := facts.row_group(0).sorting_columns:
            options["sorting_columns"] = sorting
    metadata = facts.metadata or {}
    return parquet.ParquetWriter(
        out,
        schema,
        store_schema=b"ARROW:schema" in metadata,
        write_batch_size=1024,
        **options,
    )


def _options(chunks: list[Any], text: str, added: list[str]) -> dict[str, Any]:
    """Return how the columns are to be written, by how those of the first row group are."""
    codecs = {chunk.path_in_schema: _codec(chunk.compression) for chunk in chunks}
    usual = codecs.get(text, next(iter(codecs.values()), "NONE"))
    coded = [chunk.path_in_schema for chunk in chunks if _is_coded(chunk)]
    return {
        "compression": codecs | dict.fromkeys(added, usual),
        "use_dictionary": [*coded, *added],
        "use_deprecated_int96_timestamps": any(chunk.physical_type == "INT96" for chunk in chunks),
        "use_compliant_nested_type": not any(
            ".list." in chunk.path_in_schema and ".list.element" not in chunk.path_in_schema
            for chunk in chunks
        ),
        "write_page_index": any(chunk.has_column_index for chunk in chunks),
        "write_statistics": [chunk.path_in_schema for chunk in chunks if chunk.is_stats_set]
        + added,
    }


def _codec(name: str) -> str:
    return "NONE" if name == "UNCOMPRESSED" else name


def _is_coded(chunk: Any) -> bool:
    if not chunk.has_dictionary_page:
        return False
    # A dictionary that grew too large was given up: to try again would be a waste.
    return bool(chunk.total_uncompressed_size <= _CODED_BYTES * max(1, chunk.num_values))
