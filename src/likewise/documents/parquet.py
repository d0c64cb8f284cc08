"""One document a row of Parquet.

Limitations: a packed file (`.parquet.gz`) is unpacked into a temporary file first, since Parquet is
read from its end.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from likewise.documents.columns import ID_NAME, Columns, choose_columns
from likewise.documents.origin import Origin
from likewise.documents.reading import Piece, Reading
from likewise.documents.stream import BLOCK, read_blocks
from likewise.documents.texts import sound_array
from likewise.errors import ColumnError, SourceError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

# Dictionary-coded columns are larger in memory than their row group admits.
_MOST_ROWS = 65536


def read_parquet(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the rows' texts; rows without a text or an id are skipped."""
    import pyarrow as pa

    with _open_seekable(origin, reading) as file:
        try:
            yield from _read_file(file, origin, reading)
        except (pa.ArrowException, OSError) as error:
            raise SourceError(
                f"{origin.name}: damaged, or not Parquet: {str(error).splitlines()[0]}",
                hint="make or download the file again; it may have been cut short",
            ) from error


def _open_seekable(origin: Origin, reading: Reading) -> IO[bytes]:
    if origin.compression is None and origin.path is not None and origin.size is not None:
        try:
            return open(origin.path, "rb")
        except OSError as error:
            raise SourceError(f"{origin.name}: cannot be read: {error.strerror}") from error
    unpacked: IO[bytes] = tempfile.TemporaryFile()
    try:
        for block in read_blocks(origin, reading):
            unpacked.write(block)
    except BaseException:
        unpacked.close()
        raise
    unpacked.seek(0)
    return unpacked


def _read_file(file: IO[bytes], origin: Origin, reading: Reading) -> Iterator[Piece]:
    from pyarrow import parquet

    # Without pre-buffering and with a buffer, column chunks are read in parts and not as a whole.
    table = parquet.ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
    columns = _find_columns(table.schema_arrow, origin, reading)
    wanted = [columns.text] if columns.id is None else [columns.text, columns.id]
    start = 0
    for group in range(table.num_row_groups):
        rows = _rows_at_a_time(table, group, columns.text)
        for batch in table.iter_batches(rows, row_groups=[group], columns=wanted):
            yield _make_piece(batch, start, columns, origin, reading)
            start += len(batch)
        if origin.compression is None:
            reading.position = file.tell()


def _find_columns(schema: pa.Schema, origin: Origin, reading: Reading) -> Columns:
    found = {field.name: _is_string(field.type) for field in schema}
    columns = choose_columns(origin, found, reading)
    if columns.id is None or _is_id(schema.field(columns.id).type):
        return columns
    type_ = schema.field(columns.id).type
    if reading.id is None:
        # Nobody asked for it, so rows are numbered rather than the file refused.
        reading.note(origin, f"column {ID_NAME!r} is of type {type_}; rows are numbered instead")
        return Columns(columns.text, None)
    raise ColumnError(
        f"{origin.name}: column {columns.id!r} is of type {type_}, and an id must be a string or "
        "a whole number",
        hint="name another column with --id, or leave --id out to number the rows",
    )


def _is_string(type_: pa.DataType) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(type_):
        type_ = type_.value_type
    return bool(
        pa.types.is_string(type_)
        or pa.types.is_large_string(type_)
        or pa.types.is_string_view(type_)
    )


def _is_id(type_: pa.DataType) -> bool:
    import pyarrow as pa

    return _is_string(type_) or bool(pa.types.is_integer(type_))


def _rows_at_a_time(table: ParquetFile, group: int, column: str) -> int:
    """Return how many rows of this row group make about a block of text."""
    facts = table.metadata.row_group(group)
    chunks = (facts.column(at) for at in range(facts.num_columns))
    size = sum(
        chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema == column
    )
    return max(1, min(_MOST_ROWS, BLOCK * facts.num_rows // max(size, 1)))


def _make_piece(
    batch: pa.RecordBatch, start: int, columns: Columns, origin: Origin, reading: Reading
) -> Piece:
    import pyarrow as pa
    import pyarrow.compute as pc

    texts, mended = sound_array(batch.column(batch.schema.get_field_index(columns.text)))
    if mended:
        reading.note(origin, f"{mended} texts are not valid utf-8, and read with U+FFFD")
    good = texts.is_valid()
    ids: pa.LargeStringArray | None = None
    if columns.id is not None:
        column = batch.column(batch.schema.get_field_index(columns.id))
        ids, _ = sound_array(column if _is_string(column.type) else column.cast(pa.string()))
        good = pc.and_(good, pc.fill_null(pc.not_equal(ids, ""), False))
    if good.true_count == len(batch):
        return Piece(texts, range(start, start + len(batch)), ids and ids.to_pylist())
    numbers = array("q")
    for number, (is_good, has_text) in enumerate(
        zip(good.to_pylist(), texts.is_valid().to_pylist(), strict=True), start
    ):
        if is_good:
            numbers.append(number)
        elif has_text:
            reading.skip(origin, number, f"no id ({columns.id!r} is null or empty)")
        else:
            reading.skip(origin, number, f"no text ({columns.text!r} is null)")
    return Piece(texts.filter(good), numbers, ids and ids.filter(good).to_pylist())
