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
    given = os.fspath(path)
    if given != "-" and os.path.isdir(given):
        raise SourceError(f"{given}: a folder, where one file was expected")
    origin = Origin(
        path=None if given == "-" else given,
        name="standard input" if given == "-" else scrub(given),
        id=given,
        kind="text",
        compression=PACKED.get(os.path.splitext(given)[1].lower()),
        named=True,
        size=None,
    )
    text, message = decode(b"".join(read_blocks(origin, Reading())), origin.name, encoding)
    return text, [Note(origin.name, message)] if message else []
