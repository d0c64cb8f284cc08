"""`Values`: a further column, by which rows can be ordered; and ids of any type as strings.

A column has one family over all files: numbers, true or false, strings, or times. Only then can its
values be compared.

Limitations: numbers of JSON and CSV are read as float64, so whole numbers beyond 2^53 may be taken
for equal; those of Parquet are exact, but for unsigned 64-bit ones, decimals, and among floats.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, Literal, cast

from likewise.documents.texts import (
    is_string,
    null_if_empty,
    scrub,
    sound_array,
    text_array_with_nulls,
)
from likewise.errors import ColumnError, SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from likewise.documents.origin import Origin

Family = Literal["numbers", "true or false", "strings", "times"]


class Values:
    """The column that is wanted, its family, and the one Arrow type of all its batches.

    Each file says what it holds (`settle`) before the first is read.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.family: Family | None = None
        self._first: Origin | None = None
        self._exact = True  # all numbers are whole and from Parquet
        self._nanoseconds = False

    def settle(self, origin: Origin, family: Family, *, exact: bool = False) -> None:
        """Note what the column of a file holds; raise `ColumnError` if it was other before."""
        if self.family is None:
            self.family, self._first = family, origin
        elif family != self.family:
            assert self._first is not None
            raise ColumnError(
                f"column {self.name!r} has {self.family} in {self._first.name} and {family} in "
                f"{origin.name}, which cannot be compared",
                hint="name another column, or give it one type",
            )
        self._exact = self._exact and exact

    def settle_type(self, origin: Origin, type_: pa.DataType) -> None:
        """Note the type of a Parquet column."""
        import pyarrow as pa

        if pa.types.is_dictionary(type_):
            type_ = type_.value_type
        if pa.types.is_null(type_):
            return
        if is_string(type_):
            self.settle(origin, "strings")
        elif pa.types.is_boolean(type_):
            self.settle(origin, "true or false", exact=True)
        elif pa.types.is_date(type_) or pa.types.is_timestamp(type_):
            self._nanoseconds = self._nanoseconds or getattr(type_, "unit", "") == "ns"
            self.settle(origin, "times", exact=True)
        elif pa.types.is_integer(type_):
            self.settle(origin, "numbers", exact=not pa.types.is_uint64(type_))
        elif pa.types.is_floating(type_) or pa.types.is_decimal(type_):
            self.settle(origin, "numbers")
        else:
            raise ColumnError(
                f"{origin.name}: column {self.name!r} is of type {type_}; it must contain numbers, "
                "strings, dates or times",
                hint="name another column",
            )

    @property
    def type(self) -> pa.DataType:
        """The type of all batches."""
        import pyarrow as pa

        if self.family == "strings":
            return pa.large_string()
        return pa.int64() if self._exact and self.family is not None else pa.float64()

    def nulls(self, count: int) -> pa.Array[Any]:
        """Return so many rows without a value."""
        import pyarrow as pa

        return cast("pa.Array[Any]", pa.nulls(count, cast("Any", self.type)))

    def from_column(self, column: pa.Array[Any]) -> pa.Array[Any]:
        """Return a Parquet column in the type of all batches."""
        import pyarrow as pa

        if pa.types.is_dictionary(column.type):
            column = cast("pa.DictionaryArray[Any, Any]", column).dictionary_decode()
        if pa.types.is_null(column.type):
            return self.nulls(len(column))
        if self.family == "strings":
            return sound_array(column)[0]
        if self.family == "times":
            column = column.cast(pa.timestamp("ns" if self._nanoseconds else "us"))
        elif pa.types.is_boolean(column.type):
            column = column.cast(pa.int8())
        # Not exact where it cannot be: whole numbers among floats.
        return _no_nan(column.cast(self.type, safe=self.type != pa.float64()))

    def from_strings(
        self, column: pa.Array[Any], origin: Origin, rows: Sequence[int]
    ) -> pa.Array[Any]:
        """Return fields of these rows of CSV in the type of all batches; empty is null."""
        import pyarrow as pa

        column = null_if_empty(sound_array(column)[0])
        if self.family == "strings":
            return column
        try:
            return _no_nan(as_numbers(column))
        except pa.ArrowInvalid:
            pass
        for at, value in enumerate(column.to_pylist()):
            try:
                as_numbers(text_array_with_nulls([value]))
            except pa.ArrowInvalid:
                raise SourceError(
                    f"{origin.name} {origin.place(rows[at])}: {self.name!r} is {value!r}, but "
                    "earlier rows have numbers",
                    hint="name another column, or fix this row",
                ) from None
        raise AssertionError("one of the values is not a number")

    def from_json(
        self, column: Sequence[object], origin: Origin, rows: Sequence[int]
    ) -> pa.Array[Any]:
        """Return values of these lines of JSON in the type of all batches."""
        import numpy as np
        import pyarrow as pa

        for at, value in enumerate(column):
            if value is not None and (found := json_family(value)) != self.family:
                raise SourceError(
                    f"{origin.name} {origin.place(rows[at])}: {self.name!r} is "
                    f"{json.dumps(value, ensure_ascii=False)[:80]}, but other rows have "
                    f"{self.family}" + ("" if found else "; lists and objects have no order"),
                    hint="name another column, or fix this row",
                )
        if self.family == "strings":
            return text_array_with_nulls(cast("Sequence[str | None]", column))
        numbers = np.array([_as_float(value) for value in column], np.float64)
        return _no_nan(pa.array(numbers)).cast(self.type, safe=False)


def json_family(value: object) -> Family | None:
    """Return what kind of value this is in JSON; None for what has no order."""
    if isinstance(value, str):
        return "strings"
    if isinstance(value, bool):
        return "true or false"
    return "numbers" if isinstance(value, int | float) else None


def _as_float(value: object) -> float:
    if value is None:
        return float("nan")
    try:
        return float(cast("float", value))
    except OverflowError:
        return float("inf") if cast("int", value) > 0 else float("-inf")


def as_numbers(column: pa.Array[Any]) -> pa.Array[Any]:
    """Return strings as numbers; raise `ArrowInvalid` where one is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return cast("pa.Array[Any]", pc.utf8_trim_whitespace(column).cast(pa.float64()))


def _no_nan(column: pa.Array[Any]) -> pa.Array[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(column.type):
        return column
    return cast("pa.Array[Any]", pc.if_else(pc.is_nan(column), None, column))


def can_be_id(type_: pa.DataType) -> bool:
    """Whether a column of this type can be written as strings."""
    import pyarrow as pa

    if pa.types.is_dictionary(type_):
        type_ = type_.value_type
    if isinstance(type_, pa.BaseExtensionType):
        type_ = type_.storage_type
    return not pa.types.is_nested(type_)


def is_binary(type_: pa.DataType) -> bool:
    """Whether values of this type are bytes."""
    import pyarrow as pa

    return bool(
        pa.types.is_binary(type_)
        or pa.types.is_large_binary(type_)
        or pa.types.is_binary_view(type_)
        or pa.types.is_fixed_size_binary(type_)
    )


def id_strings(column: pa.Array[Any]) -> pa.LargeStringArray:
    """Return ids of any type as strings; bytes as hexadecimal digits, UUIDs in their usual form."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = cast("pa.DictionaryArray[Any, Any]", column).dictionary_decode()
    if isinstance(column.type, pa.UuidType):
        return text_array_with_nulls(
            [None if v is None else str(_uuid(v)) for v in column.to_pylist()]
        )
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if is_string(column.type):
        return sound_array(column)[0]
    if is_binary(column.type):
        return text_array_with_nulls([None if v is None else v.hex() for v in column.to_pylist()])
    return cast("pa.LargeStringArray", column.cast(pa.large_string()))


def typed_ids(ids: pa.LargeStringArray, type_: pa.DataType | None) -> pa.Array[Any]:
    """Return ids, which `id_strings` gave, in the type they had; as strings, where they cannot."""
    import pyarrow as pa

    try:
        typed = cast("Any", ids) if type_ is None else _as_type(ids, type_)
        if type_ is not None and id_strings(typed).equals(ids):
            return cast("pa.Array[Any]", typed)
    except (pa.ArrowException, ValueError):  # no number, or a type that strings cannot be read as
        pass
    return cast("pa.Array[Any]", ids.cast(pa.string()))


def _as_type(ids: pa.LargeStringArray, type_: pa.DataType) -> Any:
    """Return what `id_strings` made strings of; raise what Arrow or Python raises."""
    import pyarrow as pa

    if isinstance(type_, pa.DictionaryType):
        coded = _as_type(ids, type_.value_type).dictionary_encode()
        places = coded.indices.cast(type_.index_type)
        return pa.DictionaryArray.from_arrays(places, coded.dictionary, ordered=type_.ordered)
    if isinstance(type_, pa.UuidType):
        values = [None if one is None else uuid.UUID(one).bytes for one in ids.to_pylist()]
        return pa.ExtensionArray.from_storage(type_, pa.array(values, type_.storage_type))
    if isinstance(type_, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(type_, _as_type(ids, type_.storage_type))
    if is_binary(type_):
        hexed = ids.to_pylist()
        return pa.array([None if one is None else bytes.fromhex(one) for one in hexed], type_)
    return ids.cast(cast("Any", type_))


def _uuid(value: object) -> uuid.UUID:
    return value if isinstance(value, uuid.UUID) else uuid.UUID(bytes=cast("bytes", value))


def json_id(value: object) -> str | None:
    """Return an id of JSON as a string; whole numbers without a fraction, whatever their type."""
    if value is None or type(value) is str:
        return None if value is None else scrub(value)
    if type(value) is float and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if type(value) is int else scrub(json.dumps(value, ensure_ascii=False))
