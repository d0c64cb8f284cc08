"""Everything that `likewise` raises on purpose, as one small tree.

::

    LikewiseError             anything below; what a caller catches
    ├── UsageError            an argument is wrong, and so it is a ValueError; found before any work
    ├── SourceError           a whole source cannot be read: missing, damaged, empty
    │   └── ColumnError       a table has no column that can serve as text or as id
    ├── StorageError          an object store or a web server cannot be used, or not any longer
    └── DocumentError         one document is bad; the rest of its collection is not

A message says what was wrong with which input and what was expected; the hint says what to do.
"""

from functools import partial
from typing import Any, ClassVar


class LikewiseError(Exception):
    """The base of the tree. `str(error)` is the message, `error.hint` the remedy or None."""

    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(LikewiseError, ValueError):
    """An argument is wrong, whatever the data."""

    exit_status = 2


class SourceError(LikewiseError):
    """A whole source cannot be read, so that the collection would not be what was asked for."""

    exit_status = 2


class ColumnError(SourceError):
    """A table lacks a usable text or id column. In a folder, such a table is passed over."""


class StorageError(LikewiseError):
    """An object store or a web server fails, whatever the file: no file is skipped for that."""


class DocumentError(LikewiseError):
    """One document is bad. In a collection it is skipped, counted and listed.

    Args:
        source: the file, as the user would recognise it.
        reason: what is wrong, without the name of the file.
        place: the line or row inside the file; empty when the file is the document.
    """

    def __init__(
        self, source: str, reason: str, *, place: str = "", hint: str | None = None
    ) -> None:
        super().__init__(f"{f'{source} {place}'.rstrip()}: {reason}", hint=hint)
        self.source = source
        self.place = place
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross process boundaries; the default would call `__init__` with the message."""
        make = partial(type(self), place=self.place, hint=self.hint)
        return make, (self.source, self.reason)
