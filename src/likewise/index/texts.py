"""Texts as they are stored: compressed, with the starts of their pages in front."""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

LEVEL = 1  # of zstd: a text of a kilobyte gains little from more, and costs more


def packed(text: bytes, page_starts: tuple[int, ...] | None) -> bytes:
    """A text, in UTF-8, and where its pages begin."""
    starts = () if page_starts is None else page_starts
    count = 0xFFFFFFFF if page_starts is None else len(starts)
    head = struct.pack(f"<II{len(starts)}I", len(text), count, *starts)
    return head + bytes(_codec().compress(text, asbytes=True))


def unpacked(data: bytes) -> tuple[str, tuple[int, ...] | None]:
    """The text and the starts of its pages."""
    length, count = struct.unpack_from("<II", data)
    starts: tuple[int, ...] | None = None
    begin = 8
    if count != 0xFFFFFFFF:
        starts = struct.unpack_from(f"<{count}I", data, 8)
        begin += 4 * count
    text = _codec().decompress(memoryview(data)[begin:], length, asbytes=True)
    return bytes(text).decode(), starts


@cache
def _codec() -> pa.Codec:
    import pyarrow as pa

    return pa.Codec("zstd", compression_level=LEVEL)
