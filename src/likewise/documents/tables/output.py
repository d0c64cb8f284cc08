"""A file that is written aside, packed as its name says, and synced."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
from collections.abc import Iterator
from typing import IO, cast

from likewise.documents.origin import Compression
from likewise.errors import LikewiseError

# Fixed, so that the same rows give the same bytes.
_GZIP_LEVEL = 6
_ZSTD_LEVEL = 3
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextlib.contextmanager
def open_packed(path: str, compression: Compression | None) -> Iterator[IO[bytes]]:
    """Open a new file to write to; it is on the disk when all went well."""
    with open(path, "xb", buffering=1 << 20) as raw:
        with contextlib.ExitStack() as stack:
            yield _pack(stack, raw, compression)
        raw.flush()
        os.fsync(raw.fileno())


def _pack(
    stack: contextlib.ExitStack, raw: IO[bytes], compression: Compression | None
) -> IO[bytes]:
    if compression is None:
        return raw
    if compression == "gzip":
        packed = gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0)
        return cast("IO[bytes]", stack.enter_context(io.BufferedWriter(packed, 1 << 20)))
    import zstandard

    packer = zstandard.ZstdCompressor(level=_ZSTD_LEVEL, write_checksum=True)
    writer = cast("io.RawIOBase", packer.stream_writer(raw, closefd=False))
    return stack.enter_context(io.BufferedWriter(writer, 1 << 20))  # it has no `writelines`


@contextlib.contextmanager
def explain_full(out: str) -> Iterator[None]:
    """Raise `LikewiseError` in plain words where the disk is full or cannot be written to."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise LikewiseError(
                f"{out}: no space left ({error.strerror}); nothing was written",
                hint="free some disk space, or write to another disk",
            ) from error
        raise LikewiseError(f"{out}: cannot be written: {error.strerror or error}") from error


def sync_folder(path: str) -> None:
    """See to it that the names in a folder are on the disk."""
    with contextlib.suppress(OSError):  # not every file system can
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
