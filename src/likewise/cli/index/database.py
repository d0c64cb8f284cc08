"""The index that a verb is about: its argument, and what is said of it."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.index.settings import IndexSettings


def add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("database", metavar="DB", help="the index file")


def check_target(database: str, path: str | None, *, binary: bool) -> None:
    """Raises, before any work, if the output could not be written there, or is the index."""
    from likewise.files import check_output

    check_output(path, binary=binary)
    if path in {f"{database}{suffix}" for suffix in ("-wal", "-shm", "-journal")}:
        raise UsageError(f"{path}: this file belongs to the index", hint="name another file")
    if path is None or not os.path.exists(path) or not os.path.exists(database):
        return
    if os.path.samefile(path, database):
        raise UsageError(f"{path}: this file is the index itself", hint="name another file")


def promise(settings: IndexSettings) -> str:
    """What the index finds without looking at every document."""
    return settings.layout.described(settings.threshold)
