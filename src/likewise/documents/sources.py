"""Sources as the user gives them → the files to read, each with its id.

A source is a file, a folder, a pattern (`*`, `?`, `[…]`, `**`) or "-" for stdin. Files, folders and
patterns may be addresses in a store, such as "s3://bucket/folder"; the rules are the same there.

Folders are read with all that is below them, in the order of their paths; hidden files and folders
are passed over, and so is what systems leave there (`kinds.is_litter`); files of an unknown kind
are skipped and listed. A pattern gives files only, of any kind; those that are not known are read
as text. A `.json` file is a table if its first line is a JSON object, as Spark and others write
it, or if it is an array of objects or of strings; other JSON is of an unknown kind. Of several
files that are named, those that systems leave behind are passed over and those with a better format
(`kinds.unsupported`) skipped: a shell may have named them.

A file's id is its path below the source: in a folder the path from there, for a pattern the path
from its fixed part, for a file its name. If that gives two files of one collection the same id, all
take the path as it was given, with the source's own part before it.
"""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from likewise.documents.kinds import (
    EXTENSIONS,
    is_advised,
    is_litter,
    is_system_file,
    split_name,
    unsupported,
)
from likewise.documents.notice import Skipped
from likewise.documents.origin import Origin
from likewise.documents.tables.dataset_folder import rows_files
from likewise.documents.tables.formats import COLUMNED
from likewise.documents.tables.json_kind import json_kind
from likewise.documents.texts import scrub
from likewise.errors import SourceError, UsageError
from likewise.storage.address import is_remote

if TYPE_CHECKING:
    from likewise.storage.stored_file import StoredFile

Shape = Literal["auto", "lines", "whole", "files"]
STDIN = "standard input"


@dataclass(frozen=True)
class _Found:
    """A file before its kind and its id are settled."""

    path: str
    below: str  # its path below the source
    how: Literal["named", "folder", "pattern"]
    stored: StoredFile | None = None


def find_origins(
    sources: Sequence[str | os.PathLike[str]], shape: Shape
) -> tuple[list[Origin], list[Skipped]]:
    """Return the files of a collection in order, and what was skipped on the way.

    Raises `SourceError` for a file that is missing, a pattern that matches nothing, or a file that
    is given twice.
    """
    given = [os.fspath(source) for source in sources]
    skipped: list[Skipped] = []
    files = [found for source in given for found in _find(source, skipped)]
    if len(given) > 1:  # a shell's `*` names these too; alone, one is what the user wants
        files = [file for file in files if not is_system_file(os.path.basename(file.path))]
    files = [file for file in files if _is_wanted(file, skipped)]
    alone = len(files) == 1 and len(given) == 1
    ids = _choose_ids(files)
    return [
        _make_origin(file, id_, shape, alone) for file, id_ in zip(files, ids, strict=True)
    ], skipped


def _find(source: str, skipped: list[Skipped]) -> Iterator[_Found]:
    if source == "-":
        yield _Found("-", "-", "named")
    elif is_remote(source):
        yield from _find_stored(source, skipped)
    elif os.path.isdir(source):
        for path in sorted(_walk(source, skipped), key=_posix):
            yield _Found(path, os.path.relpath(path, source), "folder")
    elif os.path.lexists(source):
        yield _Found(source, os.path.basename(source), "named")
    elif glob.has_magic(source):
        yield from _match(source)
    else:
        raise SourceError(f"{scrub(source)}: no such file or folder")


def _find_stored(source: str, skipped: list[Skipped]) -> Iterator[_Found]:
    from likewise.storage.listing import list_files

    listing = list_files(source)
    reason = "its key is not a path: it has an empty part, or . or .. as one"
    skipped.extend(Skipped(address, "", reason) for address in listing.skipped)
    for below, file in listing.files:
        parts = below.split("/") if listing.how == "folder" else [below.rpartition("/")[2]]
        if listing.how == "named" or not any(map(is_litter, parts)):
            yield _Found(file.address, below, listing.how, file)


def _walk(folder: str, skipped: list[Skipped]) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        skipped.append(Skipped(_posix(error.filename), "", f"cannot be read: {error.strerror}"))

    for parent, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not is_litter(name)]
        for name in folders:  # which os.walk does not enter: they may lead round in a circle
            if os.path.islink(path := os.path.join(parent, name)):
                skipped.append(Skipped(_posix(path), "", "a link to a folder, not followed"))
        wanted = rows_files(parent, [name for name in files if not is_litter(name)])
        yield from (os.path.join(parent, name) for name in wanted)


def _match(pattern: str) -> Iterator[_Found]:
    fixed = os.path.dirname(pattern)
    while glob.has_magic(fixed):
        fixed = os.path.dirname(fixed)
    paths = sorted(set(glob.glob(pattern, recursive=True)), key=_posix)
    files = [path for path in paths if not os.path.isdir(path)]
    files = [path for path in files if not is_litter(os.path.basename(path))]
    if not files:
        raise SourceError(f"{scrub(pattern)}: no file matches this pattern")
    for path in files:
        yield _Found(path, os.path.relpath(path, fixed or "."), "pattern")


def _is_wanted(file: _Found, skipped: list[Skipped]) -> bool:
    extension = split_name(file.path)[0]
    known = extension in EXTENSIONS or _json_table(file) is not None
    if (file.how == "folder" and not known) or is_advised(extension):
        reason = unsupported(extension)
    elif file.stored is None and file.how != "named" and not os.path.isfile(file.path):
        reason = "not a regular file" if os.path.exists(file.path) else "a broken link"
    else:
        return True
    skipped.append(Skipped(_posix(file.path), "", reason))
    return False


def _choose_ids(files: Sequence[_Found]) -> list[str]:
    ids = [_posix(file.below) for file in files]
    if len(set(ids)) == len(ids):
        return ids
    ids = [
        _posix(os.path.normpath(file.path) if file.stored is None else file.path) for file in files
    ]
    seen: set[str] = set()
    for id_ in ids:
        if id_ in seen:
            what = STDIN if id_ == "-" else id_
            raise SourceError(f"duplicate source {what}", hint="give each file once")
        seen.add(id_)
    return ids


def _make_origin(file: _Found, id_: str, shape: Shape, alone: bool) -> Origin:
    if file.path == "-":
        kind = "text" if shape == "whole" else "lines"
        return Origin(None, STDIN, id_, kind, None, named=True, size=None)
    compression = split_name(file.path)[1]
    named = file.how == "named"
    return Origin(
        path=file.path,
        name=_posix(file.path),
        id=id_,
        kind=_choose_kind(file, shape, single=alone and named),
        compression=compression,
        named=named,
        size=_measure(file),
        stored=file.stored,
    )


def _choose_kind(file: _Found, shape: Shape, *, single: bool) -> str:
    extension = split_name(file.path)[0]
    kind = _json_table(file) or EXTENSIONS.get(extension, "text")
    if shape == "lines" or (shape == "auto" and extension == ".txt" and single):
        return "lines"
    return "text" if shape == "whole" and kind in COLUMNED else kind


def _json_table(file: _Found) -> str | None:
    """The kind of table that a `.json` file is, if it is one."""
    extension, compression = split_name(file.path)
    if extension != ".json" or (file.stored is None and not os.path.isfile(file.path)):
        return None
    name = _posix(file.path)
    return json_kind(Origin(file.path, name, "", "jsonl", compression, True, None, file.stored))


def _measure(file: _Found) -> int | None:
    """Return the size of a regular file; see to it that a file named by the user can be opened."""
    if file.stored is not None:
        return file.stored.size
    try:
        facts = os.stat(file.path)
    except OSError as error:
        raise SourceError(f"{_posix(file.path)}: cannot be read: {error.strerror}") from error
    if file.how == "named" and not os.access(file.path, os.R_OK):
        raise SourceError(
            f"{_posix(file.path)}: no permission to read it", hint="check the file's owner and mode"
        )
    return facts.st_size if stat.S_ISREG(facts.st_mode) else None


def check_shape(shape: str, text: str | None, id_: str | None) -> None:
    """Raise `UsageError` for a shape that does not exist, or that leaves no columns to name."""
    if shape not in ("auto", "lines", "whole", "files"):
        raise UsageError(f"unknown shape {shape!r}", hint="use auto, lines, whole or files")
    if shape in ("lines", "whole") and (text is not None or id_ is not None):
        option = "--text" if text is not None else "--id"
        raise UsageError(
            f"{option} names a column, but --{shape} reads plain text, which has none",
            hint=f"remove {option} or --{shape}",
        )


def _posix(path: str) -> str:
    """Return a path with "/" between its parts; bytes that are not UTF-8 are escaped."""
    return os.fsencode(path.replace(os.sep, "/")).decode("utf-8", "backslashreplace")
