"""One document from its bytes: decoded here if it is plain text, else handed to a worker.

Done in two halves, so that workers can be busy with the next documents while this one is waited
for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from likewise.documents.encoding import decode
from likewise.documents.extracted import Extracted
from likewise.documents.extraction import MOST_BYTES
from likewise.documents.reading import Piece, Reading
from likewise.documents.signature import IN_WORDS, settle_kind
from likewise.documents.stream import read_blocks
from likewise.documents.texts import text_array
from likewise.documents.unreadable import UnreadableError
from likewise.documents.zipped import size_in_words
from likewise.errors import DocumentError

if TYPE_CHECKING:
    from likewise.documents.origin import Origin

Finish = Callable[[], Extracted]
"""The second half: gives the text, or raises `DocumentError`."""


def read_whole(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the file as one document. Raises `DocumentError` where it is not text."""
    data = b"".join(read_blocks(origin, reading))
    yield as_piece(origin, begin_document(origin, data, reading)())


def load_document(origin: Origin) -> bytes:
    """Return the content of a file that a worker is to read.

    Raises `SourceError` where it cannot be read and `DocumentError` where it is too large.
    """
    parts: list[bytes] = []
    size = 0
    for block in read_blocks(origin, Reading()):
        size += len(block)
        if size > MOST_BYTES:
            raise DocumentError(origin.name, f"larger than {size_in_words(MOST_BYTES)}")
        parts.append(block)
    return b"".join(parts)


def begin_document(document: Origin, data: bytes, reading: Reading) -> Finish:
    """Begin to read a document; what is wrong with it is told in the second half."""
    try:
        kind, note = settle_kind(document.kind, data)
        if kind == "text":
            ticket = None
        else:
            ticket = reading.extraction.submit(kind, data, reading.encoding)
            data = b""  # not to be held while it waits
    except UnreadableError as error:
        return _refuse(document, error)

    def finish() -> Extracted:
        if ticket is None:
            text, told = decode(data, document.name, reading.encoding)
            extracted = Extracted(text, notes=(told,) if told else ())
        else:
            try:
                extracted = reading.extraction.result(ticket)
            except UnreadableError as error:
                # Where the name misleads, the reason alone would too.
                what = f"{IN_WORDS[kind]}: " if kind != document.kind else ""
                raise DocumentError(document.name, what + error.reason) from error
        for message in (note, *extracted.notes):
            if message:
                reading.note(document, message)
        return extracted

    return finish


def _refuse(document: Origin, error: UnreadableError) -> Finish:
    def finish() -> Extracted:
        raise DocumentError(document.name, error.reason) from error

    return finish


def as_piece(document: Origin, extracted: Extracted, number: int = 0) -> Piece:
    """Return a document as a piece of its own."""
    return Piece(
        text_array([extracted.text]),
        range(number, number + 1),
        [document.id],
        None if extracted.page_starts is None else [extracted.page_starts],
    )
