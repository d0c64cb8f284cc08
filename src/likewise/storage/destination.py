"""`Destination`: an address that a file or a folder is written to."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

from likewise.errors import SourceError, UsageError
from likewise.storage.address import path_of, shown
from likewise.storage.pending_uploads import pending_uploads
from likewise.storage.registry import store_for
from likewise.storage.s3 import S3Store
from likewise.storage.stored_file import StoredFile
from likewise.storage.upload import S3Upload, Upload

COMPLETE = "_SUCCESS"
"""The name of an empty file that is written to a folder last, as Spark and Hadoop do."""


class Destination:
    """A file or a folder in a store, which appears complete.

    Raises `UsageError` where nothing can be written.
    """

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.name = shown(address)
        self.store = store_for(address)
        if not self.store.is_writable:
            raise UsageError(
                f"{self.name}: nothing can be written to a web server",
                hint="name a file on this machine, or in an object store such as s3://",
            )
        if not path_of(self.address).strip("/"):
            raise UsageError(f"{self.name}: names no file or folder", hint="add its name")

    def check(self) -> None:
        """Raise, before any work, if no file can be written here, as far as that shows already."""
        is_folder = False
        with contextlib.suppress(SourceError):  # who may write need not be allowed to look
            self.store.file(self.address)
            is_folder = any(self.folder())
        if is_folder:
            raise UsageError(f"{self.name}: is a folder", hint="name a file in it")

    def file(self) -> StoredFile | None:
        """Return the file that is there."""
        return self.store.file(self.address)

    def folder(self) -> Iterator[StoredFile]:
        """Yield the files below the address."""
        folder = self.address + "/"
        return (file for file in self.store.find(folder) if file.address.startswith(folder))

    def publish_file(self, source: str) -> None:
        """Upload a file from this machine to the address."""
        with self._upload() as upload:
            upload.transfer([(source, self.address)])
            upload.complete()

    def publish_folder(self, source: str, *, remove_others: bool) -> None:
        """Upload a folder from this machine: `COMPLETE` is written last, and removed first.

        `remove_others`: delete the files that were there and are not in the folder.
        """
        files = [
            (path, f"{self.address}/{os.path.relpath(path, source).replace(os.sep, '/')}")
            for parent, _, names in os.walk(source)
            for path in (os.path.join(parent, name) for name in names)
        ]
        files.sort(key=lambda item: item[1])
        marker = f"{self.address}/{COMPLETE}"
        with self._upload() as upload:
            upload.transfer(files)
            if (earlier := self.store.file(marker)) is not None:
                self.store.remove([earlier])
            upload.complete()
            if remove_others:
                new = {address for _, address in files}
                self.store.remove([file for file in self.folder() if file.address not in new])
        with tempfile.NamedTemporaryFile() as empty:
            self.store.put(empty.name, marker)

    @contextlib.contextmanager
    def _upload(self) -> Iterator[Upload]:
        if not isinstance(self.store, S3Store):
            yield Upload(self.store)
            return
        with (
            pending_uploads(self.address) as pending,
            S3Upload(self.store, pending) as upload,
        ):
            yield upload


@contextlib.contextmanager
def open_stored_output(address: str) -> Iterator[BinaryIO]:
    """Give a file on this machine to write to, and upload it when all went well."""
    destination = Destination(address)
    with tempfile.TemporaryDirectory(prefix="likewise-") as folder:
        path = os.path.join(folder, "new")
        with open(path, "xb") as stream:
            yield stream
        destination.publish_file(path)
