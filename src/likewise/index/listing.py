"""Documents of an index one after the other: all, those with a part of an id, the newest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from likewise.index.stored_document import StoredDocument
from likewise.index.stores.store import Store

_BATCH_DOCUMENTS = 1_000
_BATCH_IDS = 10_000
_BATCH_NEWEST = 100  # texts may be long, and the caller may need few of them


def walk(store: Store[Any], *, text: bool, after: int) -> Iterator[StoredDocument]:
    """All documents after a number, in the order in which they were added."""
    last = after
    while True:
        with store.read() as snapshot:
            part = snapshot.scan(after=last, limit=_BATCH_DOCUMENTS, text=text)
        if not part:
            return
        last = part[-1].number
        yield from _released(part)


def walk_matching(
    store: Store[Any], part_of_id: str, *, text: bool, after: int
) -> Iterator[StoredDocument]:
    """The documents among them whose id contains some text, ignoring case.

    Python's rules for case apply, so that all stores give the same documents.
    """
    wanted = part_of_id.casefold()
    last = after
    while True:
        with store.read() as snapshot:
            ids = snapshot.scan_ids(after=last, limit=_BATCH_IDS)
        if not ids:
            return
        numbers = [number for number, id_ in ids if wanted in id_.casefold()]
        for begin in range(0, len(numbers), _BATCH_DOCUMENTS):
            with store.read() as snapshot:
                part = snapshot.documents(numbers[begin : begin + _BATCH_DOCUMENTS], text=text)
            yield from _released(part)
        last = ids[-1][0]


def newest(store: Store[Any], limit: int, *, text: bool) -> Iterator[StoredDocument]:
    """The documents that were added last, the newest first."""
    with store.read() as snapshot:
        numbers = snapshot.newest_numbers(limit)
    for begin in range(0, len(numbers), _BATCH_NEWEST):
        with store.read() as snapshot:
            part = snapshot.documents(numbers[begin : begin + _BATCH_NEWEST], text=text)
        part.reverse()
        yield from _released(part)


def _released(documents: list[StoredDocument]) -> Iterator[StoredDocument]:
    """Documents in turn, none kept for longer than the caller does: it may have unpacked them."""
    documents.reverse()
    while documents:
        yield documents.pop()
