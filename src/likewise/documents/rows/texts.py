"""Arrow arrays of texts some of which are null."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from likewise.documents.texts import text_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


def strings_with_nulls(texts: Sequence[str | None]) -> pa.LargeStringArray:
    """Return the texts as an Arrow array, scrubbed where needed."""
    if None not in texts:
        return text_array(cast("Sequence[str]", texts))
    import numpy as np

    has = np.fromiter((text is not None for text in texts), np.bool_, len(texts))
    return with_nulls(text_array([text or "" for text in texts]), has)


def with_nulls(texts: pa.LargeStringArray, has: NDArray[np.bool_]) -> pa.LargeStringArray:
    """Return an array without nulls and without an offset as one whose other texts are null."""
    import numpy as np
    import pyarrow as pa

    bits = pa.py_buffer(np.packbits(has, bitorder="little").tobytes())
    _, offsets, data = texts.buffers()
    marked = pa.Array.from_buffers(pa.large_string(), len(texts), [bits, offsets, data])
    return cast("pa.LargeStringArray", marked)


def spread(
    texts: pa.LargeStringArray, rows: Sequence[int], first: int, count: int
) -> pa.LargeStringArray:
    """Return an array of `count` rows from `first` on, null where `rows` has no text for it."""
    if len(texts) == count:
        return texts
    import numpy as np
    import pyarrow as pa

    at = np.zeros(count, np.int64)
    has = np.zeros(count, np.bool_)
    places = np.asarray(rows, np.int64) - first
    at[places] = np.arange(len(places))
    has[places] = True
    where = pa.array(at, pa.int64(), mask=~has)
    return texts.take(where)


def null_if_empty(texts: pa.LargeStringArray) -> pa.LargeStringArray:
    """Return the same texts with nulls for those that are empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    empty = pc.equal(pc.binary_length(texts), pa.scalar(0, pa.int64()))
    return cast("pa.LargeStringArray", pc.if_else(empty, pa.scalar(None, texts.type), texts))
