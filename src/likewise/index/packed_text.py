"""Stored texts: compressed, after the offsets of their pages."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable, Sequence

import zstandard

from likewise.errors import UsageError

_NO_PAGES = 0xFFFFFFFF
_MIN_TEXTS_FOR_THREADS = 64
_MANY = "multi_compress_to_buffer"
# A few bytes of zstd may become gigabytes. Texts of people never shrink to a thousandth.
_MAX_RATIO = 1000
MAX_REPETITIVE_BYTES = 256 << 20  # up to which that does not matter
LEVEL = 1  # of zstd: higher ones cost more and gain little with a text of a kilobyte


def pack(
    texts: Sequence[bytes],
    page_starts: Sequence[tuple[int, ...] | None],
    ids: Sequence[str],
    threads: int,
) -> list[bytes]:
    """Texts in UTF-8 with the offsets of their pages, as they are stored.

    Raises `UsageError` for a text that `unpack` would refuse.
    """
    heads = map(_head, texts, page_starts)
    packed = []
    for text, id_, head, frame in zip(texts, ids, heads, _compressed(texts, threads), strict=True):
        if not _is_plausible(len(text), len(frame)):
            raise UsageError(
                f"document {id_!r} is too repetitive: {len(text):,} bytes that are compressed to "
                f"{len(frame):,}",
                hint=f"shorten it to {MAX_REPETITIVE_BYTES >> 20} MiB",
            )
        packed.append(head + frame)
    return packed


def _is_plausible(length: int, frame_bytes: int) -> bool:
    """Whether a text of this length may come of a frame of this size."""
    return length <= max(MAX_REPETITIVE_BYTES, _MAX_RATIO * frame_bytes)


def text_bytes(data: bytes) -> int:
    """The size of a stored text in UTF-8, as it is stated."""
    return int.from_bytes(data[:4], "little")


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
        if stated != length or not _is_plausible(length, len(frame)):
            raise ValueError(f"its size cannot be {length:,} bytes")
        text = _codec.decompressor.decompress(frame, max_output_size=length)
        if len(text) != length:
            raise ValueError(f"it has {len(text):,} bytes in place of {length:,}")
        return text.decode(), starts
    except struct.error:
        raise ValueError("it is incomplete") from None
    except (zstandard.ZstdError, MemoryError) as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error


class _Codec(threading.local):
    """One per thread, since setting it up costs as much as packing a short text."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_codec = _Codec()
