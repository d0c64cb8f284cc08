"""`DocumentReader`: bytes of any supported kind to text, by worker processes with limits.

Nothing is cached: whoever sends a document to an index that keeps no texts wants none kept.
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
from likewise.server.errors import to_api_error


class DocumentReader:
    """Reads documents; each thread that asks has a worker process of its own.

    Args:
        seconds: the time that a document may take.
        extract: what does the work, as in `Pool`.
    """

    def __init__(self, seconds: float, extract: str = EXTRACT) -> None:
        self._seconds = seconds
        self._extract = extract
        self._own = threading.local()
        self._pools: list[Pool] = []

    def read(
        self, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> tuple[Document, list[str]]:
        """The text with its pages, and what is to be told about it.

        Args:
            name: whose extension says what it may be; the content decides.
            media_type: says it where the name does not.
            encoding: None has it detected.
        """
        origin = Origin(
            path=None, name="the document", id="", kind=_kind(name, media_type, data),
            compression=None,
            named=True, size=len(data),
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
        return extracted, [note.message for note in reading.notes]

    def close(self) -> None:
        """Ends the worker processes."""
        for pool in self._pools:
            pool.close()

    def _extraction(self) -> Extraction:
        extraction: Extraction | None = getattr(self._own, "extraction", None)
        if extraction is None:
            pool = Pool(workers=1, seconds=self._seconds, extract=self._extract)
            self._pools.append(pool)
            extraction = self._own.extraction = Extraction(cache=False, pool=pool)
        return extraction


def _kind(name: str, media_type: str, data: bytes) -> str:
    """What a document is called; where it is called nothing, what it is."""
    extension, _ = split_name(name)
    kind = EXTENSIONS.get(extension, "text")
    if kind in FORMATS:
        return kind
    if media_type in MEDIA_TYPES:
        return MEDIA_TYPES[media_type]
    if extension:
        return "text"
    with suppress(UnreadableError):  # which will be told when it is read
        return settle_kind("text", data)[0]
    return "text"
