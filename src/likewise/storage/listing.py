"""`list_files`: an address as the user gives it → the files that it stands for.

An address is that of a file, of a folder (all objects whose keys start with it and "/"), or a
pattern with `*`, `?`, `[…]` and `**`, as on this machine. A key that is no path, such as "a//b" or
"a/../b", has no place below a folder, and is listed as skipped.
"""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from likewise.errors import SourceError
from likewise.storage.address import path_of, scheme_of, shown
from likewise.storage.registry import store_for
from likewise.storage.stored_file import StoredFile

_NO_NAMES = frozenset(("", ".", ".."))


@dataclass
class Listing:
    """The files that an address stands for.

    Attributes:
        how: what the address is of.
        files: with their paths below the address, or below the fixed part of the pattern.
        skipped: addresses of files whose keys are not paths.
    """

    how: Literal["named", "folder", "pattern"]
    files: list[tuple[str, StoredFile]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, below: str, file: StoredFile) -> None:
        """Add a file, unless its key is not a path."""
        if _NO_NAMES.isdisjoint(below.split("/")):
            self.files.append((below, file))
        else:
            self.skipped.append(file.address)


def list_files(address: str) -> Listing:
    """Return the files of an address, in code-point order.

    Raises `SourceError` where there are none, and `StorageError` where the store cannot be used.
    """
    store = store_for(address)
    if not (store.has_folders or path_of(address).strip("/")):
        raise SourceError(f"{shown(address)}: names no file or folder", hint="name a bucket")
    file = store.file(address)
    if file is not None:
        return Listing("named", [(_last_part(file.address), file)])
    listing = Listing("folder")
    folder = address.rstrip("/") + "/" if path_of(address).strip("/") else f"{address}/"
    for found in store.find(folder):
        listing.add(found.address.removeprefix(folder), found)
    if not (listing.files or listing.skipped) and glob.has_magic(address):
        listing = _match(address)
    if not (listing.files or listing.skipped):
        raise SourceError(f"{shown(address)}: no such file or folder")
    listing.files.sort(key=lambda item: item[1].address)
    return listing


def _last_part(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def _match(pattern: str) -> Listing:
    root = f"{scheme_of(pattern)}://"
    fixed: list[str] = []
    for part in path_of(pattern).split("/"):
        if glob.has_magic(part):
            break
        fixed.append(part)
    if not fixed or not fixed[0]:
        raise SourceError(f"{shown(pattern)}: a pattern cannot be part of the name of a bucket")
    folder = root + "/".join(fixed) + "/"
    wanted = pattern[len(folder) :].split("/")
    literal = wanted[0].partition("*")[0].partition("?")[0].partition("[")[0]
    listing = Listing("pattern")
    for file in store_for(pattern).find(folder + literal):
        below = file.address.removeprefix(folder)
        if matches(below.split("/"), wanted):
            listing.add(below, file)
    if not (listing.files or listing.skipped):
        raise SourceError(f"{shown(pattern)}: no file matches this pattern")
    return listing


def matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the parts of a path match those of a pattern, as `glob.glob(recursive=True)` does.

    >>> matches(["a", "b", "c.csv"], ["**", "*.csv"]), matches([".a", "c.csv"], ["**", "*.csv"])
    (True, False)
    """
    if not pattern:
        return not parts
    if pattern[0] == "**":
        if len(pattern) == 1:
            return bool(parts) and not any(part.startswith(".") for part in parts)
        return matches(parts, pattern[1:]) or (
            bool(parts) and not parts[0].startswith(".") and matches(parts[1:], pattern)
        )
    return (
        bool(parts)
        and (not parts[0].startswith(".") or pattern[0].startswith("."))
        and fnmatchcase(parts[0], pattern[0])
        and matches(parts[1:], pattern[1:])
    )
