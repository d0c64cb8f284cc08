"""Arrow arrays of texts, always valid UTF-8."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

_SURROGATE = re.compile("[\ud800-\udfff]")


def scrub(text: str) -> str:
    """Return `text` with U+FFFD for each lone surrogate, which no encoding can hold."""
    return _SURROGATE.sub("\ufffd", text)


def text_digest(text: str) -> str:
    """128 bits that another text does not have, as 22 letters, digits, `-` and `_`."""
    digest = hashlib.blake2b(_encoded(text), digest_size=16).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def text_array(texts: Sequence[str]) -> pa.LargeStringArray:
    """Return the texts as an Arrow array, scrubbed where needed."""
    import numpy as np

    # Not by `pa.array`, which imports pandas, where there is one, to look at a list: 0.2 s.
    encoded = list(map(_encoded, texts))
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(list(map(len, encoded)), out=offsets[1:])
    return wrap_texts(offsets, b"".join(encoded))


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return scrub(text).encode()


def wrap_texts(offsets: npt.NDArray[np.int64], data: bytes) -> pa.LargeStringArray:
    """Return the texts that lie in `data` between `offsets`, without a copy or a check."""
    import pyarrow as pa

    wrapped = pa.LargeStringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets.data), pa.py_buffer(data)
    )
    return cast("pa.LargeStringArray", wrapped)


def text_array_with_nulls(texts: Sequence[str | None]) -> pa.LargeStringArray:
    """Return the texts as an Arrow array, scrubbed where needed."""
    if None not in texts:
        return text_array(cast("Sequence[str]", texts))
    import numpy as np
    import pyarrow as pa

    has = np.fromiter((text is not None for text in texts), np.bool_, len(texts))
    bits = pa.py_buffer(np.packbits(has, bitorder="little").tobytes())
    _, offsets, data = text_array([text or "" for text in texts]).buffers()
    marked = pa.Array.from_buffers(pa.large_string(), len(texts), [bits, offsets, data])
    return cast("pa.LargeStringArray", marked)


def spread(column: pa.Array[Any], rows: Sequence[int], start: int, stop: int) -> pa.Array[Any]:
    """Return a column for the rows from `start` to `stop`, null for those not in `rows`."""
    if len(column) == stop - start:
        return column
    import numpy as np
    import pyarrow as pa

    at = np.zeros(stop - start, np.int64)
    has = np.zeros(stop - start, np.bool_)
    places = np.asarray(rows, np.int64) - start
    at[places] = np.arange(len(places))
    has[places] = True
    return column.take(pa.array(at, pa.int64(), mask=~has))


def null_if_empty(texts: pa.LargeStringArray) -> pa.LargeStringArray:
    """Return the same texts with nulls for those that are empty."""
    import numpy as np
    import pyarrow as pa

    # Not by `pyarrow.compute`, which takes long to load.
    lengths = np.diff(text_offsets(texts))
    if lengths.all():
        return texts
    return texts.take(pa.array(np.arange(len(texts)), pa.int64(), mask=lengths == 0))


def is_string(type_: pa.DataType) -> bool:
    """Whether a column of this type contains strings."""
    import pyarrow as pa

    if pa.types.is_dictionary(type_):
        type_ = type_.value_type
    return bool(
        pa.types.is_string(type_)
        or pa.types.is_large_string(type_)
        or pa.types.is_string_view(type_)
    )


def sound_array(texts: pa.Array[Any]) -> tuple[pa.LargeStringArray, int]:
    """Return an array of any string type as large strings, and the number of texts mended.

    Files may claim that their strings are UTF-8 when they are not; Arrow does not check.
    """
    import pyarrow as pa

    if pa.types.is_dictionary(texts.type):
        texts = cast("pa.DictionaryArray[Any, Any]", texts).dictionary_decode()
    # By way of binary: a cast between string types would keep or refuse what is invalid.
    binary = texts.cast(pa.large_binary())
    try:
        return cast("pa.LargeStringArray", binary.cast(pa.large_string())), 0
    except pa.ArrowInvalid:
        mended = [None if value is None else _mend(value) for value in binary.to_pylist()]
        count = sum(changed for _, changed in filter(None, mended))
        return pa.array([pair and pair[0] for pair in mended], pa.large_string()), count


def _mend(value: bytes) -> tuple[str, bool]:
    try:
        return value.decode(), False
    except UnicodeDecodeError:
        return value.decode("utf-8", "replace"), True


def text_offsets(texts: pa.LargeStringArray) -> npt.NDArray[np.int64]:
    """Return where each text begins in the data buffer, and where the last one ends."""
    import numpy as np

    buffer = texts.buffers()[1]
    if buffer is None or len(texts) == 0:
        return np.zeros(1, dtype=np.int64)
    return np.frombuffer(memoryview(buffer), dtype=np.int64)[
        texts.offset : texts.offset + len(texts) + 1
    ]
