"""Converts the texts of a caller to the `Texts` of the core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from likewise._core import Texts
from likewise.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa


def column_of(texts: object) -> list[Any] | pa.Array[Any] | pa.ChunkedArray[Any]:
    """Texts as a list or an Arrow column: from any iterable of str, an Arrow, pandas or polars
    column."""
    if isinstance(texts, (str, bytes)):
        raise UsageError("texts must be a collection of str, not one str")
    if isinstance(texts, list):
        return texts
    if type(texts).__module__.split(".")[0] in ("pyarrow", "polars", "pandas"):
        return _arrow_column(texts)
    if isinstance(texts, Iterable) and not isinstance(texts, Mapping):
        return list(texts)
    raise UsageError(f"texts must be a collection of str, not {type(texts).__name__}")


def views_of(
    column: list[Any] | pa.Array[Any] | pa.ChunkedArray[Any], *, threads: int = 1
) -> Texts:
    """Texts over a list of str or an Arrow column."""
    return _from_strings(column, threads) if isinstance(column, list) else from_arrow(column)


def from_arrow(column: pa.Array[Any] | pa.ChunkedArray[Any]) -> Texts:
    """Texts over an Arrow column of strings, zero-copy but for `string_view`."""
    import pyarrow as pa

    if column.null_count:
        row = column.is_null().index(True).as_py()
        raise UsageError(f"text {row} is null", hint="drop or fill the nulls of the column")
    if isinstance(column, pa.ChunkedArray):
        return Texts.concatenated([from_arrow(chunk) for chunk in column.chunks])
    kind = column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        value = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not any(map(value.equals, (pa.string(), pa.large_string(), pa.string_view()))):
            raise UsageError(f"the column is of type {kind}, not text")
        column = column.cast(pa.large_string())
    if len(column) == 0:
        return Texts.from_strings([])
    wide = pa.types.is_large_string(column.type)
    width = 8 if wide else 4
    _, offsets, data = column.buffers()
    assert offsets is not None
    used = offsets.slice(column.offset * width, (len(column) + 1) * width)
    return Texts.from_buffers(data if data is not None else b"", used, wide)


def _from_strings(strings: Iterable[Any], threads: int) -> Texts:
    try:
        return Texts.from_strings(strings, threads)
    except TypeError as error:
        raise UsageError(str(error), hint="every text must be a str") from None


def _arrow_column(column: Any) -> pa.Array[Any] | pa.ChunkedArray[Any] | list[Any]:
    module = type(column).__module__.split(".")[0]
    if module == "polars":
        if not hasattr(column, "to_arrow") or hasattr(column, "columns"):
            raise UsageError("texts is a polars frame; give one column of it")
        return cast("pa.Array[Any]", column.to_arrow())
    if module == "pandas":
        if not hasattr(column, "tolist"):
            raise UsageError("texts is a pandas frame; give one column of it")
        return list(column.tolist())
    if not hasattr(column, "null_count"):
        raise UsageError("texts is an Arrow table; give one column of it")
    return cast("pa.Array[Any]", column)
