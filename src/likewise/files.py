"""Where data goes. A file appears under its name complete, or not at all."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from likewise.errors import UsageError

USUAL_WIDTH = 100
MIN_WIDTH_CHARACTERS = 40


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
    if Path(path).is_file():
        raise UsageError(
            f"{path}: already exists", hint="use --overwrite to replace it, or choose another name"
        )


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

    Nobody but its owner can read a private one.
    """
    if path is None:
        with _whole_writes(sys.stdout.buffer) as stream:
            yield stream
            stream.flush()
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
