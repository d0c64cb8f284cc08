"""`FileReader`: files of any supported type to text, by worker processes with limits.

Nothing is cached: clients of an index without texts do not expect theirs on disk.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from likewise.documents.document import Document
from likewise.documents.encoding import check_encoding
from likewise.documents.extraction.extraction import Extraction
from likewise.documents.extraction.file_type import settle_kind
from likewise.documents.extraction.pool import EXTRACT, Pool
from likewise.documents.extraction.single_document import begin_document
from likewise.documents.formats import FORMATS, MEDIA_TYPES
from likewise.documents.kinds import EXTENSIONS, is_advised, split_name, unsupported
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.unreadable import UnreadableError
from likewise.errors import DocumentError, LikewiseError
from likewise.server.errors import ApiError, to_api_error
from likewise.server.text_limits import check_growth


class FileReader:
    """Reads files; each calling thread has a worker process of its own.

    Args:
        seconds: maximum time per file.
        max_characters: of its text; a small file may be unpacked into a long one.
        extract: the function that does the work, as in `Pool`.
    """

    def __init__(self, seconds: float, max_characters: int, extract: str = EXTRACT) -> None:
        self._seconds = seconds
        self._max_characters = max_characters
        self._extract = extract
        self._own = threading.local()
        self._pools: list[Pool] = []

    def read(
        self, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> tuple[Document, list[str]]:
        """The text with its pages, and notes on how it was read.

        Args:
            name, media_type: suggest a format, the name first; the content decides.
            encoding: detected if None.
        """
        origin = Origin(
            path=None, name="the document", id="", kind=_kind(name, media_type, data),
            compression=None, named=True, size=len(data),
        )  # fmt: skip
        try:
            check_encoding(encoding)
            reading = Reading(encoding=encoding, extraction=self._extraction())
            extracted = begin_document(origin, data, reading)()
        except LikewiseError as error:
            extension, _ = split_name(name)
            if isinstance(error, DocumentError) and is_advised(extension):
                error = DocumentError(origin.name, unsupported(extension))
            raise to_api_error(error, origin.name) from error
        self._check_size(extracted.text)
        return extracted, [note.message for note in reading.notes]

    def close(self) -> None:
        """End the worker processes."""
        for pool in self._pools:
            pool.close()

    def _check_size(self, text: str) -> None:
        if len(text) > self._max_characters:
            message = f"the text of the file has more than {self._max_characters:,} characters"
            raise ApiError(422, message)
        try:
            check_growth(text)
        except ValueError as error:
            raise ApiError(422, f"the text of the file {error}") from None

    def _extraction(self) -> Extraction:
        extraction: Extraction | None = getattr(self._own, "extraction", None)
        if extraction is None:
            pool = Pool(workers=1, seconds=self._seconds, extract=self._extract)
            self._pools.append(pool)
            extraction = self._own.extraction = Extraction(cache=False, pool=pool)
        return extraction


def _kind(name: str, media_type: str, data: bytes) -> str:
    """The format by the name, by the media type, or for a file without either by its content."""
    extension, _ = split_name(name)
    kind = EXTENSIONS.get(extension, "text")
    if kind in FORMATS:
        return kind
    if media_type in MEDIA_TYPES:
        return MEDIA_TYPES[media_type]
    if extension:
        return "text"
    with suppress(UnreadableError):  # reported when the file is read
        return settle_kind("text", data)[0]
    return "text"
