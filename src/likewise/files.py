"""Where data goes. A file appears under its name complete, or not at all."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from likewise.errors import UsageError
from likewise.storage.address import is_remote

USUAL_WIDTH = 100
MIN_WIDTH_CHARACTERS = 40

_SQLITE = b"SQLite format 3\0"
_BESIDE_INDEX = ("-wal", "-shm", "-journal")


def output_width(path: str | None) -> int:
    """Columns for text that is wrapped: those of the terminal, if it goes to one."""
    if path is None and sys.stdout is not None and sys.stdout.isatty():
        return max(MIN_WIDTH_CHARACTERS, shutil.get_terminal_size().columns)
    return USUAL_WIDTH


def check_output(path: str | None, *, binary: bool) -> None:
    """Raises, before any work, if the output could not be written there."""
    if path is None:
        if sys.stdout is None:
            raise UsageError("standard output is closed", hint="write to a file with -o FILE")
        if binary and sys.stdout.isatty():
            raise UsageError(
                "parquet cannot be written to the terminal", hint="write it to a file with -o FILE"
            )
        return
    if not path:
        raise UsageError("the name of the output is empty", hint="name a file")
    if is_remote(path):
        from likewise.storage.destination import Destination

        Destination(path).check()
        return
    if path == "-":
        raise UsageError(
            "the output must be a file",
            hint="most commands write to stdout without -o; a file called - is ./-",
        )
    folder = Path(path).resolve().parent
    if Path(path).is_dir():
        raise UsageError(f"{path}: is a folder", hint="name a file in it")
    if Path(path).exists() and not Path(path).is_file():
        return  # a device or a pipe, which is written to and not replaced
    if not folder.is_dir():
        raise UsageError(f"{path}: folder {folder} does not exist", hint="create the folder first")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{path}: no permission to write in {folder}")


def check_new(path: str) -> None:
    """Raises if there is a file that would be replaced."""
    if _is_file(path):
        raise UsageError(
            f"{path}: already exists",
            hint="use `overwrite=True` to replace it, or choose another name",
        )


def _is_file(path: str) -> bool:
    if not is_remote(path):
        return Path(path).is_file()
    from likewise.storage.destination import Destination

    return Destination(path).file() is not None


def output_size(path: str) -> int:
    """The bytes of an output that is complete."""
    if not is_remote(path):
        return Path(path).stat().st_size
    from likewise.storage.destination import Destination

    file = Destination(path).file()
    return 0 if file is None else file.size or 0


def lost_index(path: str) -> str | None:
    """How an index would be lost if something else were written under this name; None if none."""
    for ending in _BESIDE_INDEX:
        if path.endswith(ending) and _is_index(path.removesuffix(ending)):
            return f"this file belongs to the index {path.removesuffix(ending)}"
    if _is_index(path):
        return "this is an index, and indexes are never overwritten"
    for folder, _, names in os.walk(path):
        for name in names:
            if _is_index(inside := os.path.join(folder, name)):
                return f"contains the index {inside}, and indexes are never overwritten"
    return None


def check_no_index(path: str) -> None:
    """Raises if an index would be lost."""
    if reason := lost_index(path):
        raise UsageError(f"{path}: {reason}", hint="choose another name")


def _is_index(path: str) -> bool:
    """Whether this is an SQLite file; no other is ever an output, either."""
    with suppress(OSError, ValueError):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read(len(_SQLITE)) == _SQLITE
    return False


def identity(path: str) -> tuple[int, int] | None:
    """What identifies a file or folder, whatever its names: hard and symbolic links lead to it.

    "-" is the file that stdin comes from. None if there is no file or folder, but for example a
    pipe, which cannot be overwritten.
    """
    try:
        facts = os.fstat(0) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return None
    if not (stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode)):
        return None
    return facts.st_dev, facts.st_ino


@contextmanager
def open_output(path: str | None, *, private: bool = False) -> Iterator[BinaryIO]:
    """Standard output, or a file: written aside, synced, and renamed when all went well.

    A file in a store is uploaded then. Nobody but its owner can read a private one.
    """
    if path is None:
        with _whole_writes(sys.stdout.buffer) as stream:
            yield stream
            stream.flush()
        return
    if is_remote(path):
        from likewise.storage.destination import open_stored_output

        with open_stored_output(path) as stream:
            yield stream
        return
    target = Path(path)
    if target.exists() and not target.is_file():  # a pipe or a device cannot be replaced
        with target.open("wb") as stream:
            yield stream
        return
    # The name is known before the file is there: no signal can come between the two.
    aside = target.resolve().parent / f".{target.name}.{secrets.token_hex(4)}"
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if not private:
            os.chmod(aside, _usual_mode(target))
        os.replace(aside, target.resolve())
    except BaseException as error:
        aside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(aside):
            error.filename = path  # the name that the user knows
        raise


@contextmanager
def _whole_writes(stream: BinaryIO) -> Iterator[BinaryIO]:
    """A stream that writes all it is given; where Python does not buffer, it may write a part."""
    if not isinstance(stream, io.RawIOBase):
        yield stream
        return
    buffered = io.BufferedWriter(stream)
    try:
        yield buffered
        buffered.flush()
    finally:
        buffered.detach()  # or it would close what it wrote to


def _usual_mode(target: Path) -> int:
    """What a plain open() would have given the file; ours is stricter while it is written."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
