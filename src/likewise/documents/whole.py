"""One document a file: the text of a whole file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from likewise.documents.encoding import check_encoding, decode
from likewise.documents.notice import Note
from likewise.documents.origin import PACKED, Origin
from likewise.documents.reading import Piece, Reading
from likewise.documents.stream import read_blocks
from likewise.documents.texts import scrub, text_array
from likewise.documents.utf8 import read_utf8
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_whole(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the file as one document. Raises `DocumentError` where it is not text."""
    text, message = decode(b"".join(read_blocks(origin, reading)), origin.name, reading.encoding)
    if message:
        reading.note(origin, message)
    yield Piece(text_array([text]), range(1), [origin.id])


def read_text(path: str | os.PathLike[str], encoding: str | None = None) -> tuple[str, list[Note]]:
    """Return the text of one file (or of stdin, for "-"), and what to tell the user about it.

    Loads neither pyarrow nor numpy, except pyarrow for a `.zst` file. Raises `SourceError` where
    the file cannot be read and `DocumentError` where it is not text.
    """
    check_encoding(encoding)
    origin = _origin(path)
    text, message = decode(b"".join(read_blocks(origin, Reading())), origin.name, encoding)
    return text, [Note(origin.name, message)] if message else []


class TextBlocks:
    """The text of one file, in blocks of some megabytes; it can be gone through again and again.

    Of a text that is not UTF-8, the first block that is not ASCII decides what its encoding is.
    """

    def __init__(self, path: str | os.PathLike[str], encoding: str | None = None) -> None:
        check_encoding(encoding)
        self._origin = _origin(path)
        self._reading = Reading(encoding=encoding)
        self.name = self._origin.name
        self.size = self._origin.size

    def __iter__(self) -> Iterator[str]:
        for block in read_utf8(self._origin, self._reading):
            yield block.decode()

    @property
    def position(self) -> int:
        """Bytes read from disk."""
        return self._reading.position

    @property
    def notes(self) -> list[Note]:
        return list(self._reading.notes)


def _origin(path: str | os.PathLike[str]) -> Origin:
    """One file that the user named, or stdin for "-"."""
    given = os.fspath(path)
    if given != "-" and os.path.isdir(given):
        raise SourceError(f"{given}: a folder, where one file was expected")
    return Origin(
        path=None if given == "-" else given,
        name="standard input" if given == "-" else scrub(given),
        id=given,
        kind="text",
        compression=PACKED.get(os.path.splitext(given)[1].lower()),
        named=True,
        size=os.path.getsize(given) if os.path.isfile(given) else None,
    )
