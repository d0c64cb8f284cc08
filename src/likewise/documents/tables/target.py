"""`Target`: where the rows go. It appears under its name complete, or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import TYPE_CHECKING

from likewise.documents.kinds import EXTENSIONS, split_name
from likewise.documents.origin import PACKED
from likewise.documents.tables.output import explain_full, sync_folder
from likewise.documents.tables.stored_output import StoredOutput
from likewise.documents.texts import scrub
from likewise.errors import UsageError
from likewise.storage.address import is_remote, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from likewise.documents.origin import Origin
    from likewise.documents.tables.source import RowSource
    from likewise.documents.tables.table import Table

# Formats that are not written, or are not told by the name alone.
_OTHERS = frozenset(
    (".json", ".orc", ".avro", ".xlsx", ".xls", ".ods", ".db", ".sqlite", ".bz2", ".xz", ".7z")
)

ANNOTATIONS = "annotations.jsonl"
"""The file with the annotations of documents, which have no rows to add them to."""


class Target:
    """A file, where the source is one file that the user named; else a folder.

    Args:
        source: what will be written.
        out: the name of the file or the folder.
        overwrite: replace what is there.
        annotations: the schema of what is added to every row, but for the types of ids; None to
            leave rows out instead. Its names should be given to `open_rows` as `reserved`.
        own: what is there is an unfinished output of this run, and is replaced.
        aside: a folder on the same file system in which the output is written until it is whole;
            else it is written beside its final place, under a hidden name. An output in a store
            is uploaded from there, else from the system's folder for temporary files.

    Raises `UsageError` where the output exists, lies inside the source or holds it, or cannot be
    written.
    """

    def __init__(
        self,
        source: RowSource,
        out: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        annotations: pa.Schema | None = None,
        own: bool = False,
        aside: str | os.PathLike[str] | None = None,
    ) -> None:
        self.out = os.fspath(out)
        self._stored = StoredOutput(self.out) if is_remote(self.out) else None
        self.name = scrub(shown(self.out))
        self.folder = not source.alone
        self.annotations = annotations
        self._overwrite = overwrite or own
        self._remove_others = overwrite
        self._aside = None if aside is None else os.fspath(aside)
        self.paths = _paths(source)
        self._check(source)

    def _check(self, source: RowSource) -> None:
        if not self.out:
            raise UsageError("the name of the output is empty", hint="name a file or a folder")
        if not self.folder:
            self._check_name(source.files[0])
        self._check_annotations(source)
        if self._stored is not None:
            self._stored.check(source, overwrite=self._overwrite)
            return
        real = os.path.realpath(self.out)
        self._check_sources(source, real)
        if os.path.lexists(self.out):
            self._check_existing(real)
        parent = os.path.dirname(real)
        if not os.path.isdir(parent):
            raise UsageError(
                f"{self.name}: folder {scrub(parent)} does not exist", hint="create it first"
            )
        if not os.access(parent, os.W_OK):
            raise UsageError(f"{self.name}: no permission to write in {scrub(parent)}")

    def _check_annotations(self, source: RowSource) -> None:
        documents = any(file.kind == "documents" for file in source.files)
        if self.annotations is not None and documents and ANNOTATIONS in self.paths.values():
            raise UsageError(
                f"the source already has a file {ANNOTATIONS}, which would be written",
                hint="rename that file first",
            )

    def _check_sources(self, source: RowSource, real: str) -> None:
        for path in map(os.path.realpath, source.paths):
            if path == real:
                raise UsageError(
                    f"{self.name}: this is the source itself", hint="name another file or folder"
                )
            if os.path.isdir(path) and _is_inside(real, path):
                raise UsageError(
                    f"{self.name}: is inside the source {scrub(path)}, and would be read as input "
                    "next time",
                    hint="choose an output outside the source",
                )
        for file in source.files:
            for origin in file.origins:
                path = os.path.realpath(origin.path or "")
                if path == real or _is_inside(path, real):
                    raise UsageError(
                        f"{self.name}: contains the source {origin.name}",
                        hint="name another folder",
                    )

    def _check_name(self, file: Table) -> None:
        """Raise if the name promises another format: rows are written as they are read."""
        origin = file.origin
        named, given = split_name(self.out), split_name(origin.path or "")
        other = named[0] if named[0] in _OTHERS else ""
        kind = EXTENSIONS.get(named[0], other) if named[0] else ""
        if file.kind == "lines" and self.annotations is not None:
            written, ending = "jsonl", ".jsonl"
        else:
            written, ending = file.kind, given[0]
            if named == given:
                return
        if not kind and named[1] is None:
            return  # it promises nothing
        fits = kind in ("", written) or (kind, written) == ("text", "lines")
        fits = fits and file.may_be_called(named[0])
        if not fits or named[1] != origin.compression:
            ending += next((end for end, how in PACKED.items() if how == origin.compression), "")
            raise UsageError(
                f"{self.name}: the output is in the format of the source, {ending or 'plain text'}",
                hint=f"choose a name that ends in {ending}" if ending else "choose another name",
            )

    def _check_existing(self, real: str) -> None:
        if self.folder != os.path.isdir(real):
            what, other = ("a folder", "a file") if self.folder else ("a file", "a folder")
            raise UsageError(
                f"{self.name}: is {other}, but {what} would be written", hint="choose another name"
            )
        if not self.folder and not os.path.isfile(real):
            raise UsageError(f"{self.name}: is not a regular file", hint="choose another name")
        if not self._overwrite:
            raise UsageError(
                f"{self.name}: already exists",
                hint="use `overwrite=True` to replace it, or choose another name",
            )
        if self.folder and (os.path.ismount(real) or _is_inside(os.getcwd(), real)):
            raise UsageError(
                f"{self.name}: cannot be replaced, as it contains the current folder",
                hint="choose another folder",
            )

    @contextlib.contextmanager
    def open(self) -> Iterator[str]:
        """Give a path aside to write to, and put what is there under its name if all went well.

        For a file the path is free; for a folder it is an empty folder.
        """
        if self._stored is not None:
            with self._stored.open(
                self._aside, folder=self.folder, overwrite=self._overwrite,
                remove_others=self._remove_others,
            ) as aside:  # fmt: skip
                yield aside
            return
        real = os.path.realpath(self.out)
        parent, name = os.path.split(real)
        with explain_full(self.name):
            home = tempfile.mkdtemp(prefix=f".{name}.", dir=self._aside or parent)
        aside = os.path.join(home, "new")
        try:
            with explain_full(self.name):
                if self.folder:
                    os.mkdir(aside)
            yield aside
            with explain_full(self.name):
                if self.folder:
                    for folder, _, _ in os.walk(aside):
                        sync_folder(folder)
                elif os.path.exists(real):
                    shutil.copymode(real, aside)
                if not self._overwrite and os.path.lexists(self.out):
                    raise UsageError(
                        f"{self.name}: was created by another process during the run",
                        hint="choose another name",
                    )
                _put(aside, real, os.path.join(home, "old"))
                sync_folder(parent)
        finally:
            # What was there before is never deleted unless something is there now.
            if os.path.lexists(real) or not os.path.lexists(os.path.join(home, "old")):
                shutil.rmtree(home, ignore_errors=True)


def _put(aside: str, real: str, old: str) -> None:
    """Rename; a folder that is there goes out of the way first, and comes back if that fails."""
    if not os.path.isdir(real):
        os.replace(aside, real)
        return
    try:
        os.rename(real, old)
        os.rename(aside, real)
    except BaseException:  # Ctrl-C between the two as well
        if os.path.lexists(old) and not os.path.lexists(real):
            os.rename(old, real)
        raise


def _paths(source: RowSource) -> dict[str, str]:
    """Return where each file goes below the output: by the path of its source."""
    origins = [origin for file in source.files for origin in file.origins]
    return dict(zip([origin.path or "" for origin in origins], _below(origins), strict=True))


def _below(origins: list[Origin]) -> list[str]:
    # The id is the path below the source, with what is not UTF-8 escaped: the file keeps its name.
    paths = [os.path.normpath(origin.path or "") for origin in origins]
    below = [
        os.path.join(*path.split(os.sep)[-(origin.id.count("/") + 1) :])
        for origin, path in zip(origins, paths, strict=True)
    ]
    if not any(
        os.path.isabs(origin.id) or origin.id.startswith("../") or is_remote(origin.id)
        for origin in origins
    ):
        return below
    # Sources with files of the same name, somewhere: what their paths have in common is left out.
    full = [
        os.path.abspath(path if origin.stored is None else os.sep + path)
        for origin, path in zip(origins, paths, strict=True)
    ]
    common = os.path.commonpath([os.path.dirname(path) for path in full])
    return [os.path.relpath(path, common) for path in full]


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
