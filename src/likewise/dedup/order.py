"""The order of keeping: which of several documents is the best one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.settings import Keep

LONGEST_NUMBER = 40  # digits; as `search/order.py` has it


def order_documents(
    keep: Keep,
    *,
    lengths: NDArray[np.uint32] | None = None,
    values: pa.Array[Any] | None = None,
    ids: pa.LargeStringArray | None = None,
    count: int,
) -> NDArray[np.int64]:
    """The documents from the best to the worst. They are given in the order of their places.

    Args:
        keep: what the best is.
        lengths: characters of each, for "longest".
        values: of the column, for "column".
        ids: without them, and among equal ones, the place decides.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    columns: dict[str, Any] = {}
    keys: list[tuple[str, str]] = []

    def add(name: str, column: Any, how: str) -> None:
        columns[name] = column
        keys.append((name, how))

    if keep.by == "longest":
        assert lengths is not None
        add("length", pa.array(lengths), "descending")
    elif keep.by == "column" and count:  # the type of a column without a row is not known
        assert values is not None
        if pa.types.is_boolean(values.type):
            values = values.cast(pa.uint8())
        if not pa.types.is_null(values.type):
            add("value", values, "ascending" if keep.smallest else "descending")
    if ids is not None:
        for name, column in _id_keys(ids).items():
            add(name, column, "ascending")
    if not keys:
        return np.arange(count, dtype=np.int64)
    add("place", pa.array(np.arange(count, dtype=np.int64)), "ascending")
    pc: Any = compute
    found = pc.sort_indices(pa.table(columns), sort_keys=keys)  # nulls come last, before them NaN
    return np.asarray(found).astype(np.int64)


def _id_keys(ids: pa.LargeStringArray) -> dict[str, Any]:
    """Columns that sort as `search.order.id_key` does.

    Whole numbers come first, by value: without their leading zeros the shorter is the smaller.
    Bytes of UTF-8 sort as code points do.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    pc: Any = compute
    is_number = pc.match_substring_regex(ids, f"^[0-9]{{1,{LONGEST_NUMBER}}}$")
    numbers = pc.sum(is_number).as_py() or 0
    if numbers == 0:
        return {"id": ids}
    digits = pc.utf8_ltrim(ids, characters="0")
    if numbers == len(ids) and (pc.max(pc.binary_length(digits)).as_py() or 0) <= 18:
        value = pc.if_else(pc.equal(digits, ""), "0", digits).cast(pa.int64())
        return {"number": value, "id": ids}
    width = pc.if_else(is_number, pc.binary_length(digits), LONGEST_NUMBER + 1)
    return {"width": width, "digits": pc.if_else(is_number, digits, ""), "id": ids}
