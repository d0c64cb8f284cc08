"""Documents of an index, one after the other: all of them, those that are called so, the newest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from likewise.index.document import Document
from likewise.index.stores.protocol import Store

_AT_ONCE = 1_000
_IDS_AT_ONCE = 10_000


def listed(store: Store, *, text: bool, after: int) -> Iterator[Document]:
    """All documents behind a number, in the order in which they were added."""
    last = after
    while True:
        with store.read() as snapshot:
            part = snapshot.scan(after=last, limit=_AT_ONCE, text=text)
        if not part:
            return
        yield from map(Document.of, part)
        last = part[-1].number


def listed_containing(
    store: Store, part_of_id: str, *, text: bool, after: int
) -> Iterator[Document]:
    """Those of them whose id holds some text, in large or small letters.

    By Python's own rules for letters, so that all stores answer alike; a store is asked for ids
    alone until some are found.
    """
    wanted = part_of_id.casefold()
    last = after
    while True:
        with store.read() as snapshot:
            ids = snapshot.scan_ids(after=last, limit=_IDS_AT_ONCE)
        if not ids:
            return
        numbers = [number for number, id_ in ids if wanted in id_.casefold()]
        for begin in range(0, len(numbers), _AT_ONCE):
            with store.read() as snapshot:
                part = snapshot.documents(numbers[begin : begin + _AT_ONCE], text=text)
            yield from map(Document.of, part)
        last = ids[-1][0]


def newest(store: Store, most: int, *, text: bool) -> Iterator[Document]:
    """The documents that were added last, the newest first."""
    with store.read() as snapshot:
        numbers = list(deque(snapshot.numbers(), maxlen=most))
    few = 100  # texts may be long, and whoever asks may have enough of them
    for end in range(len(numbers), 0, -few):
        with store.read() as snapshot:
            part = snapshot.documents(numbers[max(0, end - few) : end], text=text)
        yield from map(Document.of, reversed(part))
