"""`Workspace`: what a run has done so far, on disk, so that the next one can resume it.

A stage writes its files aside, syncs and renames them, and is then noted in the manifest. A run
that is killed at any moment leaves a manifest that is correct.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import LikewiseError, UsageError

FORMAT = 1
MANIFEST = "manifest.json"
CHUNK = 1 << 20  # items read or written at a time

Facts = dict[str, Any]


class Workspace:
    """A folder of one run: the manifest, and files of the stages."""

    def __init__(self, folder: Path, identity: Facts, *, resume: bool = True) -> None:
        """Resumes a run of the same inputs and settings, or starts over.

        Args:
            folder: created if it does not exist; its parent must.
            identity: all that affects the result: version, settings, inputs.
            resume: resume an unfinished run; otherwise it is discarded.

        Raises `UsageError` if the folder belongs to another run, or to one in progress.
        """
        self.folder = folder
        self.resumed = False
        fresh = not folder.exists()
        if not folder.parent.is_dir():
            raise UsageError(
                f"folder {folder.parent} does not exist", hint="create the folder first"
            )
        if folder.is_symlink():  # what it leads to is not ours to clear
            raise UsageError(f"{folder}: is a link; working files need a real folder",
                             hint="remove the link, or choose another `scratch`")  # fmt: skip
        with disk_errors(folder):
            folder.mkdir(exist_ok=True)
        self._lock = self._acquire_lock()
        try:
            self._manifest = self._begin(identity, resume, fresh)
        except BaseException:
            self._lock.close()
            if fresh:
                shutil.rmtree(folder, ignore_errors=True)
            raise

    def _acquire_lock(self) -> IO[bytes]:
        lock = open(self.folder / "lock", "wb")  # noqa: SIM115
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise UsageError(
                f"{self.folder}: another run is using this folder",
                hint="wait until it has finished, or choose another output",
            ) from None
        return lock

    def _begin(self, identity: Facts, resume: bool, fresh: bool) -> Facts:
        identity = json.loads(json.dumps({"format": FORMAT, **identity}))
        path = self.folder / MANIFEST
        if path.exists() and resume:
            earlier: Facts = {}
            with suppress(ValueError):
                earlier = json.loads(path.read_bytes())
            if earlier.get("identity") != identity:
                difference = _difference(earlier, identity)
                raise UsageError(
                    f"{self.folder} is from an unfinished run with {difference}",
                    hint="use `resume=False` to discard it and start over",
                )
            self.resumed = bool(earlier["stages"] or earlier["cursors"])
            return earlier
        if not fresh:
            self._clear()
        self._manifest = {"identity": identity, "stages": {}, "cursors": {}}
        self._save()
        return self._manifest

    def _clear(self) -> None:
        for path in self.folder.iterdir():
            if path.name == "lock":
                continue
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def remove(self) -> None:
        """Deletes all of it: first what says that there is a run to resume."""
        self.drop(MANIFEST)
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.close()

    def close(self) -> None:
        """Leaves it for the next run."""
        self._lock.close()

    # --- stages

    def facts(self, stage: str) -> Facts | None:
        """The result of a finished stage; None if it is not finished."""
        facts: Facts | None = self._manifest["stages"].get(stage)
        return facts

    def finish(self, stage: str, facts: Facts) -> None:
        """Notes that a stage is finished; its files are synced."""
        self._manifest["stages"][stage] = facts
        self._manifest["cursors"].pop(stage, None)
        self._save()

    def cursor(self, stage: str) -> Facts:
        """How far an unfinished stage has come; empty if it has not begun."""
        cursor: Facts = self._manifest["cursors"].get(stage, {})
        return cursor

    def advance(self, stage: str, cursor: Facts) -> None:
        """Notes how far a stage has come."""
        self._manifest["cursors"][stage] = cursor
        self._save()

    def _save(self) -> None:
        with self.aside(MANIFEST) as file:
            file.write(json.dumps(self._manifest).encode())

    # --- files

    def path(self, name: str) -> Path:
        return self.folder / name

    def drop(self, *names: str) -> None:
        """Removes files that are not needed any more."""
        for name in names:
            self.path(name).unlink(missing_ok=True)

    @contextmanager
    def aside(self, name: str) -> Iterator[IO[bytes]]:
        """A file that gets its name when it is complete and synced."""
        path = self.path(f"{name}.part")
        with disk_errors(self.folder):
            with open(path, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(path, self.path(name))

    def save(self, name: str, array: NDArray[Any]) -> None:
        """An array as the bytes of its numbers."""
        with self.aside(name) as file:
            file.write(plain_bytes(array))

    def load(self, name: str, kind: Any) -> NDArray[Any]:
        """The whole array."""
        return np.fromfile(self.path(name), dtype=kind)

    def chunks(self, name: str, kind: Any, items: int = CHUNK) -> Iterator[NDArray[Any]]:
        """The array in parts, one after another."""
        with open(self.path(name), "rb") as file:
            while len(part := np.fromfile(file, dtype=kind, count=items)):
                yield part

    def slice(self, name: str, kind: Any, start: int, stop: int) -> NDArray[Any]:
        """Some consecutive numbers of an array."""
        width = np.dtype(kind).itemsize
        return np.fromfile(self.path(name), kind, count=stop - start, offset=start * width)


class Appender:
    """Files of a stage that grow together, and are cut back to the last note after a kill."""

    EVERY = 5.0  # seconds between notes: syncing after each of many small files would take long

    def __init__(self, workspace: Workspace, stage: str, names: list[str]) -> None:
        self._workspace = workspace
        self._stage = stage
        self.cursor = dict(workspace.cursor(stage))
        sizes = self.cursor.pop("sizes", {})
        self._files: dict[str, IO[bytes]] = {}
        self._noted = time.monotonic()
        with disk_errors(workspace.folder):
            for name in names:
                file = open(workspace.path(name), "ab")  # noqa: SIM115
                self._files[name] = file
                file.truncate(sizes.get(name, 0))
                file.seek(0, os.SEEK_END)

    def append(self, name: str, array: NDArray[Any] | bytes | memoryview) -> None:
        """Writes numbers, or bytes, behind those that are there."""
        data = array if isinstance(array, bytes | memoryview) else plain_bytes(array)
        try:
            self._files[name].write(data)
        except OSError as error:
            raise disk_error(error, self._workspace.folder) from error

    def size(self, name: str) -> int:
        """Bytes in a file so far."""
        return self._files[name].tell()

    def note(self, cursor: Facts) -> None:
        """Notes how far the stage has come, if the last note is some seconds old."""
        if time.monotonic() - self._noted >= self.EVERY:
            self._sync()
            sizes = {name: file.tell() for name, file in self._files.items()}
            self._workspace.advance(self._stage, {**cursor, "sizes": sizes})
            self._noted = time.monotonic()

    def _sync(self) -> None:
        with disk_errors(self._workspace.folder):
            for file in self._files.values():
                file.flush()
                os.fsync(file.fileno())

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        try:
            if error is None:
                self._sync()
        finally:
            for file in self._files.values():
                with suppress(OSError):  # what could not be flushed will be written again
                    file.close()


def plain_bytes(array: NDArray[Any]) -> memoryview:
    """The bytes of an array's numbers."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Raises an error of writing as one that says what to do."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, folder) from error


def disk_error(error: OSError, folder: Path) -> LikewiseError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return LikewiseError(
            f"the disk is full: {folder} cannot be written",
            hint="free some space, or put the working files on another disk with `scratch`",
        )
    return LikewiseError(f"{folder} cannot be written: {error.strerror or error}")


def _difference(earlier: Facts, identity: Facts) -> str:
    before = earlier.get("identity", {})
    if before.get("inputs") != identity.get("inputs"):
        return "other inputs, or inputs that have since changed"
    if before.get("settings") != identity.get("settings"):
        old, new = before.get("settings", {}), identity["settings"]
        names = [name for name in new if old.get(name) != new[name]]
        return f"other settings ({', '.join(names)})"
    if before.get("against") != identity.get("against"):
        return "another source of earlier documents, or one that has since changed"
    return "another version of likewise"
