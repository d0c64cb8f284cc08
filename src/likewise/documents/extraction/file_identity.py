"""`FileState`: whether a file is the one that was read before, without reading it again."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import astuple, dataclass

# A file that has just been changed may be changed again within the clock's resolution.
_SETTLED_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class FileState:
    """What the file system says about a file.

    The time of the last change to the file's node (ctime) cannot be set by a program: who writes to
    a file and puts its time of modification back still leaves a trace.
    """

    path: str
    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, path: str) -> FileState | None:
        """Of a regular file that has been left alone for a while; None for any other."""
        try:
            facts = os.stat(path)
        except OSError:
            return None
        newest = max(facts.st_mtime, facts.st_ctime)
        if not os.path.isfile(path) or time.time() - newest < _SETTLED_SECONDS:
            return None
        return cls(
            os.path.abspath(path), facts.st_dev, facts.st_ino, facts.st_size,
            facts.st_mtime_ns, facts.st_ctime_ns,
        )  # fmt: skip

    def key(self, kind: str) -> str:
        """A name for the file in this state, taken for a document of a kind."""
        return hashlib.sha256(repr((astuple(self), kind)).encode()).hexdigest() + "-seen"
