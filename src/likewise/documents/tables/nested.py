"""Values inside a row of Parquet or Arrow: structs and lists, by the same paths as in `fields`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from likewise.documents.tables.fields import join_texts
from likewise.documents.texts import is_string, sound_array, text_array_with_nulls

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


def find_keys(names: Sequence[str], name: str) -> list[str]:
    """Return the column and the fields that a name stands for; a column of that name comes first.

    >>> find_keys(["a", "a.b"], "a.b"), find_keys(["a"], "a.b")
    (['a.b'], ['a', 'b'])
    """
    return [name] if name in names else name.split(".")


def find_type(schema: pa.Schema, name: str) -> pa.DataType | None:
    """Return the type of a column or field, with a list around it for each that it is in; or None
    where there is none, or several."""
    import pyarrow as pa

    column, *keys = find_keys(schema.names, name)
    if schema.names.count(column) != 1:
        return None
    type_: pa.DataType | None = schema.field(column).type
    lists = 0
    for key in keys:
        while type_ is not None and is_list(type_):
            type_, lists = cast("Any", type_).value_type, lists + 1
        at = type_.get_field_index(key) if isinstance(type_, pa.StructType) else -1
        type_ = None if at < 0 else cast("Any", type_).field(at).type
    while lists and type_ is not None:
        type_, lists = pa.large_list(type_), lists - 1
    return type_


def is_list(type_: pa.DataType) -> bool:
    """Whether values of this type are lists; maps are none."""
    import pyarrow as pa

    return bool(
        pa.types.is_list(type_)
        or pa.types.is_large_list(type_)
        or pa.types.is_fixed_size_list(type_)
        or pa.types.is_list_view(type_)
        or pa.types.is_large_list_view(type_)
    )


def has_texts(type_: pa.DataType | None) -> bool:
    """Whether values of this type are strings, lists of strings, or always null."""
    import pyarrow as pa

    while type_ is not None and is_list(type_):
        type_ = cast("Any", type_).value_type
    return type_ is not None and (is_string(type_) or bool(pa.types.is_null(type_)))


def readable_name(schema: pa.Schema, name: str) -> str:
    """Return what is to be read of a Parquet file: a path as far as it leads through structs."""
    import pyarrow as pa

    column, *keys = find_keys(schema.names, name)
    read, type_ = [column], schema.field(column).type
    for key in keys:
        if not isinstance(type_, pa.StructType):
            break
        read.append(key)
        type_ = type_.field(key).type
    return ".".join(read)


def take_column(batch: pa.RecordBatch, name: str) -> pa.Array[Any]:
    """Return a column, or a field of structs, null where a struct is."""
    column, *keys = find_keys(batch.schema.names, name)
    values = batch.column(column)
    return _field(values, keys) if keys else values


def _field(values: pa.Array[Any], keys: Sequence[str]) -> pa.Array[Any]:
    import pyarrow.compute as pc

    compute: Any = pc
    return cast("pa.Array[Any]", compute.struct_field(values, list(keys)))


def take_texts(batch: pa.RecordBatch, name: str) -> tuple[pa.LargeStringArray, int]:
    """Return a column of texts, and how many of them were mended; those of a list are joined."""
    column, *keys = find_keys(batch.schema.names, name)
    return _texts(batch.column(column), keys)


def _texts(values: pa.Array[Any], keys: Sequence[str]) -> tuple[pa.LargeStringArray, int]:
    import pyarrow as pa

    if is_list(values.type):
        return _join(values, keys)
    if not keys:
        return sound_array(values)
    if pa.types.is_null(values.type):
        return pa.nulls(len(values), pa.large_string()), 0
    return _texts(_field(values, keys[:1]), keys[1:])


def _join(lists: Any, keys: Sequence[str]) -> tuple[pa.LargeStringArray, int]:
    """Join the texts of each list."""

    if not len(lists):
        return text_array_with_nulls([]), 0
    starts, ends = _ranges(lists)
    first, last = int(starts.min()), int(ends.max())
    texts, mended = _texts(lists.values.slice(first, last - first), keys)
    parts = texts.to_pylist()
    joined = [
        join_texts(parts[start - first : end - first]) if valid else None
        for start, end, valid in zip(
            starts.tolist(), ends.tolist(), lists.is_valid().to_pylist(), strict=True
        )
    ]
    return text_array_with_nulls(joined), mended


def _ranges(lists: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the elements of each list are in its values."""
    import numpy as np
    import pyarrow as pa

    if pa.types.is_fixed_size_list(lists.type):
        size = lists.type.list_size
        starts = (np.arange(len(lists), dtype=np.int64) + lists.offset) * size
        return starts, starts + size
    offsets = lists.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
    if pa.types.is_list_view(lists.type) or pa.types.is_large_list_view(lists.type):
        sizes = lists.sizes.to_numpy(zero_copy_only=False).astype(np.int64)
        valid = np.asarray(lists.is_valid())
        starts = np.where(valid, offsets, 0)
        return starts, np.where(valid, offsets + sizes, 0)
    return offsets[:-1], offsets[1:]


def with_texts(batch: pa.RecordBatch, name: str, texts: pa.Array[Any]) -> pa.RecordBatch:
    """Return the batch with other texts in a column, or in a field of structs."""
    column, *keys = find_keys(batch.schema.names, name)
    at = batch.schema.get_field_index(column)
    return batch.set_column(at, batch.schema.field(at), _replace(batch.column(at), keys, texts))


def _replace(values: Any, keys: Sequence[str], texts: pa.Array[Any]) -> pa.Array[Any]:
    import pyarrow as pa

    if not keys:
        return cast("pa.Array[Any]", texts.cast(values.type))
    at = values.type.get_field_index(keys[0])
    fields = [values.field(number) for number in range(values.type.num_fields)]
    fields[at] = _replace(fields[at], keys[1:], texts)
    own: Any = pa.StructArray.from_arrays(
        fields, fields=list(values.type), mask=values.is_null() if values.null_count else None
    )
    return cast("pa.Array[Any]", own)
