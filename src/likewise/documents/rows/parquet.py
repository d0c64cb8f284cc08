"""One row a row of Parquet. Only the columns that are asked for are read."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from likewise.documents.columns import ID_NAME, Columns, choose_columns
from likewise.documents.parquet import is_string, open_seekable
from likewise.documents.rows.batch import RowBatch, RowTexts
from likewise.documents.rows.values import can_be_id, id_strings
from likewise.documents.stream import BLOCK
from likewise.documents.texts import sound_array
from likewise.errors import ColumnError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.parquet import ParquetFile

    from likewise.documents.rows.file import RowFile
    from likewise.documents.rows.reading import RowReading

_MOST_ROWS = 65536
# A value that is stored once may stand in every row: such columns are larger than they admit.
_MOST_CODED_ROWS = 1024


@contextlib.contextmanager
def open_parquet(file: RowFile, reading: RowReading) -> Iterator[ParquetFile]:
    """Open a file; raise `SourceError` that names it where it is damaged."""
    from pyarrow import parquet

    with open_seekable(file.origin, reading) as content:
        with explain(file):
            # Without pre-buffering and with a buffer, column chunks are read in parts.
            table = parquet.ParquetFile(content, pre_buffer=False, buffer_size=1 << 20)
        yield table


@contextlib.contextmanager
def explain(file: RowFile, group: int | None = None) -> Iterator[None]:
    """Raise what Arrow raises as a `SourceError` that names the file and the row group."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        what = "damaged, or not Parquet" if group is None else f"row group {group} is damaged"
        raise SourceError(
            f"{file.name}: {what}: {reason}",
            hint="create or download the file again; it may be truncated",
        ) from error


def open_table(file: RowFile, reading: RowReading) -> None:
    """Read the footer: columns, their types, and how many rows there are."""
    with open_parquet(file, reading) as table:
        schema = table.schema_arrow
        file.count = table.metadata.num_rows
    reading.refuse_reserved(file.origin, schema.names)
    file.columns = _find_columns(file, schema, reading)
    values = reading.values
    if values is not None:
        if schema.names.count(values.name) != 1:
            what = "no column" if values.name not in schema.names else "several columns"
            raise ColumnError(
                f"{file.name}: {what} {values.name!r}; it has "
                + ", ".join(map(repr, schema.names[:20])),
                hint="name one of these",
            )
        values.settle_type(file.origin, schema.field(values.name).type)


def _find_columns(file: RowFile, schema: pa.Schema, reading: RowReading) -> Columns:
    import pyarrow as pa

    # A column in which every row is null may have no type.
    found = {field.name: is_string(field.type) or field.type == pa.null() for field in schema}
    columns = choose_columns(file.origin, found, reading)
    for name in (columns.text, columns.id or columns.text):
        if schema.names.count(name) > 1:
            raise ColumnError(
                f"{file.name}: {schema.names.count(name)} columns are called {name!r}",
                hint="name another column, or rename one of them",
            )
    if columns.id is None or can_be_id(schema.field(columns.id).type):
        return columns
    type_ = schema.field(columns.id).type
    if reading.id is None:
        # Nobody asked for it, so rows go by their number rather than that the file is refused.
        reading.note(
            file.origin, f"column {ID_NAME!r} is of type {type_}; rows are numbered instead"
        )
        return Columns(columns.text, None)
    raise ColumnError(
        f"{file.name}: column {columns.id!r} is of type {type_}, which is no single value",
        hint="name another column with --id, or omit --id to number the rows",
    )


def read_rows(file: RowFile, reading: RowReading) -> Iterator[RowBatch]:
    """Yield all rows."""
    columns, values = file.columns, reading.values
    assert columns is not None
    names = [columns.text, columns.id, None if values is None else values.name]
    wanted = list(dict.fromkeys(filter(None, names)))
    first = mended = 0
    with open_parquet(file, reading) as table:
        for group in range(table.num_row_groups):
            for batch in read_group(file, table, group, wanted):
                with explain(file, group):
                    texts, damaged = sound_array(batch.column(columns.text))
                    ids = None if columns.id is None else id_strings(batch.column(columns.id))
                    more = None if values is None else values.from_column(batch.column(values.name))
                mended += damaged
                yield RowBatch(file.number, first, texts, ids, more)
                first += len(batch)
                reading.position = (file.origin.size or 0) * first // table.metadata.num_rows
    if mended and not reading.checking:
        reading.note(file.origin, f"{mended} texts are not valid utf-8, and read with U+FFFD")


def read_group(
    file: RowFile, table: ParquetFile, group: int, columns: Sequence[str] | None
) -> Iterator[pa.RecordBatch]:
    """Yield a row group in batches of some megabytes, with these columns or with all."""
    rows = _rows_at_a_time(table, group, columns)
    with explain(file, group):
        names = None if columns is None else list(columns)
        batches = table.iter_batches(rows, row_groups=[group], columns=names)
    count = 0
    while True:
        with explain(file, group):
            batch = next(batches, None)
        if batch is None:
            break
        count += len(batch)
        yield batch
    if count != table.metadata.row_group(group).num_rows:
        raise SourceError(f"{file.name}: row group {group} is damaged: it has {count} rows only")


def _rows_at_a_time(table: ParquetFile, group: int, columns: Sequence[str] | None) -> int:
    """Return how many rows of this row group make about a block."""
    facts = table.metadata.row_group(group)
    size = 0
    most = _MOST_ROWS
    for at in range(facts.num_columns):
        chunk = facts.column(at)
        if columns is None or any(
            f"{chunk.path_in_schema}.".startswith(f"{name}.") for name in columns
        ):
            size += chunk.total_uncompressed_size
            if chunk.physical_type == "BYTE_ARRAY" and chunk.has_dictionary_page:
                most = _MOST_CODED_ROWS
    return max(1, min(most, BLOCK * facts.num_rows // max(size, 1)))


def gather_rows(file: RowFile, rows: NDArray[np.int64], reading: RowReading) -> Iterator[RowTexts]:
    """Yield some rows again, from the row groups that have them."""
    import numpy as np

    assert file.columns is not None
    name = file.columns.text
    first = 0
    with open_parquet(file, reading) as table:
        for group in range(table.num_row_groups):
            count = table.metadata.row_group(group).num_rows
            if np.searchsorted(rows, first) == np.searchsorted(rows, first + count):
                first += count
                continue
            for batch in read_group(file, table, group, [name]):
                start, stop = np.searchsorted(rows, (first, first + len(batch)))
                if stop > start:
                    some = rows[start:stop]
                    with explain(file, group):
                        column: pa.Array[Any] = batch.column(name).take(some - first)
                        texts, _ = sound_array(column)
                    yield RowTexts(file.number, some, texts)
                first += len(batch)


def check_table(file: RowFile, reading: RowReading) -> None:
    """Raise if one of the columns of one of the row groups cannot be read."""
    with open_parquet(file, reading) as table:
        for group in range(table.num_row_groups):
            for _ in read_group(file, table, group, None):
                pass
