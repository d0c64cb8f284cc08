"""The identity of the inputs: if it changes, an unfinished run cannot be resumed."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from likewise.errors import SourceError, UsageError
from likewise.files import identity
from likewise.storage.address import is_remote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.dedup.files.workspace import Facts
    from likewise.documents.tables.source import RowSource


def identity_of(source: RowSource) -> Facts:
    """The files by name, size and time of their last change."""
    digest = hashlib.sha256()
    files = 0
    for file in source.files:
        for origin in file.origins:
            if origin.stored is None:
                state: tuple[object, ...] = state_of(origin.path or "")
            else:  # as it was listed: every part that is read is of this version
                state = origin.stored.state()
            digest.update(repr((origin.name, *state)).encode())
            files += 1
    return {"files": files, "sha256": digest.hexdigest()}


def check_unchanged(source: RowSource, before: Facts) -> None:
    """Raise `SourceError` if a file has changed since its rows were judged."""
    if identity_of(source) != before:
        raise SourceError(
            "a source has changed since it was read",
            hint="start over, and do not change the files during the run",
        )


def check_apart(name: str, path: str, others: Sequence[str]) -> None:
    """Refuse to write a file that would replace one of `others`."""
    if is_remote(path):
        if path in others:
            raise _overwritten(name, path)
        return
    real, known = os.path.realpath(path), identity(path)
    if any(
        real == os.path.realpath(other) or (known is not None and known == identity(other))
        for other in others
    ):
        raise _overwritten(name, path)


def _overwritten(name: str, path: str) -> UsageError:
    return UsageError(
        f"{name} {path}: would overwrite another file of this run", hint="name another file"
    )


def check_no_source(name: str, path: str, source: RowSource) -> None:
    """The same for all the files of a source."""
    if is_remote(path) or os.path.exists(path):
        files = (origin.path or "" for file in source.files for origin in file.origins)
        check_apart(name, path, tuple(files))


def state_of(path: str) -> tuple[int, int]:
    """Size and time of the last change of a file."""
    try:
        facts = os.stat(path)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error
    return facts.st_size, facts.st_mtime_ns
