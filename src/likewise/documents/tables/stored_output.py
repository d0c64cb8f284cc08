"""`StoredOutput`: rows that go to a store. They are written on this machine first.

So a run that fails or is killed has changed nothing there, and what is uploaded is complete. A
file appears at once; the files of a folder one after the other, within the time that the last
requests take, and `_SUCCESS` after them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import TYPE_CHECKING

from likewise.documents.tables.output import explain_full
from likewise.errors import UsageError
from likewise.storage.address import is_below, shown
from likewise.storage.destination import Destination

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likewise.documents.tables.source import RowSource

_STAGED = "staged"


class StoredOutput:
    """A file or a folder in a store. Raises `UsageError` where nothing can be written to it."""

    def __init__(self, address: str) -> None:
        self._destination = Destination(address)
        self._address = self._destination.address
        self._name = shown(address)

    def check(self, source: RowSource, *, overwrite: bool) -> None:
        """Raise `UsageError` if it exists, lies inside the source, or holds it."""
        for path in source.paths:
            if path.rstrip("/") == self._address:
                raise UsageError(
                    f"{self._name}: this is the source itself", hint="name another file or folder"
                )
            if not source.alone and is_below(self._address, path):
                raise UsageError(
                    f"{self._name}: is inside the source {path}, and would be read as input next "
                    "time",
                    hint="choose an output outside the source",
                )
        for file in source.files:
            for origin in file.origins:
                path = origin.path or ""
                if path == self._address or is_below(path, self._address):
                    raise UsageError(
                        f"{self._name}: contains the source {origin.name}",
                        hint="name another folder",
                    )
        if source.alone and any(self._destination.folder()):
            raise UsageError(
                f"{self._name}: is a folder, but a file would be written",
                hint="choose another name",
            )
        if not source.alone and self._destination.file() is not None:
            raise UsageError(
                f"{self._name}: is a file, but a folder would be written",
                hint="choose another name",
            )
        if not overwrite and self._exists(folder=not source.alone):
            raise UsageError(
                f"{self._name}: already exists",
                hint="use `overwrite=True` to replace it, or choose another name",
            )

    def _exists(self, *, folder: bool) -> bool:
        if folder:
            return any(self._destination.folder())
        return self._destination.file() is not None

    @contextlib.contextmanager
    def open(
        self, aside: str | None, *, folder: bool, overwrite: bool, remove_others: bool
    ) -> Iterator[str]:
        """Give a path on this machine to write to, and upload what is there if all went well."""
        with explain_full(self._name), contextlib.ExitStack() as stack:
            if aside is None:
                home = tempfile.mkdtemp(prefix="likewise-")
            else:
                home = os.path.join(aside, _STAGED)
                shutil.rmtree(home, ignore_errors=True)  # of a run that was killed
                os.mkdir(home, 0o700)
            stack.callback(shutil.rmtree, home, ignore_errors=True)
            path = os.path.join(home, "new")
            if folder:
                os.mkdir(path)
            keep = stack.pop_all()
        with keep:
            yield path
            if not overwrite and self._exists(folder=folder):
                raise UsageError(
                    f"{self._name}: was created by another process during the run",
                    hint="choose another name",
                )
            if folder:
                self._destination.publish_folder(path, remove_others=remove_others)
            else:
                self._destination.publish_file(path)
