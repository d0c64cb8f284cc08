"""The documents of a collection in order, those that workers read handed in ahead of time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from likewise.documents.archive import Member, open_archive, read_members
from likewise.documents.batch import RowBatch
from likewise.documents.extraction.file_type import container_kind, kind_note
from likewise.documents.extraction.single_document import (
    Finish,
    as_rows,
    begin_document,
    begin_file,
    load_document,
    read_whole,
)
from likewise.documents.formats import FORMATS
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.tables.formats import TABLES
from likewise.documents.unreadable import UnreadableError
from likewise.documents.zipped import Zipped
from likewise.errors import DocumentError, LikewiseError
from likewise.storage.fetch_ahead import fetch_ahead

_MAX_WAITING_BYTES = 128 << 20


@dataclass(frozen=True, eq=False)
class Item:
    """The next thing to read.

    Attributes:
        origin: the file of the collection.
        document: what messages are about: the file, or a member of it.
        read: gives the rows when the item's turn has come, and raises what there is to raise.
        pending: bytes in memory until then.
        packed: by how much of the file this brings the reading forward.
        last: the file ends with it.
    """

    origin: Origin
    document: Origin
    read: Callable[[], Iterator[RowBatch]]
    pending: int = 0
    packed: int = 0
    last: bool = True


def look_ahead(origins: Sequence[Origin], reading: Reading) -> Iterator[Item]:
    """Yield what there is to read, in order."""
    waiting: deque[Item] = deque()
    pending = 0
    for origin in _fetched(origins):
        for item in _items(origin, reading):
            waiting.append(item)
            pending += item.pending
            while len(waiting) > reading.extraction.ahead or pending > _MAX_WAITING_BYTES:
                pending -= waiting[0].pending
                yield waiting.popleft()
    yield from waiting


def _fetched(origins: Sequence[Origin]) -> Iterator[Origin]:
    """Yield the origins; documents in stores are fetched side by side, long before their turn."""
    if all(origin.stored is None for origin in origins):
        yield from origins
        return
    files = [None if origin.kind in TABLES else origin.stored for origin in origins]
    with closing(fetch_ahead(files)) as fetched:
        for origin, file in zip(origins, fetched, strict=True):
            yield origin if file is None else replace(origin, stored=file)


def _items(origin: Origin, reading: Reading) -> Iterator[Item]:
    # Rows are read when their turn has come, and files of plain text: they need no worker.
    if origin.kind in TABLES:
        yield Item(origin, origin, TABLES[origin.kind]([origin], reading).read_documents)
        return
    if origin.kind == "text":
        yield Item(origin, origin, partial(read_whole, origin, reading))
        return
    try:
        if origin.kind in FORMATS:
            finish, pending = begin_file(origin, reading)
            yield _document_item(origin, origin, finish, pending)
        else:
            yield from _archive_items(origin, reading)
    except LikewiseError as error:
        yield Item(origin, origin, _raiser(error))


def _document_item(
    origin: Origin, document: Origin, finish: Finish, pending: int, number: int = 0
) -> Item:
    def read() -> Iterator[RowBatch]:
        yield as_rows(document, finish(), number)

    return Item(origin, document, read, pending)


def _archive_items(origin: Origin, reading: Reading) -> Iterator[Item]:
    with open_archive(origin) as file:
        try:
            package = Zipped(file)
            kind = container_kind(package)
        except UnreadableError as error:
            raise DocumentError(origin.name, error.reason) from error
        if kind != "zip":
            data = load_document(origin)
            if note := kind_note(origin.kind, kind):
                reading.note(origin, note)
            document = replace(origin, kind=kind)
            finish = begin_document(document, data, reading)
            yield _document_item(origin, document, finish, len(data))
            return
        number = -1
        for number, member in enumerate(read_members(package, origin, whole=reading.whole)):
            yield _member_item(origin, member, reading, number)
        if number < 0:
            raise DocumentError(origin.name, "the archive contains no documents")
    yield Item(origin, origin, lambda: iter(()))


def _member_item(origin: Origin, member: Member, reading: Reading, number: int) -> Item:
    if isinstance(member.content, UnreadableError):
        error = DocumentError(member.document.name, member.content.reason)
        item = Item(origin, member.document, _raiser(error))
    else:
        finish = begin_document(member.document, member.content, reading)
        item = _document_item(origin, member.document, finish, len(member.content), number)
    return replace(item, packed=member.packed, last=False)


def _raiser(error: LikewiseError) -> Callable[[], Iterator[RowBatch]]:
    def read() -> Iterator[RowBatch]:
        raise error
        yield

    return read
