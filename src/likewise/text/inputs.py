"""Texts and ids as callers give them: lists, iterables, and columns of Arrow, pandas and polars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

import numpy as np

from likewise._core import Texts as TextViews
from likewise.errors import UsageError
from likewise.types import K

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.types import Ids, Texts, Tokens


V = TypeVar("V")

_STRINGS = "every text must be a str; of records, pass one field: [record['text'] for record in …]"


def column_of(texts: Texts | Tokens) -> list[Any] | pa.Array[Any] | pa.ChunkedArray[Any]:
    """Texts as a list or an Arrow column; nulls are still in it."""
    given: Any = _one_column(texts, "texts")
    if hasattr(given, "to_arrow"):
        given = given.to_arrow()
    if isinstance(given, list) or hasattr(given, "to_pylist"):
        column: list[Any] | pa.Array[Any] | pa.ChunkedArray[Any] = given
        return column
    return list(given.tolist() if hasattr(given, "tolist") else given)


def strings_of(texts: Texts) -> list[str]:
    """Texts as a list of str, "" for nulls."""
    column = column_of(texts)
    strings: list[Any] = column if isinstance(column, list) else list(column.to_pylist())
    if all(isinstance(text, str) for text in strings):
        return strings
    strings = _without_nulls(strings)
    for row, text in enumerate(strings):
        if not isinstance(text, str):
            raise UsageError(f"text {row} is not a str but {type(text).__name__}", hint=_STRINGS)
    return strings


def is_missing(value: object) -> bool:
    """None, and the NaN, NaT and NA that pandas has in its place."""
    if value is None or isinstance(value, str):
        return value is None
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # the truth of NA is not known; arrays have none
        return type(value).__name__ == "NAType"


class GivenIds(Sequence[K], Generic[K]):
    """The ids that a caller gave, and the type of their Arrow column, if they came as one."""

    def __init__(self, values: Sequence[K], type_: pa.DataType | None = None) -> None:
        self.values = values
        self.type = type_

    @cached_property
    def arrow_type(self) -> pa.DataType | None:
        """The type of a column of them."""
        import pyarrow as pa

        if self.type is not None or not self.are_row_numbers:
            return self.type or _arrow_type(self.values)
        return pa.int64()

    @property
    def are_row_numbers(self) -> bool:
        return isinstance(self.values, range)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return repr(self.values)

    @overload
    def __getitem__(self, at: int) -> K: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[K]: ...
    def __getitem__(self, at: int | slice) -> K | Sequence[K]:
        return self.values[at]


def ids_of(ids: Ids[K] | None, count: int, *, unique: bool = True) -> GivenIds[Any]:
    """The ids of `count` texts; their numbers from 0, if there are none.

    Raises `UsageError` if there are more or fewer, if one is null, and with `unique` if one comes
    twice.
    """
    if ids is None:
        return GivenIds(range(count))
    values, type_ = column_values(ids, "ids")
    if len(values) != count:
        raise UsageError(f"there are {len(values)} ids for {count} texts")
    if (null := _first_null(values)) is not None:
        raise UsageError(f"id {null} is null", hint="give every text an id, or no ids at all")
    if unique:
        _check_unique(values)
    return GivenIds(values, type_)


def id_strings(given: object) -> list[str]:
    """One id, or those of a collection or column, as an index stores them. Raises `UsageError` for
    a frame, a mapping and nulls, whose names and "nan" could be ids."""
    one = isinstance(given, (str, bytes)) or not isinstance(given, Iterable)
    values = [given] if one else column_values(given, "ids")[0]
    if (null := _first_null(values)) is not None:
        raise UsageError(f"id {null} is null", hint="leave nulls out")
    return list(map(str, values))


def column_values(column: Any, name: str) -> tuple[list[Any], pa.DataType | None]:
    """Ids or groups as values of Python, and the type of their Arrow column, if they are one."""
    given: Any = _one_column(column, name)
    if hasattr(given, "to_arrow"):
        given = given.to_arrow()
    listing = next((n for n in ("to_pylist", "tolist") if hasattr(given, n)), None)
    values: list[Any] = list(getattr(given, listing)() if listing else given)
    if isinstance(given, np.ndarray) and given.dtype.kind in "mM":
        values = list(given)  # in a list, those of nanoseconds would be int
    if any(issubclass(kind, np.generic) for kind in set(map(type, values))):
        values = list(map(_plain, values))
    return values, given.type if listing == "to_pylist" else None


def _first_null(values: Sequence[Any]) -> int | None:
    return next((row for row, value in enumerate(values) if is_missing(value)), None)


def _plain(value: Any) -> Any:
    """A value of NumPy as one of Python; times that Python does not have are left as they are."""
    if not isinstance(value, np.generic):
        return value
    plain = value.item()
    is_time = isinstance(value, (np.datetime64, np.timedelta64))
    return value if is_time and isinstance(plain, int) else plain


def same_length(name: str, values: Iterable[V], count: int) -> list[V]:
    """Values of texts as a list. Raises `UsageError` unless there is one for each."""
    given = list(values)
    if len(given) != count:
        raise UsageError(f"there are {len(given)} {name} for {count} texts")
    return given


def id_array(ids: list[Any], of: Sequence[Any]) -> pa.Array[Any]:
    """Some ids as a column, null for None; `of` has all, and their type.

    Ids without a type in common are strings.
    """
    import pyarrow as pa

    type_ = of.arrow_type if isinstance(of, GivenIds) else _arrow_type(of)
    try:
        return cast("pa.Array[Any]", _as_array(ids or of[:1], type_)[: len(ids)])
    except _NO_COMMON_TYPE:
        return pa.array([None if id_ is None else id_text(id_) for id_ in ids], pa.string())


# The errors of Arrow are among them: ArrowInvalid is a ValueError, ArrowTypeError a TypeError.
_NO_COMMON_TYPE = (ValueError, TypeError, NotImplementedError, OverflowError)


def _as_array(values: Sequence[Any], type_: pa.DataType | None = None) -> Any:
    import pyarrow as pa

    return pa.array(values, type_)


def _arrow_type(ids: Sequence[Any]) -> pa.DataType | None:
    """The type of a column of these ids, whichever of them are in it; None without a common one."""
    import pyarrow as pa

    if not len(ids) or isinstance(ids[0], str):
        return pa.string()
    try:
        return cast("pa.DataType", _as_array(ids).type)
    except _NO_COMMON_TYPE:
        return None


def id_text(value: object) -> str:
    """Whatever serves as an id, as a str that can be written."""
    return str(value).encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _check_unique(ids: Sequence[Any]) -> None:
    try:
        repeated = len(set(ids)) < len(ids)
    except TypeError as error:
        raise UsageError(f"ids must be strings, numbers or other plain values: {error}") from None
    if repeated:
        raise UsageError(f"duplicate id {Counter(ids).most_common(1)[0][0]!r} in one collection")


def _one_column(given: Any, name: str) -> Any:
    """What is given, unless it is a single value, a frame or no collection at all."""
    values = "str" if name == "texts" else name
    if hasattr(given, "columns") or hasattr(given, "column_names") or hasattr(given, "to_table"):
        example = "text" if name == "texts" else "id"
        raise UsageError(
            f"{name} is a table, not a column",
            hint=f"pass one column of it, such as df[{example!r}]",
        )
    if isinstance(given, Mapping):
        raise UsageError(
            f"{name} must be a collection of {values}, not a {type(given).__name__}",
            hint=f"pass its keys or its values: list({name}.values())",
        )
    if isinstance(given, (str, bytes)):
        raise UsageError(
            f"{name} must be a collection of {values}, not one {type(given).__name__}",
            hint=f"put a single one into a list: [{name.removesuffix('s')}]",
        )
    if not isinstance(given, Iterable) or getattr(given, "ndim", 1) == 0:
        raise UsageError(f"{name} must be a collection of {values}, not {type(given).__name__}")
    return given


def views_of(
    column: list[Any] | pa.Array[Any] | pa.ChunkedArray[Any], *, threads: int = 1
) -> TextViews:
    """Texts over a list of str or an Arrow column, empty for nulls."""
    return _from_strings(column, threads) if isinstance(column, list) else from_arrow(column)


def from_arrow(column: pa.Array[Any] | pa.ChunkedArray[Any]) -> TextViews:
    """Texts over an Arrow column of strings, zero-copy but for `string_view` and nulls."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        return TextViews.concatenated([from_arrow(chunk) for chunk in column.chunks])
    kind = column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        value = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not any(
            map(value.equals, (pa.string(), pa.large_string(), pa.string_view(), pa.null()))
        ):
            raise UsageError(f"the column is of type {kind}, not text")
        column = column.cast(pa.large_string())
    if column.null_count:
        column = column.fill_null("")
    if len(column) == 0:
        return TextViews.from_strings([])
    wide = pa.types.is_large_string(column.type)
    width = 8 if wide else 4
    _, offsets, data = column.buffers()
    assert offsets is not None
    used = offsets.slice(column.offset * width, (len(column) + 1) * width)
    return TextViews.from_buffers(data if data is not None else b"", used, wide)


def _from_strings(strings: list[Any], threads: int) -> TextViews:
    try:
        return TextViews.from_strings(strings, threads)
    except TypeError as error:
        if any(map(is_missing, strings)):
            return _from_strings(_without_nulls(strings), threads)
        raise UsageError(str(error), hint=_STRINGS) from None


def _without_nulls(strings: Sequence[Any]) -> list[Any]:
    return ["" if is_missing(text) else text for text in strings]
