"""Arrow arrays of texts, always valid UTF-8 and without nulls."""

from __future__ import annotations

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
