"""The order of keeping as bytes: the smaller the bytes, the better the document.

One column of bytes has the whole order, so that documents are ordered by sorting it, and the best
of many is a minimum, as Spark computes it. Bytes are compared unsigned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.search.order import MAX_DIGITS
from likewise.sketches.fixed_binary import to_fixed_binary

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.settings import Keep

# UTF-8 has no byte above 0xF4, so there is room for an end that sorts before or after all others.
_RISING = bytes(min(byte + 1, 255) for byte in range(256))
_FALLING = bytes(max(0xFE - byte, 0) for byte in range(256))

PRESENT, NO_NUMBER, MISSING = 0, 1, 2  # the first byte of a value


def order_documents(keep: Keep, columns: Mapping[str, Any], count: int) -> NDArray[np.int64]:
    """The documents from the best to the worst; among equal ones the place decides."""
    import pyarrow.compute as compute

    pc: Any = compute
    keys = order_keys(keep, columns) if count else None
    if keys is None:
        return np.arange(count, dtype=np.int64)
    return np.asarray(pc.array_sort_indices(keys)).astype(np.int64)  # stable


def order_keys(keep: Keep, columns: Mapping[str, Any]) -> Any:
    """The order of documents as an Arrow column of bytes; None where only their place decides.

    Args:
        keep: what the best is.
        columns: Arrow columns by name: "length" in characters for "longest", "value" for "column",
            and "id" where there are ids.
    """
    import pyarrow as pa

    keys = []
    if keep.by == "longest":
        lengths = np.asarray(columns["length"]).astype(np.uint64)
        keys.append(to_fixed_binary((~lengths).astype(">u8")[:, None]))
    if keep.by == "column" and not pa.types.is_null(columns["value"].type):
        keys.append(_value_keys(columns["value"], smallest=keep.smallest))
    if columns.get("id") is not None:
        keys.append(_id_keys(columns["id"]))
    return _join(*keys) if keys else None


def _join(*parts: Any) -> Any:
    """Columns, and strings that are the same for all rows, one after another."""
    import pyarrow as pa
    import pyarrow.compute as compute

    pc: Any = compute
    kind = pa.large_binary()
    same = (pa.scalar(p.encode(), kind) if isinstance(p, str) else p.cast(kind) for p in parts)
    return pc.binary_join_element_wise(*same, pa.scalar(b"", kind))


def can_order(kind: pa.DataType) -> bool:
    """Whether values of a type can decide."""
    from pyarrow import types

    return bool(
        types.is_string(kind)
        or types.is_floating(kind)
        or types.is_integer(kind)
        or types.is_boolean(kind)
        or types.is_decimal128(kind)
        or types.is_temporal(kind)
    )


def _id_keys(ids: Any) -> Any:
    """Bytes that sort as `search.order.id_key` does: whole numbers by value, then code points.

    Null comes last.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    pc: Any = compute
    numbers = pc.match_substring_regex(ids, f"^[0-9]{{1,{MAX_DIGITS}}}$")
    keys = _join("1", ids)
    if pc.any(numbers).as_py():
        digits = pc.ascii_ltrim(ids, "0")
        width = pc.utf8_lpad(pc.binary_length(digits).cast(pa.string()), 2, "0")
        keys = pc.if_else(numbers, _join("0", width, digits, ids), keys)
    return pc.fill_null(keys, b"2")


def _value_keys(values: Any, *, smallest: bool) -> Any:
    """Bytes that put the largest value first, or the smallest; then NaN, and nulls last."""
    import pyarrow as pa
    import pyarrow.compute as compute

    pc: Any = compute
    kind = values.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        values = pa.array([None if v is None else v.hex() for v in values.to_pylist()], pa.string())
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        return _text_keys(values, smallest)
    first = np.where(np.asarray(values.is_valid()), PRESENT, MISSING).astype(np.uint8)
    if pa.types.is_floating(kind):
        values = values.cast(pa.float64())
        no_number = np.asarray(pc.fill_null(pc.is_nan(values), False))
        first[no_number] = NO_NUMBER
    bits = _decimal_bits(values) if pa.types.is_decimal(kind) else _bits(values)
    if not smallest:
        bits = ~bits
    bits[first != PRESENT] = 0
    bytes_ = np.ascontiguousarray(bits.astype(">u8")).view(np.uint8).reshape(len(bits), -1)
    return to_fixed_binary(np.concatenate([first[:, None], bytes_], axis=1))


def _text_keys(values: Any, smallest: bool) -> Any:
    import pyarrow as pa

    table, end = (_RISING, b"\x00") if smallest else (_FALLING, b"\xff")
    present, missing = bytes([PRESENT]), bytes([MISSING])
    return pa.array(
        [
            missing if value is None else present + value.translate(table) + end
            for value in values.cast(pa.large_binary()).to_pylist()
        ],
        pa.large_binary(),
    )


def _bits(values: Any) -> NDArray[np.uint64]:
    """Numbers and times as unsigned numbers in the same order, [n, 1]."""
    import pyarrow as pa
    import pyarrow.compute as compute

    pc: Any = compute
    kind = values.type
    if pa.types.is_floating(kind):
        floats = np.asarray(pc.fill_null(values, 0.0)) + 0.0  # -0.0 is 0.0
        bits = np.ascontiguousarray(floats).view(np.uint64)
        negative = bits >> np.uint64(63) == 1
        bits = np.where(negative, ~bits, bits | np.uint64(1 << 63))
    elif pa.types.is_uint64(kind):
        bits = np.array(pc.fill_null(values, 0))
    else:
        if pa.types.is_temporal(kind):
            values = values.view(pa.int32() if kind.bit_width == 32 else pa.int64())
        whole = np.asarray(pc.fill_null(values.cast(pa.int64()), 0))
        bits = whole.view(np.uint64) ^ np.uint64(1 << 63)
    return np.ascontiguousarray(bits).reshape(-1, 1)


def _decimal_bits(values: Any) -> NDArray[np.uint64]:
    """Decimals of one scale as two unsigned numbers each, the higher first."""
    halves = np.frombuffer(values.buffers()[1], np.uint64).reshape(-1, 2)
    halves = halves[values.offset : values.offset + len(values)]
    return np.stack([halves[:, 1] ^ np.uint64(1 << 63), halves[:, 0]], axis=1)
