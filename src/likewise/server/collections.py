"""`Collections`: the indexes of a server by name.

The name of a collection is that of its file without the extension, or of its schema in a database.
It is part of addresses and file names, so few characters are allowed. The folder is read each time,
since other processes of the server create collections in it too.
"""

from __future__ import annotations

import os
import threading
import unicodedata
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from likewise.errors import LikewiseError, UsageError
from likewise.index.stores.registry import is_address
from likewise.index.stores.sqlite import is_index
from likewise.server.errors import ApiError, to_api_error
from likewise.server.settings import ServerSettings

ENDING = ".db"
FIRST = "index"
"""The name of the collection that is created where there is none."""
MAX_CHARACTERS = 64
MAX_BYTES = 200  # of a file name, to which suffixes are added
MAX_COLLECTIONS = 1_000
_SIGNS = " ._-"


class Collections:
    """Names and addresses of indexes. Used by many threads."""

    def __init__(self, settings: ServerSettings) -> None:
        """Raises `UsageError` if two have the same name."""
        self._named: dict[str, str] = {}
        for address in settings.indexes:
            name = name_of(address)
            if name in self._named:
                raise UsageError(
                    f"two indexes are called {name!r}: {self._named[name]} and {address}",
                    hint="rename one of the files",
                )
            self._named[name] = address
        self._folder = settings.folder
        self.shared = frozenset(settings.shared)
        self._creating = threading.Lock()
        self.default = settings.default or next(iter(self._named), None) or self._first()

    @property
    def can_create(self) -> bool:
        return self._folder is not None

    def names(self) -> list[str]:
        """The default collection, even if it no longer exists, then all others."""
        names = dict.fromkeys((self.default, *self._named, *self._in_folder()))
        return list(names)[:MAX_COLLECTIONS]

    def address(self, name: str) -> str | None:
        """The file or address of an index; None if there is none of that name."""
        if name in self._named:
            return self._named[name]
        if self._folder is None or not is_name(name):
            return None
        path = self._path(name)
        return path if name == self.default or is_index(path) else None

    def create(self, name: str) -> str:
        """Create a collection in the folder; its normalized name. Raises `ApiError`."""
        from likewise.index.index import Index

        name = unicodedata.normalize("NFC", name)
        try:
            check_name(name)
        except ValueError as error:
            raise ApiError(422, f"name: {error}") from None
        if self._folder is None:
            hint = "start it with --folder FOLDER"
            raise ApiError(403, "this server cannot create collections", hint=hint)
        path = self._path(name)
        with self._creating:
            names = self.names()
            if name.casefold() in map(str.casefold, names) or os.path.lexists(path):
                raise ApiError(409, f"collection {name!r} already exists")
            if len(names) >= MAX_COLLECTIONS:
                raise ApiError(
                    409, f"the maximum of {MAX_COLLECTIONS:,} collections has been reached"
                )
            try:
                Index.create(path).close()
            except UsageError as error:
                # Another process was faster, or something of that name exists.
                raise ApiError(409, f"collection {name!r} cannot be created") from error
            except LikewiseError as error:
                if os.path.lexists(path):
                    raise ApiError(409, f"collection {name!r} already exists") from error
                raise to_api_error(error, path) from error
        return name

    def _path(self, name: str) -> str:
        assert self._folder is not None
        return os.path.join(self._folder, name + ENDING)

    def _in_folder(self) -> list[str]:
        if self._folder is None:
            return []
        paths = Path(self._folder).glob("*" + ENDING)
        with suppress(OSError):
            return sorted(path.stem for path in paths if is_name(path.stem) and is_index(str(path)))
        return []

    def _first(self) -> str:
        names = self._in_folder()
        return FIRST if FIRST in names or not names else names[0]


def name_of(address: str) -> str:
    """A valid name for the index at an address."""
    if is_address(address):
        parts = urlsplit(address)
        name = unquote(parts.fragment or parts.path.rpartition("/")[2]) or FIRST
    else:
        name = Path(address).stem
    name = unicodedata.normalize("NFC", name)
    clean = "".join(sign if _is_allowed(sign) else "-" for sign in name)
    name = clean[:MAX_CHARACTERS].strip(_SIGNS)
    while len(name.encode()) > MAX_BYTES:
        name = name[:-1].strip(_SIGNS)
    return name or FIRST


def is_name(name: str) -> bool:
    """Whether a collection may have this name."""
    try:
        check_name(name)
    except ValueError:
        return False
    return True


def check_name(name: str) -> None:
    """Raises `ValueError` with the reason why a collection may not have this name."""
    if not name:
        raise ValueError("a collection needs a name")
    if len(name) > MAX_CHARACTERS or len(name.encode("utf-8", "replace")) > MAX_BYTES:
        raise ValueError(f"a name must have at most {MAX_CHARACTERS} characters")
    if not all(map(_is_allowed, name)) or not unicodedata.is_normalized("NFC", name):
        raise ValueError("a name must consist of letters, digits, spaces, and the characters . _ -")
    if name[0] in _SIGNS or name[-1] in _SIGNS:
        raise ValueError("a name must begin and end with a letter or a digit")


def _is_allowed(sign: str) -> bool:
    return sign in _SIGNS or unicodedata.category(sign)[0] in "LMN"
