"""`Store`: where files are that are not on this machine; `FsspecStore`: any fsspec filesystem."""

from __future__ import annotations

import os
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, Any, cast

from likewise.errors import SourceError
from likewise.storage.address import path_of, scheme_of, shown
from likewise.storage.failures import has_changed
from likewise.storage.range_reader import RangeReader
from likewise.storage.retry import Attempts
from likewise.storage.stored_file import StoredFile

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_VERSIONS = ("ETag", "etag", "blob_id", "generation", "md5Hash", "content_md5", "checksum")
_TIMES = ("mtime", "LastModified", "last_modified", "updated", "modified", "created")


class Store(ABC):
    """Where files are.

    Attributes:
        attempts: repeats requests that fail for a reason that passes.
        is_conditional: `fetch` fails if the file is not in the version that was listed.
        has_folders: a file is in a folder, instead of its name just starting like that.
        is_writable: files can be uploaded.
        uploads_at_once: how many of them side by side.
    """

    is_conditional = False
    is_writable = True
    uploads_at_once = 1
    has_folders = True

    def __init__(self) -> None:
        self.attempts = Attempts()

    @abstractmethod
    def file(self, address: str) -> StoredFile | None:
        """Return the file with this very address; None if there is none."""

    @abstractmethod
    def find(self, prefix: str) -> Iterator[StoredFile]:
        """Yield the files whose addresses start with this, in any order.

        It may yield more files, of the folder that the prefix lies in.
        """

    @abstractmethod
    def read(self, file: StoredFile, start: int, stop: int) -> bytes:
        """Return these bytes of a file. One attempt; raises errors of libraries."""

    def open(self, file: StoredFile, *, exact: bool) -> IO[bytes]:
        """Open a file for reading."""
        return cast("IO[bytes]", RangeReader(file, exact=exact))

    def fetch(self, file: StoredFile, start: int, stop: int) -> bytes:
        """Return these bytes of a file."""
        return self.attempts(lambda: self.read(file, start, stop), file.address)

    def check(self, file: StoredFile) -> None:
        """Raise if the file is not in this version any longer; for stores that `read` any."""
        raise NotImplementedError

    @abstractmethod
    def put(self, source: str, address: str) -> None:
        """Upload a file from this machine; it appears complete, and replaces what is there."""

    @abstractmethod
    def remove(self, files: list[StoredFile]) -> None:
        """Delete files."""


class FsspecStore(Store):
    """A filesystem of fsspec.

    Args:
        filesystem: of fsspec.
        appears_complete: a file that is uploaded is not visible before it is complete.
        options: for opening a file.
        uploads_at_once: how many files are uploaded side by side.
    """

    def __init__(
        self,
        filesystem: AbstractFileSystem,
        *,
        appears_complete: bool = False,
        options: dict[str, Any] | None = None,
        uploads_at_once: int = 1,
    ) -> None:
        super().__init__()
        self.filesystem: Any = filesystem
        self.has_folders = not appears_complete
        self.uploads_at_once = uploads_at_once
        self._options = options or {}

    def _path(self, address: str) -> str:
        if scheme_of(address) in _protocols(self.filesystem):
            return str(self.filesystem._strip_protocol(address))
        return str(self.filesystem._strip_protocol(path_of(address)))

    def _stored(self, info: dict[str, Any], address: str) -> StoredFile:
        known = (str(info[name]) for name in (*_VERSIONS, *_TIMES) if info.get(name) is not None)
        version = next(known, "")
        return StoredFile(self, str(info["name"]), shown(address), info.get("size"), version)

    def _info(self, path: str, address: str) -> dict[str, Any] | None:
        def look() -> dict[str, Any] | None:
            self.filesystem.invalidate_cache()
            try:
                return cast("dict[str, Any]", self.filesystem.info(path))
            except (FileNotFoundError, NotADirectoryError):
                return None

        return self.attempts(look, address)

    def file(self, address: str) -> StoredFile | None:
        if address.endswith("/"):
            return None
        info = self._info(self._path(address), address)
        return self._stored(info, address) if info and info["type"] == "file" else None

    def check(self, file: StoredFile) -> None:
        info = self._info(file.path, file.address)
        if info is None or self._stored(info, file.address).state() != file.state():
            raise has_changed(file.address)

    def find(self, prefix: str) -> Iterator[StoredFile]:
        folder = prefix.rpartition("/")[0]
        path = self._path(folder)
        start = len(path.rstrip("/"))

        def look() -> list[dict[str, Any]]:
            self.filesystem.invalidate_cache()
            try:
                return list(self.filesystem.find(path, detail=True).values())
            except (FileNotFoundError, NotADirectoryError):
                return []

        for info in self.attempts(look, prefix):
            name = str(info["name"])
            if info["type"] == "file" and not name.endswith("/"):
                yield self._stored(info, folder + name[start:])

    def read(self, file: StoredFile, start: int, stop: int) -> bytes:
        return cast(
            "bytes", self.filesystem.cat_file(file.path, start=start, end=stop, **self._options)
        )

    def put(self, source: str, address: str) -> None:
        path = self._path(address)
        if not self.has_folders:
            self.attempts(lambda: self.filesystem.put_file(source, path), address)
            return
        folder, _, name = path.rpartition("/")
        aside = f"{folder}/.{name}.{secrets.token_hex(4)}"

        def upload() -> None:
            self.filesystem.makedirs(folder, exist_ok=True)
            self.filesystem.put_file(source, aside)

        try:
            self.attempts(upload, address)
            self.attempts(lambda: self._rename(aside, path), address)
        except BaseException:
            self._discard(aside)
            raise

    def _rename(self, aside: str, path: str) -> None:
        try:
            self.filesystem.mv(aside, path)
        except FileExistsError:  # not all replace what is there
            self.filesystem.rm_file(path)
            self.filesystem.mv(aside, path)

    def _discard(self, path: str) -> None:
        try:
            if self.filesystem.exists(path):
                self.filesystem.rm_file(path)
        except Exception as error:
            raise SourceError(
                f"{os.path.basename(path)}: an unfinished upload could not be removed"
            ) from error

    def remove(self, files: list[StoredFile]) -> None:
        for file in files:
            self.attempts(partial(self.filesystem.rm_file, file.path), file.address)


def _protocols(filesystem: Any) -> tuple[str, ...]:
    own = filesystem.protocol
    return (own,) if isinstance(own, str) else tuple(own)
