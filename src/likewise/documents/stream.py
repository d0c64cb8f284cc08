"""The bytes of an origin, decompressed, in blocks of one size.

The size of a block is fixed: decisions taken on a block (which encoding is this?) must not change
with the size of a batch. Packed files may hold several members or frames one after the other.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from typing import IO, Protocol, cast

from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.errors import SourceError

BLOCK = 2 << 20  # the fastest on our machines: its copies stay in the cache


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def read_blocks(origin: Origin, reading: Reading) -> Iterator[bytes]:
    """Yield the content of `origin` in blocks of `BLOCK` bytes, the last one shorter.

    `reading.position` follows the bytes on disk. Raises `SourceError` where the file cannot be
    opened or its compressed data are damaged.
    """
    with contextlib.ExitStack() as stack:
        if origin.path is None and sys.stdin is None:
            raise SourceError("standard input is closed")
        try:
            raw: IO[bytes] = (
                sys.stdin.buffer if origin.path is None else stack.enter_context(origin.open())
            )
            content = _unpack(raw, origin)
            while block := _read_full(content):
                reading.position = 0 if origin.size is None else raw.tell()
                yield block
        except (OSError, EOFError, zlib.error) as error:
            raise _explain(error, origin) from error


def _unpack(raw: IO[bytes], origin: Origin) -> _Readable:
    if origin.compression == "gzip":
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if origin.compression == "zstd":
        import pyarrow as pa

        return pa.CompressedInputStream(cast("io.IOBase", raw), "zstd")
    return raw


def _read_full(content: _Readable) -> bytes:
    """Read a block, however little a pipe gives at a time."""
    block = content.read(BLOCK)
    if len(block) == BLOCK or not block:
        return block
    parts = [block]
    missing = BLOCK - len(block)
    while missing and (part := content.read(missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _explain(error: Exception, origin: Origin) -> SourceError:
    if isinstance(error, FileNotFoundError):
        return SourceError(f"{origin.name}: no such file")
    if isinstance(error, PermissionError):
        return SourceError(
            f"{origin.name}: no permission to read it", hint="check the file's owner and mode"
        )
    if origin.compression and not (isinstance(error, OSError) and error.errno):
        # Errors of the operating system carry a number; those of the decompressors do not.
        return SourceError(
            f"{origin.name}: damaged {origin.compression} data: {error}",
            hint="create or download the file again; it may be truncated",
        )
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return SourceError(f"{origin.name}: cannot be read: {reason}")
