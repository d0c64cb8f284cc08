"""What a run rests on: if any of it changes, an unfinished run cannot be gone on with."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from likewise.errors import SourceError

if TYPE_CHECKING:
    from likewise.dedup.workspace import Facts
    from likewise.documents.rows import RowSource


def identity_of(source: RowSource) -> Facts:
    """The files by name, size and time of their last change."""
    digest = hashlib.sha256()
    files = 0
    for file in source.files:
        for origin in file.origins:
            digest.update(repr((origin.name, *state_of(origin.path or ""))).encode())
            files += 1
    return {"files": files, "sha256": digest.hexdigest()}


def state_of(path: str) -> tuple[int, int]:
    """Size and time of the last change of a file."""
    try:
        facts = os.stat(path)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error
    return facts.st_size, facts.st_mtime_ns
