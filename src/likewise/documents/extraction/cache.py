"""`Cache`: text that was extracted before, by the content of the file it came from.

A folder of small files, written by `cache_entry`. Their names are hashes of the content, the kind
and the version of the reader, so an entry is never out of date. Beside them are notes by
`FileState`, with the hash of the content: a file that nobody has touched is not read again. Several
processes may share the folder; damaged entries are ignored; the least recently used go first.

The cache is a convenience: if the folder cannot be used, nothing is cached, and nothing is said.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator

MAX_CACHE_BYTES = 1 << 30
_PRUNE_EVERY = 64 << 20  # bytes written between two looks at the size of the folder
_PRUNE_TO = 0.9
_SUFFIX = ".text"
_ASIDE = ".part"
_OLD_SECONDS = 3600.0


def cache_folder() -> str | None:
    """Return the user's folder for caches of this program; None if there is no such place."""
    if own := os.environ.get("LIKEWISE_CACHE"):
        return own
    from platformdirs import user_cache_dir

    folder = user_cache_dir("likewise", appauthor=False)
    return folder if os.path.isabs(folder) else None


def content_digest(data: bytes) -> str:
    """Return the hash of a file's content."""
    return hashlib.sha256(data).hexdigest()


def cache_key(digest: str, kind: str, version: str, encoding: str | None) -> str:
    """Return the name of the entry for a file's content, read in one way."""
    way = hashlib.sha256(repr((kind, version, encoding)).encode()).hexdigest()
    return f"{digest}-{kind}-{way[:16]}"


class Cache:
    """A folder of entries by key.

    Args:
        folder: made when the first entry is written, readable by its owner alone.
        max_bytes: how much is kept, about.
    """

    def __init__(self, folder: str | os.PathLike[str], max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._folder = os.path.join(os.fspath(folder), "texts")
        self._max_bytes = max_bytes
        self._since_pruned = 0
        self._usable = True

    def get(self, key: str) -> bytes | None:
        """Return an entry, None if there is none."""
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                entry = file.read(self._max_bytes)
        except OSError:
            return None
        with contextlib.suppress(OSError):
            # The time of the last use; set only where it makes a difference.
            if time.time() - os.stat(path).st_mtime > _OLD_SECONDS:
                os.utime(path)
        return entry

    def put(self, key: str, entry: bytes) -> None:
        """Keep an entry, if that can be done."""
        if not self._usable or len(entry) > self._max_bytes:
            return
        try:
            self._write(self._path(key), entry)
        except OSError:
            self._usable = False  # a full disk, a folder of somebody else: not to be tried again
            return
        self._since_pruned += len(entry)
        if self._since_pruned >= min(_PRUNE_EVERY, self._max_bytes):
            self.prune()

    def close(self) -> None:
        """See to the size of the folder, if anything was written."""
        if self._since_pruned:
            self.prune()

    def prune(self) -> None:
        """Delete what was used least recently until the rest is well below the limit."""
        self._since_pruned = 0
        now = time.time()
        entries: list[tuple[float, int, str]] = []
        for file in self._files():
            with contextlib.suppress(OSError):  # another process may prune as well
                facts = file.stat()
                if file.name.endswith(_SUFFIX):
                    entries.append((facts.st_mtime, facts.st_size, file.path))
                elif file.name.endswith(_ASIDE) and now - facts.st_mtime > _OLD_SECONDS:
                    os.unlink(file.path)  # left by a process that was killed
        total = sum(size for _, size, _ in entries)
        if total <= self._max_bytes:
            return
        for _, size, path in sorted(entries):
            if total <= self._max_bytes * _PRUNE_TO:
                break
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size

    def _path(self, key: str) -> str:
        return os.path.join(self._folder, key[:2], key + _SUFFIX)

    def _write(self, path: str, entry: bytes) -> None:
        folder = os.path.dirname(path)
        if not os.path.isdir(folder):
            os.makedirs(os.path.dirname(self._folder), exist_ok=True)
            for made in (self._folder, folder):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(made, 0o700)
        handle, aside = tempfile.mkstemp(_ASIDE, "", folder)
        try:
            with open(handle, "wb") as file:
                file.write(entry)
            os.replace(aside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(aside)
            raise

    def _files(self) -> Iterator[os.DirEntry[str]]:
        with contextlib.suppress(OSError), os.scandir(self._folder) as folders:
            for folder in folders:
                with contextlib.suppress(OSError), os.scandir(folder.path) as files:
                    yield from files
