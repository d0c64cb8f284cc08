"""Cleanup after a run that was killed: its half-written output is recognized and removed."""

from __future__ import annotations

import os
import re
import shutil
import stat
from pathlib import Path

Source = str | os.PathLike[str]


def node_of(path: Source) -> list[int]:
    """What identifies a file or folder whatever its name.

    The time too: the number of a deleted file is given to the next one.
    """
    facts = os.stat(path)
    return [facts.st_dev, facts.st_ino, facts.st_mtime_ns]


def remove_unfinished(out: Source) -> None:
    """Removes the half-written output of a run that was killed, which is next to `out`."""
    target = Path(os.path.realpath(out))
    aside = re.compile(re.escape(f".{target.name}.") + r"[a-z0-9_]{8}")
    if not target.parent.is_dir():
        return
    for path in target.parent.iterdir():
        if (
            aside.fullmatch(path.name)
            and path.suffix != ".likewise"
            and _is_private(path)
            and {entry.name for entry in path.iterdir()} <= {"new"}
        ):
            shutil.rmtree(path, ignore_errors=True)


def _is_private(path: Path) -> bool:
    """Whether it is a folder for this user alone, as `tempfile` makes them. Others seldom are."""
    facts = path.lstat()
    return stat.S_ISDIR(facts.st_mode) and (stat.S_IMODE(facts.st_mode), facts.st_uid) == (
        0o700,
        os.geteuid(),
    )
