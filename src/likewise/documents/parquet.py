"""One document a row of Parquet.

Limitations: a packed file (`.parquet.gz`) is unpacked into a temporary file first, since Parquet is
read from its end.
"""

from __future__ import annotations

import contextlib
import tempfile
from array import array
from typing import IO, TYPE_CHECKING, Any

from likewise.documents.columns import ID_NAME, Columns, choose_columns
from likewise.documents.reading import Piece, Reading
from likewise.documents.stream import BLOCK, read_blocks
from likewise.documents.texts import sound_array
from likewise.errors import ColumnError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    from likewise.documents.origin import Origin

# Dictionary-coded columns are larger in memory than their row group admits.
_MOST_ROWS = 65536


def read_parquet(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the rows' texts; rows without a text or an id are skipped."""
    import pyarrow as pa

    with open_seekable(origin, reading) as file:
        try:
            yield from _read_file(file, origin, reading)
        except (pa.ArrowException, OSError) as error:
            raise SourceError(
                f"{origin.name}: damaged, or not Parquet: {str(error).partition(chr(10))[0]}",
                hint="create or download the file again; it may be truncated",
            ) from error


def open_seekable(origin: Origin, reading: Reading) -> IO[bytes]:
    if origin.compression is None and origin.path is not None and origin.size is not None:
        try:
            return open(origin.path, "rb")
        except OSError as error:
            raise SourceError(f"{origin.name}: cannot be read: {error.strerror}") from error
    with contextlib.ExitStack() as stack:
        unpacked = stack.enter_context(tempfile.TemporaryFile())
        for block in read_blocks(origin, reading):
            unpacked.write(block)
        unpacked.seek(0)
        stack.pop_all()  # it is whole: the caller closes it
    return unpacked


def _read_file(file: IO[bytes], origin: Origin, reading: Reading) -> Iterator[Piece]:
    from pyarrow import parquet

    # Without pre-buffering and with a buffer, column chunks are read in parts and not as a whole.
    table = parquet.ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
    columns = _find_columns(table.schema_arrow, origin, reading)
    wanted = [columns.text] if columns.id is None else [columns.text, columns.id]
    start = mended = 0
    for group in range(table.num_row_groups):
        rows = rows_at_a_time(table, group, columns.text)
        for batch in table.iter_batches(rows, row_groups=[group], columns=wanted):
            texts, damaged = sound_array(batch.column(columns.text))
            ids = None if columns.id is None else _list_ids(batch.column(columns.id))
            mended += damaged
            yield _make_piece(texts, ids, start, columns, origin, reading)
            start += len(batch)
            reading.position = (origin.size or 0) * start // table.metadata.num_rows
    if mended:
        reading.note(origin, f"{mended} texts are not valid utf-8, and read with U+FFFD")


def _find_columns(schema: pa.Schema, origin: Origin, reading: Reading) -> Columns:
    found = {field.name: is_string(field.type) for field in schema}
    columns = choose_columns(origin, found, reading)
    for name in (columns.text, columns.id or columns.text):
        if schema.names.count(name) > 1:
            raise ColumnError(
                f"{origin.name}: {schema.names.count(name)} columns are called {name!r}",
                hint="name another column, or rename one of them",
            )
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
        hint="name another column with --id, or omit --id to number the rows",
    )


def is_string(type_: pa.DataType) -> bool:
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

    return is_string(type_) or bool(pa.types.is_integer(type_))


def rows_at_a_time(table: ParquetFile, group: int, column: str) -> int:
    """Return how many rows of this row group make about a block of text."""
    facts = table.metadata.row_group(group)
    chunks = (facts.column(at) for at in range(facts.num_columns))
    size = sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema == column)
    return max(1, min(_MOST_ROWS, BLOCK * facts.num_rows // max(size, 1)))


def _make_piece(
    texts: pa.LargeStringArray,
    ids: list[str] | None,
    start: int,
    columns: Columns,
    origin: Origin,
    reading: Reading,
) -> Piece:
    """Leave out the rows that have no text or no id, and list them."""
    if texts.null_count == 0 and (ids is None or all(ids)):
        return Piece(texts, range(start, start + len(texts)), ids)
    kept: list[int] = []
    for at, has_text in enumerate(texts.is_valid().to_pylist()):
        if not has_text:
            reading.skip(origin, start + at, f"no text ({columns.text!r} is null)")
        elif ids is not None and not ids[at]:
            reading.skip(origin, start + at, f"no id ({columns.id!r} is null or empty)")
        else:
            kept.append(at)
    return Piece(
        texts.take(kept),
        array("q", [start + at for at in kept]),
        None if ids is None else [ids[at] for at in kept],
    )


def _list_ids(column: pa.Array[Any]) -> list[str]:
    """Return ids as strings, "" for those that are null."""
    import pyarrow as pa

    ids, _ = sound_array(column if is_string(column.type) else column.cast(pa.string()))
    return [id_ or "" for id_ in ids.to_pylist()]
