"""Stored texts: compressed, after the offsets of their pages and their references."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import zstandard

from likewise.documents.references import References
from likewise.errors import UsageError

_NO_PAGES = 0xFFFFFFFF
# In place of the number of pages: the size of the compressed references, these, then the pages as
# in a text without references.
_WITH_REFERENCES = 0xFFFFFFFE
_MAX_REFERENCES_BYTES = 256 << 20
_SMALL_REFERENCES_BYTES = 1 << 20  # however much they were compressed
_MIN_TEXTS_FOR_THREADS = 64
_MANY = "multi_compress_to_buffer"
# A few bytes of zstd may become gigabytes. Texts of people never shrink to a thousandth.
_MAX_RATIO = 1000
MAX_REPETITIVE_BYTES = 256 << 20  # up to which that does not matter
LEVEL = 1  # of zstd: higher ones cost more and gain little with a text of a kilobyte


class Unpacked(NamedTuple):
    """A stored text, and where its pages and references are."""

    text: str
    page_starts: tuple[int, ...] | None
    references: References | None


def pack(
    texts: Sequence[bytes],
    page_starts: Sequence[tuple[int, ...] | None],
    references: Sequence[References | None],
    ids: Sequence[str],
    threads: int,
) -> list[bytes]:
    """Texts in UTF-8 with their pages and references, as they are stored.

    Raises `UsageError` for a text that `unpack` would refuse.
    """
    heads = map(_head, texts, page_starts, references)
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


def _head(text: bytes, page_starts: tuple[int, ...] | None, references: References | None) -> bytes:
    pages = struct.pack("<I", _NO_PAGES)
    if page_starts is not None:
        pages = struct.pack(f"<I{len(page_starts)}I", len(page_starts), *page_starts)
    if references is None:
        return struct.pack("<I", len(text)) + pages
    packed = _codec.compressor.compress(references.to_json().encode())
    return struct.pack("<III", len(text), _WITH_REFERENCES, len(packed)) + packed + pages


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


def unpack(data: bytes) -> Unpacked:
    """A text and where its pages and references are. Raises `ValueError` if it is damaged."""
    try:
        length, count = struct.unpack_from("<II", data)
        begin = 8
        references: References | None = None
        if count == _WITH_REFERENCES:
            (size,) = struct.unpack_from("<I", data, begin)
            begin += 4 + size
            references = _unpack_references(memoryview(data)[begin - size : begin])
            (count,) = struct.unpack_from("<I", data, begin)
            begin += 4
        starts: tuple[int, ...] | None = None
        if count != _NO_PAGES:
            starts = struct.unpack_from(f"<{count}I", data, begin)
            begin += 4 * count
        frame = memoryview(data)[begin:]
        # The library takes as much memory as the frame states, whatever the limit.
        stated = zstandard.frame_content_size(frame)
        if stated != length or not _is_plausible(length, len(frame)):
            raise ValueError(f"its size cannot be {length:,} bytes")
        text = _codec.decompressor.decompress(frame, max_output_size=length)
        if len(text) != length:
            raise ValueError(f"it has {len(text):,} bytes in place of {length:,}")
        return Unpacked(text.decode(), starts, references)
    except struct.error:
        raise ValueError("it is incomplete") from None
    except (zstandard.ZstdError, MemoryError) as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error


def _unpack_references(frame: memoryview) -> References:
    stated = zstandard.frame_content_size(frame)
    most = min(_MAX_REFERENCES_BYTES, max(_SMALL_REFERENCES_BYTES, _MAX_RATIO * len(frame)))
    if not 0 <= stated <= most:
        raise ValueError(f"the size of its references cannot be {stated:,} bytes")
    return References.from_json(
        _codec.decompressor.decompress(frame, max_output_size=stated).decode()
    )


class _Codec(threading.local):
    """One per thread, since setting it up costs as much as packing a short text."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_codec = _Codec()
