"""The order of keeping as bytes: the smaller the bytes, the better the document.

Spark compares binary columns byte by byte, unsigned. So one column holds the whole order, and the
best of many documents is a minimum, which takes no memory however many there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from likewise.dedup.fixed_binary import to_fixed_binary
from likewise.search.order import MAX_DIGITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = pa.Array[Any]

# UTF-8 has no byte above 0xF4, so there is room for an end that sorts before or behind all others.
_RISING = bytes(min(byte + 1, 255) for byte in range(256))
_FALLING = bytes(max(0xFE - byte, 0) for byte in range(256))

_compute: Any = pc  # the stubs know the half of it


def id_keys(ids: Array) -> Array:
    """Bytes that sort as `search.order.id_key` does: whole numbers by value, then code points.

    Null comes last.
    """
    numbers = _compute.match_substring_regex(ids, f"^[0-9]{{1,{MAX_DIGITS}}}$")
    keys = _compute.binary_join_element_wise("1", ids, "")
    if _compute.any(numbers).as_py():
        digits = _compute.ascii_ltrim(ids, "0")
        width = _compute.utf8_lpad(_compute.binary_length(digits).cast(pa.string()), 2, "0")
        by_value = _compute.binary_join_element_wise("0", width, digits, ids, "")
        keys = _compute.if_else(numbers, by_value, keys)
    return cast("Array", _compute.fill_null(keys, "2").cast(pa.binary()))


def length_keys(lengths: NDArray[np.int64]) -> Array:
    """Bytes that put the longest first."""
    return to_fixed_binary((~lengths.astype(np.uint64)).astype(">u8")[:, None]).cast(pa.binary())


def value_keys(values: Array, *, smallest: bool) -> Array:
    """Bytes that put the largest value first, or the smallest; nulls and NaN come last."""
    kind = values.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _text_keys(values, smallest)
    if pa.types.is_floating(kind):
        values = values.cast(pa.float64())
        values = _compute.if_else(_compute.is_nan(values), None, values)
    present = np.asarray(values.is_valid())
    parts = _decimal_bits(values) if pa.types.is_decimal(kind) else _bits(values)
    if not smallest:
        parts = ~parts
    parts[~present] = 0
    flags = np.where(present, 0, 1).astype(np.uint8).reshape(-1, 1)
    bytes_ = parts.astype(">u8").view(np.uint8).reshape(len(parts), -1)
    return to_fixed_binary(np.concatenate([flags, bytes_], axis=1)).cast(pa.binary())


def join_keys(*parts: Array) -> Array:
    """One key of several, the first of which decides first."""
    return cast("Array", _compute.binary_join_element_wise(*parts, b""))


def can_order(kind: pa.DataType) -> bool:
    """Whether `value_keys` knows the type."""
    is_ = pa.types
    return bool(
        is_.is_string(kind)
        or is_.is_floating(kind)
        or is_.is_integer(kind)
        or is_.is_boolean(kind)
        or is_.is_decimal128(kind)
        or is_.is_temporal(kind)
    )


def _text_keys(values: Array, smallest: bool) -> Array:
    table, end = (_RISING, b"\x00") if smallest else (_FALLING, b"\xff")
    return pa.array(
        [
            b"\x01" if value is None else b"\x00" + value.translate(table) + end
            for value in values.cast(pa.large_binary()).to_pylist()
        ],
        pa.binary(),
    )


def _bits(values: Array) -> NDArray[np.uint64]:
    """Numbers and times as unsigned numbers in the same order, [n, 1]."""
    kind = values.type
    if pa.types.is_floating(kind):
        floats = np.asarray(_compute.fill_null(values, 0.0)) + 0.0  # -0.0 is 0.0
        bits = np.ascontiguousarray(floats).view(np.uint64)
        negative = bits >> np.uint64(63) == 1
        bits = np.where(negative, ~bits, bits | np.uint64(1 << 63))
    else:
        if pa.types.is_temporal(kind):
            values = values.view(pa.int32() if kind.bit_width == 32 else pa.int64())
        whole = np.asarray(_compute.fill_null(values.cast(pa.int64()), 0))
        bits = whole.view(np.uint64) ^ np.uint64(1 << 63)
    return np.ascontiguousarray(bits).reshape(-1, 1)


def _decimal_bits(values: Array) -> NDArray[np.uint64]:
    """Decimals of one scale as two unsigned numbers each, the higher first."""
    data: Any = values.buffers()[1]
    halves = np.frombuffer(data, np.uint64).reshape(-1, 2)
    halves = halves[values.offset : values.offset + len(values)]
    return np.stack([halves[:, 1] ^ np.uint64(1 << 63), halves[:, 0]], axis=1)
