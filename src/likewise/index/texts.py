"""Texts as they are stored: compressed, with the starts of their pages in front."""

from __future__ import annotations

import struct
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import zstandard

from likewise.errors import LikewiseError

_AT_ONCE = 256
LEVEL = 1  # of zstd: a text of a kilobyte gains little from more, and costs more


def packed(text: bytes, page_starts: tuple[int, ...] | None) -> bytes:
    """A text, in UTF-8, and where its pages begin."""
    starts = () if page_starts is None else page_starts
    count = 0xFFFFFFFF if page_starts is None else len(starts)
    head = struct.pack(f"<II{len(starts)}I", len(text), count, *starts)
    return head + _codec.compressor.compress(text)


def all_packed(
    texts: Sequence[bytes], page_starts: Sequence[tuple[int, ...] | None], threads: int
) -> list[bytes]:
    """Many texts; compressing leaves Python's lock to others, so that threads help."""
    if threads == 1 or len(texts) < 2 * _AT_ONCE:
        return list(map(packed, texts, page_starts))
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(
            lambda begin: list(
                map(packed, texts[begin : begin + _AT_ONCE], page_starts[begin : begin + _AT_ONCE])
            ),
            range(0, len(texts), _AT_ONCE),
        )
        return [one for part in parts for one in part]


def unpacked(data: bytes) -> tuple[str, tuple[int, ...] | None]:
    """The text and the starts of its pages; a `LikewiseError` if it is damaged."""
    try:
        length, count = struct.unpack_from("<II", data)
        starts: tuple[int, ...] | None = None
        begin = 8
        if count != 0xFFFFFFFF:
            starts = struct.unpack_from(f"<{count}I", data, 8)
            begin += 4 * count
        text = _codec.decompressor.decompress(memoryview(data)[begin:], max_output_size=length)
        return text.decode(), starts
    except (struct.error, zstandard.ZstdError, UnicodeDecodeError, MemoryError) as error:
        raise LikewiseError(f"a stored text is damaged: {error}") from error


class _Codec(threading.local):
    """Of each thread its own, since to set one up costs as much as to pack a short text."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_codec = _Codec()
