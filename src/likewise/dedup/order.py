"""The order of keeping: which of several documents is the best one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.search.order import MAX_DIGITS

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.settings import Keep


def order_documents(keep: Keep, columns: Mapping[str, Any], count: int) -> NDArray[np.int64]:
    """The documents from the best to the worst. They are given in the order of their places.

    Args:
        keep: what the best is.
        columns: Arrow columns by name: "length" in characters for "longest", "value" for "column",
            and "id", without which, and among equal ones, the place decides.
        count: of the documents.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    keys: dict[str, Any] = {}
    descending = ["length"]
    if keep.by == "longest":
        keys["length"] = columns["length"]
    elif keep.by == "column" and count:  # the type of a column without a row is not known
        value = columns["value"]
        descending += [] if keep.smallest else ["value"]
        if not pa.types.is_null(value.type):
            keys["value"] = value.cast(pa.uint8()) if pa.types.is_boolean(value.type) else value
    if columns.get("id") is not None:
        keys |= _id_keys(columns["id"])
    if not keys:
        return np.arange(count, dtype=np.int64)
    keys["place"] = pa.array(np.arange(count, dtype=np.int64))
    pc: Any = compute
    how = [(name, "descending" if name in descending else "ascending") for name in keys]
    found = pc.sort_indices(pa.table(keys), sort_keys=how)  # nulls come last, before them NaN
    return np.asarray(found).astype(np.int64)


def _id_keys(ids: pa.LargeStringArray) -> dict[str, Any]:
    """Columns that sort as `search.order.id_key` does.

    Whole numbers come first, by value: without their leading zeros the shorter is the smaller.
    Bytes of UTF-8 sort as code points do.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    pc: Any = compute
    is_number = pc.match_substring_regex(ids, f"^[0-9]{{1,{MAX_DIGITS}}}$")
    numbers = pc.sum(is_number).as_py() or 0
    if numbers == 0:
        return {"id": ids}
    digits = pc.utf8_ltrim(ids, characters="0")
    if numbers == len(ids) and (pc.max(pc.binary_length(digits)).as_py() or 0) <= 18:
        value = pc.if_else(pc.equal(digits, ""), "0", digits).cast(pa.int64())
        return {"number": value, "id": ids}
    width = pc.if_else(is_number, pc.binary_length(digits), MAX_DIGITS + 1)
    return {"width": width, "digits": pc.if_else(is_number, digits, ""), "id": ids}
