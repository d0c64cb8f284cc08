"""The columns of a table whose columns have types: Parquet and Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.documents.tables.columns import ID_NAME, Columns, choose_columns
from likewise.documents.tables.nested import find_type, has_texts, is_list
from likewise.documents.tables.values import can_be_id
from likewise.documents.texts import is_string
from likewise.errors import ColumnError

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.documents.tables.table import Table


def settle_columns(table: Table, schema: pa.Schema) -> None:
    """Choose the columns of a table, and check the further column that is wanted.

    Raises `ColumnError` or `UsageError`.
    """
    import pyarrow as pa

    reading = table.reading
    reading.refuse_reserved(table.origin, schema.names)
    # A column in which every row is null may have no type.
    found = {field.name: is_string(field.type) or field.type == pa.null() for field in schema}
    further = [one for one in (reading.values, reading.groups) if one is not None]
    nested = {}
    for name in (reading.text, reading.id, *(one.name for one in further)):
        if name is not None and not found.get(name) and (type_ := find_type(schema, name)):
            nested[name] = has_texts(type_)
    columns = choose_columns(table.origin, found, reading, nested)
    table.check_columns(columns, schema.names)
    id_type = None if columns.id is None else find_type(schema, columns.id)
    if id_type is not None and not can_be_id(id_type):
        columns, id_type = _without_id(table, columns, id_type), None
    table.columns = columns
    table.id_type = id_type
    text_type = find_type(schema, columns.text)
    table.joined = text_type is not None and is_list(text_type)
    table.check_values([*schema.names, *(name for name in nested if name not in found)])
    for one in further:
        if (type_ := find_type(schema, one.name)) is not None:
            one.settle_type(table.origin, type_)


def _without_id(table: Table, columns: Columns, type_: pa.DataType) -> Columns:
    if table.reading.id is not None:
        raise ColumnError(
            f"{table.name}: column {columns.id!r} is of type {type_}; an id must be one value",
            hint="name another column with `id`, or omit it to number the rows",
        )
    # Nobody asked for it, so rows are numbered rather than the file refused.
    message = f"column {ID_NAME!r} is of type {type_}; rows are numbered instead"
    table.reading.note(table.origin, message)
    return Columns(columns.text, None)


def note_mended(table: Table, mended: int) -> None:
    """Note how many texts were not valid UTF-8."""
    if mended:
        texts_are = "1 text is" if mended == 1 else f"{mended:,} texts are"
        message = f"{texts_are} not valid UTF-8; invalid bytes were replaced by U+FFFD"
        table.reading.note(table.origin, message)
