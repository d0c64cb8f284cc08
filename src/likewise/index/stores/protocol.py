"""What a store must do: keep documents, segments and a few facts, in transactions.

A store knows nothing of texts or similarity; `Index` does. All reading happens in a snapshot, all
writing in one transaction that is there as a whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from likewise.index.postings.segments import Segment

# The columns of a segment, in the order of the fields of `Segment`.
SEGMENT_FIELDS = "kind, number, documents, entries, bits, filter_bits, filter"


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """One document as it is stored.

    Attributes:
        number: its place in the index; a document that changes gets a new one.
        id: what the user calls it.
        content: a hash of the text and of what is known about it.
        size: how many shingles it has; 0 for one that is in no pair.
        signature: its sketch, as bytes.
        metadata: what is known about it, as JSON; None for nothing.
        text: the text, compressed, with the starts of its pages; None where texts are not kept.
    """

    number: int
    id: str
    content: bytes
    size: int
    signature: bytes
    metadata: str | None
    text: bytes | None

    def known(self) -> dict[str, Any] | None:
        """What is known about it, read from JSON."""
        return None if self.metadata is None else json.loads(self.metadata)


class Snapshot(Protocol):
    """The store as it was when the snapshot was taken."""

    def fact(self, name: str) -> str | None:
        """A named value, such as the settings."""

    def count(self) -> int:
        """How many documents there are; kept as a fact, since to count a million takes time."""

    def find(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        """Of those ids that are there, the number and the content."""

    def documents(self, numbers: Sequence[int], *, text: bool) -> list[StoredDocument]:
        """Documents by number, in the order of their numbers; those that are gone are left out."""

    def sizes(self, numbers: Sequence[int]) -> dict[int, int]:
        """How many shingles documents have, by number; those that are gone are left out."""

    def scan(self, *, after: int, limit: int, text: bool) -> list[StoredDocument]:
        """The next documents by number."""

    def scan_ids(self, *, after: int, limit: int) -> list[tuple[int, str]]:
        """The numbers and ids of the next documents by number."""

    def numbers(self) -> Iterator[int]:
        """The numbers of all documents, ascending."""

    def segment_sizes(self, kind: int) -> list[tuple[int, int]]:
        """The numbers of all segments of a kind, ascending, and how many entries each has."""

    def segments(self, kind: int, numbers: Sequence[int]) -> list[Segment]:
        """Segments of a kind by number."""

    def blob(self, name: str) -> bytes | None:
        """A named value of bytes, such as the common keys of a kind."""

    def look_up(
        self, kind: int, buckets: Sequence[int], keys: Sequence[int]
    ) -> tuple[list[bytes], list[tuple[int, int]]]:
        """The buckets of these ids that are there, and entries (key, number) that wait."""

    def buckets(self, begin: int, end: int) -> list[bytes]:
        """The buckets with ids from begin to below end, in order."""

    def count_waiting(self, kind: int) -> int:
        """How many entries are in no segment yet."""

    def waiting(self, kind: int) -> list[tuple[int, int]]:
        """Entries (key, number) that are in no segment yet."""


class Transaction(Snapshot, Protocol):
    """A snapshot that can be changed."""

    def set_fact(self, name: str, value: str) -> None: ...
    def insert(self, documents: Iterable[StoredDocument]) -> None: ...
    def delete(self, numbers: Sequence[int]) -> None: ...
    def set_blob(self, name: str, data: bytes) -> None: ...
    def put_segment(self, segment: Segment) -> None: ...
    def put_buckets(self, buckets: Iterable[tuple[int, bytes]]) -> None: ...
    def drop_segments(self, numbers: Sequence[int]) -> None: ...
    def put_waiting(self, kind: int, entries: Iterable[tuple[int, int]]) -> None: ...
    def clear_waiting(self, kind: int) -> None: ...
    def delete_waiting(self, kind: int, numbers: Sequence[int]) -> None: ...


class Store(Protocol):
    """Documents and segments, kept."""

    name: str  # what messages call it

    def read(self) -> AbstractContextManager[Snapshot]:
        """A snapshot, for any number of threads and processes at once."""

    def write(self) -> AbstractContextManager[Transaction]:
        """A transaction; one at a time, others wait. Undone if the block raises."""

    def check(self) -> list[str]:
        """What is wrong with the store itself; nothing, if it is whole."""

    def compact(self) -> None:
        """Gives back the room of what was deleted."""

    def copy_to(self, path: str) -> None:
        """Writes a copy to a file, while others read and write."""

    def bytes_used(self) -> int: ...
    def close(self) -> None: ...
