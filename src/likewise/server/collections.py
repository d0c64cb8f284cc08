"""`Collections`: the indexes of a server by name; those of a folder are looked for in it.

A name is that of the file without its ending, or of the schema in a database. It stands in
addresses, and in a folder it becomes the name of a file: so few signs are allowed in it. What other
processes of the server make is found, since nothing about the folder is remembered.
"""

from __future__ import annotations

import os
import threading
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from likewise.errors import LikewiseError, UsageError
from likewise.index.stores.registry import is_address
from likewise.index.stores.sqlite import is_index
from likewise.server.errors import ApiError, to_api_error

if TYPE_CHECKING:
    from likewise.server.settings import ServerSettings

ENDING = ".db"
FIRST = "index"
"""What the collection is called that is made where there is none."""
MAX_CHARACTERS = 64
MAX_BYTES = 200  # of a file's name, which gets endings
MAX_COLLECTIONS = 1_000
_SIGNS = " ._-"


class Collections:
    """Which indexes there are, and where they lie. Used by many threads."""

    def __init__(self, settings: ServerSettings) -> None:
        """Raises `UsageError` if two have one name."""
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
        self._making = threading.Lock()
        self.default = settings.default or next(iter(self._named), None) or self._first()

    @property
    def can_make(self) -> bool:
        """Whether new ones can be made."""
        return self._folder is not None

    def names(self) -> list[str]:
        """All that there are now: those that were named, then those of the folder."""
        found = dict.fromkeys((*self._named, *self._in_folder()))
        # It is told of, even where it has gone.
        return list(dict.fromkeys((self.default, *found)))[:MAX_COLLECTIONS]

    def address(self, name: str) -> str | None:
        """Where an index lies; None if there is none of that name."""
        if name in self._named:
            return self._named[name]
        if self._folder is None or not is_name(name):
            return None
        path = self._path(name)
        return path if name == self.default or is_index(path) else None

    def make(self, name: str) -> str:
        """Makes a collection in the folder; its name. Raises `ApiError`."""
        from likewise.index.index import Index

        name = unicodedata.normalize("NFC", name)
        try:
            check_name(name)
        except ValueError as error:
            raise ApiError(422, f"name: {error}") from None
        if self._folder is None:
            raise ApiError(
                403,
                "this server cannot create collections",
                hint="start it with --folder FOLDER",
            )
        path = self._path(name)
        with self._making:
            there = self.names()
            if name.casefold() in map(str.casefold, there) or os.path.lexists(path):
                raise ApiError(409, f"collection {name!r} already exists")
            if len(there) >= MAX_COLLECTIONS:
                raise ApiError(
                    409, f"the maximum of {MAX_COLLECTIONS:,} collections has been reached"
                )
            try:
                Index.create(path).close()
            except UsageError as error:
                # Another process was quicker, or something of that name is there.
                raise ApiError(409, f"collection {name!r} cannot be created there") from error
            except LikewiseError as error:
                if os.path.lexists(path):
                    raise ApiError(409, f"collection {name!r} already exists") from error
                raise to_api_error(error, path) from error
        return name

    def _path(self, name: str) -> str:
        assert self._folder is not None
        return os.path.join(self._folder, name + ENDING)

    def _in_folder(self) -> list[str]:
        found: list[str] = []
        if self._folder is not None:
            with suppress(OSError), os.scandir(self._folder) as entries:
                found = [
                    entry.name.removesuffix(ENDING)
                    for entry in entries
                    if entry.name.endswith(ENDING)
                    and is_name(entry.name.removesuffix(ENDING))
                    and is_index(entry.path)
                ]
        return sorted(found)

    def _first(self) -> str:
        found = self._in_folder()
        return FIRST if FIRST in found or not found else found[0]


def name_of(address: str) -> str:
    """What the index at an address is called: with nothing in it that a name may not have."""
    if is_address(address):
        parts = urlsplit(address)
        said = unquote(parts.fragment or parts.path.rpartition("/")[2]) or FIRST
    else:
        said = Path(address).stem
    said = unicodedata.normalize("NFC", said)
    clean = "".join(sign if _is_allowed(sign) else "-" for sign in said)
    name = clean[:MAX_CHARACTERS].strip(_SIGNS)
    while len(name.encode()) > MAX_BYTES:
        name = name[:-1].strip(_SIGNS)
    return name or FIRST


def is_name(name: str) -> bool:
    """Whether a collection may be called so."""
    try:
        check_name(name)
    except ValueError:
        return False
    return True


def check_name(name: str) -> None:
    """Raises `ValueError`, which says why a collection may not be called so."""
    if not name:
        raise ValueError("a collection needs a name")
    if len(name) > MAX_CHARACTERS or len(name.encode("utf-8", "replace")) > MAX_BYTES:
        raise ValueError(f"a name has at most {MAX_CHARACTERS} characters")
    if not all(map(_is_allowed, name)) or not unicodedata.is_normalized("NFC", name):
        raise ValueError("a name is made of letters, digits, spaces, and the signs . _ -")
    if name[0] in _SIGNS or name[-1] in _SIGNS:
        raise ValueError("a name begins and ends with a letter or a digit")


def _is_allowed(sign: str) -> bool:
    return sign in _SIGNS or unicodedata.category(sign)[0] in "LMN"
