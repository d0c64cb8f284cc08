"""Parquet written back: all columns, row group by row group, coded and packed as they were.

A file of which nothing is removed or changed is copied as it is, once all of it could be read.

Limitations: row groups are as large as in the source less the rows left out, but cut where their
rows take more than `GROUP_BYTES`: the memory to write one must not depend on the file, and the
bytes that are written must not depend on the memory. Encryption and Bloom filters are not kept, and
the level of compression is Arrow's own.
"""

from __future__ import annotations

import shutil
from typing import IO, TYPE_CHECKING, Any

from likewise.documents.stream import BLOCK
from likewise.documents.tables.nested import take_texts, with_texts
from likewise.documents.tables.read_ahead import ReadAhead

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.parquet import ParquetFile, ParquetWriter

    from likewise.documents.tables.parquet import Parquet
    from likewise.documents.tables.table import RowEdits, Table, Verdicts

# Of the rows of a row group, as Arrow has them in memory.
GROUP_BYTES = 64 << 20
# What a file takes of memory while it is written: the rows of a group, and those read ahead.
MIN_WRITER_BYTES = GROUP_BYTES + 8 * BLOCK
WRITER_BYTES = 2 * GROUP_BYTES + 8 * BLOCK
# A value of more bytes than this was not stored by its number in a dictionary.
_CODED_BYTES = 32


def write_parquet(
    source: Parquet,
    out: IO[bytes],
    verdicts: Verdicts,
    annotations: pa.Schema | None,
    room: int,
    edits: RowEdits | None = None,
) -> Iterator[tuple[int, int]]:
    """Write a table; yield how many rows were read and written, as it goes.

    With less than `WRITER_BYTES` of `room` in memory, fewer rows are read ahead.
    """
    ahead = max(1, (min(room, WRITER_BYTES) - MIN_WRITER_BYTES) // BLOCK)
    if annotations is None and _is_kept_whole(source, verdicts, edits):
        yield from _copy(source, out)
        return
    with source.open_file() as file:
        with source.explain():
            schema = file.schema_arrow
        whole = schema
        for field in annotations or ():
            whole = whole.append(field)
        with _open_writer(source, file, whole, out) as writer:
            waiting: list[pa.RecordBatch] = []
            size = 0
            changed = _changed(
                source, file, verdicts, None if annotations is None else whole, edits
            )
            for kept, read, last in ReadAhead(changed, ahead):
                waiting.extend(kept)
                size += sum(map(_bytes, kept))
                if waiting and (last or size >= GROUP_BYTES):
                    _write_group(writer, waiting)
                    waiting, size = [], 0
                yield read, sum(map(len, kept))


def _changed(
    source: Parquet,
    file: ParquetFile,
    verdicts: Verdicts,
    annotated: pa.Schema | None,
    edits: RowEdits | None,
) -> Iterator[tuple[list[pa.RecordBatch], int, bool]]:
    """Yield what is to be written of each batch, how many rows it had, and whether it ends its row
    group. `annotated` is the schema with annotations."""
    first = 0
    for batch, last in _batches(source, file):
        stop = first + len(batch)
        if annotated is None:
            mask = verdicts.kept(source.number, first, stop)
            if len(mask) != len(batch):
                yield [], len(batch), False  # the file has grown; the caller will see it
                return
            if edits is not None:
                with source.explain():
                    batch = edit_batch(batch, source, edits, first)
            yield filter_batch(batch, mask), len(batch), last
        else:
            added = verdicts.annotations(source.number, first, stop)
            yield [annotate_batch(batch, added, annotated)], len(batch), last
        first = stop


def _batches(source: Parquet, file: ParquetFile) -> Iterator[tuple[pa.RecordBatch, bool]]:
    """Yield all batches, and whether each ends its row group."""
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        for batch in source.read_group(file, group, None):
            rows -= len(batch)
            yield batch, rows == 0


def _is_kept_whole(source: Parquet, verdicts: Verdicts, edits: RowEdits | None) -> bool:
    """Whether nothing of a file that is not packed is removed or changed."""
    count = verdicts.count(source.number)
    return (
        source.origin.compression is None
        and (edits is None or not len(edits.rows(source.number, 0, count)))
        and bool(verdicts.kept(source.number, 0, count).all())
    )


def _copy(source: Parquet, out: IO[bytes]) -> Iterator[tuple[int, int]]:
    """Copy a file after reading all of it: what is damaged must not be passed on."""
    with source.open_file() as file:
        for batch, _ in _batches(source, file):
            yield len(batch), len(batch)
    with source.open_seekable() as content:
        shutil.copyfileobj(content, out, BLOCK)


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
