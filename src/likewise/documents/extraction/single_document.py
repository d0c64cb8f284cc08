"""One document from its bytes: decoded here if it is a short text or UTF-8, else by a worker.

Done in two halves, so that workers can be busy with the next documents while this one is waited
for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from likewise.documents import limits
from likewise.documents.batch import RowBatch
from likewise.documents.document import Document
from likewise.documents.extraction.extraction import Ticket
from likewise.documents.extraction.file_identity import FileState
from likewise.documents.extraction.file_type import in_words, kind_note, settle_kind
from likewise.documents.formats.plain_text import extract_plain_text
from likewise.documents.numbered import with_references
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import read_blocks
from likewise.documents.texts import text_array
from likewise.documents.unreadable import UnreadableError
from likewise.errors import DocumentError

_MAX_QUICK_BYTES = 1 << 20

Finish = Callable[[], Document]
"""The second half: gives the text, or raises `DocumentError`."""


def read_whole(origin: Origin, reading: Reading) -> Iterator[RowBatch]:
    """Yield the file as one document. Raises `DocumentError` where it is not text."""
    data = load_document(origin, reading)
    yield as_rows(origin, begin_document(origin, data, reading)())


def load_document(origin: Origin, reading: Reading | None = None) -> bytes:
    """Return the content of a file that is one document.

    Raises `SourceError` where it cannot be read and `DocumentError` where it is too large.
    """
    parts: list[bytes] = []
    size = 0
    for block in read_blocks(origin, reading or Reading()):
        size += len(block)
        if size > limits.MAX_DOCUMENT_BYTES:
            raise DocumentError(origin.name, f"larger than {limits.max_size()}")
        parts.append(block)
    return b"".join(parts)


def begin_file(origin: Origin, reading: Reading) -> tuple[Finish, int]:
    """Begin to read a file that is one document; also how many bytes stay in memory meanwhile.

    One that nobody has touched since it was read, and whose text is in the cache, is not opened.
    """
    state = None
    seen = None
    if origin.stored is not None:
        seen = origin.stored.key(f"{origin.kind} {origin.compression}")
    elif origin.path is not None and origin.compression is None:
        state = FileState.of(origin.path)
        seen = None if state is None else state.key(origin.kind)
    if seen is not None and (known := reading.extraction.recall(seen, reading.encoding)):
        kind, ticket = known
        return _finish(origin, kind, kind_note(origin.kind, kind), ticket, reading), 0
    data = load_document(origin)
    if state is not None and FileState.of(state.path) != state:
        seen = None  # written to meanwhile
    return begin_document(origin, data, reading, seen), len(data)


def begin_document(
    document: Origin, data: bytes, reading: Reading, seen: str | None = None
) -> Finish:
    """Begin to read a document; errors are raised in the second half."""
    try:
        kind, note = settle_kind(document.kind, data)
        if kind == "text" and _is_quick(data):
            return _decode(document, data, note, reading)
        ticket = reading.extraction.submit(kind, data, reading.encoding, seen)
        return _finish(document, kind, note, ticket, reading)
    except UnreadableError as error:
        return _refuse(document, error)


def _is_quick(data: bytes) -> bool:
    """Whether text takes neither the time nor the memory for which workers have limits."""
    if len(data) <= _MAX_QUICK_BYTES or data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decode(document: Origin, data: bytes, note: str | None, reading: Reading) -> Finish:
    def finish() -> Document:
        try:
            plain = extract_plain_text(data, reading.encoding)
        except UnreadableError as error:
            raise DocumentError(document.name, error.reason, hint=error.hint) from error
        return _with_notes(document, _with_references(plain, reading), note, reading)

    return finish


def _finish(
    document: Origin, kind: str, note: str | None, ticket: Ticket, reading: Reading
) -> Finish:
    def finish() -> Document:
        try:
            extracted = reading.extraction.result(ticket)
        except UnreadableError as error:
            # Where the name misleads, the reason alone would too.
            what = f"{in_words(kind)}: " if kind != document.kind else ""
            raise DocumentError(document.name, what + error.reason, hint=error.hint) from error
        if kind == "text":
            extracted = _with_references(extracted, reading)
        return _with_notes(document, extracted, note, reading)

    return finish


def _with_references(plain: Document, reading: Reading) -> Document:
    return plain if reading.places is None else with_references(plain, reading.places)


def _with_notes(
    document: Origin, extracted: Document, note: str | None, reading: Reading
) -> Document:
    for message in (note, *extracted.notes):
        if message:
            reading.note(document, message)
    return extracted


def _refuse(document: Origin, error: UnreadableError) -> Finish:
    def finish() -> Document:
        raise DocumentError(document.name, error.reason) from error

    return finish


def as_rows(document: Origin, extracted: Document, number: int = 0) -> RowBatch:
    """Return a document as a batch of its own."""
    return RowBatch(
        range(number, number + 1),
        text_array([extracted.text]),
        text_array([document.id]),
        page_starts=None if extracted.page_starts is None else [extracted.page_starts],
        hidden=[extracted.hidden] if extracted.hidden else None,
        references=None if extracted.references is None else [extracted.references],
    )
