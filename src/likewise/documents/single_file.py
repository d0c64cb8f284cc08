"""One file on its own, as `compare` takes it: its text as a whole, or in blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from likewise.documents.document import Document
from likewise.documents.encoding import check_encoding
from likewise.documents.extraction.extraction import Extraction
from likewise.documents.extraction.file_type import may_be_document
from likewise.documents.extraction.single_document import begin_document, load_document
from likewise.documents.formats import FORMATS
from likewise.documents.kinds import EXTENSIONS, is_advised, split_name, unsupported
from likewise.documents.notice import Note
from likewise.documents.numbered import check_rule
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import read_blocks
from likewise.documents.texts import scrub
from likewise.documents.utf8 import read_utf8
from likewise.errors import SourceError
from likewise.storage.address import is_remote, shown


def read_text(
    path: str | os.PathLike[str], encoding: str | None = None, *, cache: bool = True
) -> tuple[str, list[Note]]:
    """Return the text of one file (or of stdin, for "-"), and what to tell the user about it.

    Loads neither pyarrow nor numpy, except pyarrow for a `.zst` file. Raises `SourceError` where
    the file cannot be read and `DocumentError` where it gives no text.
    """
    extracted, notes = read_document(path, encoding, cache=cache)
    return extracted.text, notes


def read_document(
    path: str | os.PathLike[str],
    encoding: str | None = None,
    *,
    cache: bool = True,
    places: str | None = None,
) -> tuple[Document, list[Note]]:
    """Return the text of one file with its pages and references, as `read_text` does without.

    `places` is how the places of a plain text are numbered: "verses", "lines" or "sections".
    """
    check_encoding(encoding)
    check_rule(places)
    origin = _origin(path)
    data = load_document(origin)
    with Extraction(cache=cache) as extraction:
        reading = Reading(encoding=encoding, extraction=extraction, places=places)
        extracted = begin_document(origin, data, reading)()
    return extracted, list(reading.notes)


class TextBlocks:
    """The text of one file, in blocks of some megabytes; it can be gone through again and again.

    Of a text that is not UTF-8, the first block that is not ASCII decides what its encoding is. A
    document that is not plain text is one block.
    """

    def __init__(
        self, path: str | os.PathLike[str], encoding: str | None = None, *, cache: bool = True
    ) -> None:
        check_encoding(encoding)
        self._path = path
        self._cache = cache
        self._origin = _origin(path)
        self._reading = Reading(encoding=encoding)
        self._text: str | None = None
        self.name = self._origin.name
        self.size = self._origin.size

    def __iter__(self) -> Iterator[str]:
        if self._text is None and self._is_document():
            self._text, notes = read_text(self._path, self._reading.encoding, cache=self._cache)
            self._reading.notes.update(dict.fromkeys(notes))
        if self._text is not None:
            self._reading.position = self.size or 0
            yield self._text
            return
        for block in read_utf8(self._origin, self._reading):
            yield block.decode()

    def _is_document(self) -> bool:
        if self._origin.kind in FORMATS:
            return True
        # Of a pipe, what was looked at would be gone.
        if self.size is None:
            return False
        return may_be_document(next(read_blocks(self._origin, Reading()), b""))

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
    if is_remote(given):
        return _stored_origin(given)
    if given != "-" and os.path.isdir(given):
        raise SourceError(f"{given}: is a folder; a single file was expected")
    size = os.path.getsize(given) if os.path.isfile(given) else None
    return _make_origin(given, "standard input" if given == "-" else scrub(given), size)


def _stored_origin(address: str) -> Origin:
    from likewise.storage.registry import store_for

    file = store_for(address).file(address)
    if file is None:
        raise SourceError(f"{shown(address)}: no such file; a single file was expected")
    return replace(_make_origin(file.address, file.address, file.size), stored=file)


def _make_origin(path: str, name: str, size: int | None) -> Origin:
    extension, compression = split_name(path)
    if is_advised(extension):
        raise SourceError(f"{name}: {unsupported(extension)}")
    kind = EXTENSIONS.get(extension, "text")
    return Origin(
        path=None if path == "-" else path,
        name=name,
        id=path,
        kind=kind if kind in FORMATS else "text",
        compression=compression,
        named=True,
        size=size,
    )
