"""Stored texts: compressed, after the offsets of their pages."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable, Sequence

import zstandard

_NO_PAGES = 0xFFFFFFFF
_MIN_TEXTS_FOR_THREADS = 64
_MANY = "multi_compress_to_buffer"
_MAX_RATIO = 32 * 1024  # a block of zstd has at least 4 bytes, and becomes at most 128 KiB
LEVEL = 1  # of zstd: higher ones cost more and gain little with a text of a kilobyte


def pack(
    texts: Sequence[bytes], page_starts: Sequence[tuple[int, ...] | None], threads: int
) -> list[bytes]:
    """Texts in UTF-8 with the offsets of their pages, as they are stored."""
    heads = map(_head, texts, page_starts)
    return [head + frame for head, frame in zip(heads, _compressed(texts, threads), strict=True)]


def _head(text: bytes, page_starts: tuple[int, ...] | None) -> bytes:
    if page_starts is None:
        return struct.pack("<II", len(text), _NO_PAGES)
    return struct.pack(f"<II{len(page_starts)}I", len(text), len(page_starts), *page_starts)


def _compressed(texts: Sequence[bytes], threads: int) -> Iterable[bytes]:
    # Its threads need no lock of Python. Not every build of the library has it, and it fails if all
    # texts are empty.
    if (
        threads > 1
        and len(texts) > _MIN_TEXTS_FOR_THREADS
        and _MANY in zstandard.backend_features
        and any(texts)
    ):
        frames = _codec.compressor.multi_compress_to_buffer(list(texts), threads=threads)
        return (frames[i].tobytes() for i in range(len(frames)))
    return map(_codec.compressor.compress, texts)


def unpack(data: bytes) -> tuple[str, tuple[int, ...] | None]:
    """A text and the offsets of its pages. Raises `ValueError` if it is damaged."""
    try:
        length, count = struct.unpack_from("<II", data)
        starts: tuple[int, ...] | None = None
        begin = 8
        if count != _NO_PAGES:
            starts = struct.unpack_from(f"<{count}I", data, 8)
            begin += 4 * count
        frame = memoryview(data)[begin:]
        # The library takes as much memory as the frame states, whatever the limit.
        stated = zstandard.frame_content_size(frame)
        if stated != length or length > _MAX_RATIO * len(frame):
            raise ValueError(f"{stated:,} bytes are stated in place of {length:,}")
        text = _codec.decompressor.decompress(frame, max_output_size=length)
        if len(text) != length:
            raise ValueError(f"it has {len(text):,} bytes in place of {length:,}")
        return text.decode(), starts
    except (struct.error, zstandard.ZstdError, MemoryError) as error:
        raise ValueError(str(error)) from error


class _Codec(threading.local):
    """One per thread, since setting it up costs as much as packing a short text."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_codec = _Codec()
