"""`Snapshot` and `Transaction`: what an index reads from and writes to a store.

The statements are written once, in SQL that SQLite and PostgreSQL share. A store supplies the
methods that differ: `run`, `run_in` and `insert`, and the version of the schema.

What is read is checked here: SQLite keeps any value in any column, and a damaged file may return
the same rows over and over. `DamageError` says so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from likewise.index.damage import DamageError
from likewise.index.postings.segments import Segment
from likewise.index.stored_document import MAX_DOCUMENT, StoredDocument, is_storable

_FIELDS = "d.number, d.id, d.content, d.size, d.signature, d.metadata"
_SELECT = {
    False: f"SELECT {_FIELDS}, NULL FROM documents d",
    True: f"SELECT {_FIELDS}, t.data FROM documents d LEFT JOIN texts t ON t.number = d.number",
}
# In the order of the fields of `Segment`.
_SEGMENT_FIELDS = "kind, number, documents, entries, bits, filter_bits, filter"
_UPSERT = "INSERT INTO {0} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET {1} = excluded.{1}"

Row = tuple[Any, ...]
Types = tuple[type, ...]
_DOCUMENT: set[Types] = {
    (int, str, bytes, int, bytes, metadata, text)
    for metadata in (str, type(None))
    for text in (bytes, type(None))
}
_SEGMENT: set[Types] = {(*(int,) * 6, bytes)}
_MAX_DIGITS = 18  # of a number that fits in 64 bits


def _typed(rows: Iterable[Row], *types: type) -> Iterator[Row]:
    """Rows of values of these types."""
    return _of_types(rows, {types})


def _of_types(rows: Iterable[Row], types: set[Types]) -> Iterator[Row]:
    for row in rows:
        if tuple(map(type, row)) not in types:
            raise DamageError("a value is of the wrong type")
        yield row


def _ascending(rows: Iterable[Row], after: int = 0) -> Iterator[Row]:
    """Rows whose first value ascends; in a damaged file they may have no end."""
    last = after
    for row in rows:
        if type(row[0]) is not int or row[0] <= last:
            raise DamageError("rows are not in ascending order")
        last = row[0]
        yield row


class Snapshot(ABC):
    """The store as it was when the snapshot was taken. `name` is the index in messages."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def run(self, statement: str, values: Sequence[Any] = ()) -> Iterable[Row]:
        """Runs a statement, with a ? for each value; the resulting rows."""

    @abstractmethod
    def run_in(self, statement: str, values: Sequence[Any], first: Sequence[Any] = ()) -> list[Row]:
        """Runs a statement that ends in the name of a column, which must be one of `values`.

        `first` has values for any ? of the statement.
        """

    def _value(self, kind: type, statement: str, values: Sequence[Any] = ()) -> Any:
        """The only column of the first row; None without rows."""
        return next((row[0] for row in _typed(self.run(statement, values), kind)), None)

    def fact(self, name: str) -> str | None:
        """A named value, such as the settings."""
        value: str | None = self._value(str, "SELECT value FROM facts WHERE name = ?", (name,))
        return value

    def facts_that_begin(self, beginning: str) -> list[str]:
        """The values of all facts whose names begin so; without `%` and `_`."""
        rows = self.run("SELECT value, name FROM facts WHERE name LIKE ?", (f"{beginning}%",))
        return [value for value, _ in _typed(rows, str, str)]

    def int_facts(self, name: str) -> list[int]:
        """A fact that is some numbers; none if it is missing."""
        words = (self.fact(name) or "").split(" ")
        if words == [""]:
            return []
        for word in words:
            if not (word.isascii() and word.isdecimal() and len(word) <= _MAX_DIGITS):
                raise DamageError(f"the fact {name!r} is not a number")
        return list(map(int, words))

    def int_fact(self, name: str) -> int:
        """A fact that is a number; 0 if it is missing."""
        return next(iter(self.int_facts(name)), 0)

    def next_number(self) -> int:
        """The number of the document that is added next."""
        number = max(1, self.int_fact("next"))
        if number > MAX_DOCUMENT + 1:
            raise DamageError("the next number of a document is impossible")
        return number

    def schema(self) -> int:
        """The version of the tables."""
        return self.int_fact("schema")

    def blob(self, name: str) -> bytes | None:
        """A named value of bytes, such as the common keys of a kind."""
        data: bytes | None = self._value(bytes, "SELECT data FROM blobs WHERE name = ?", (name,))
        return data

    def count(self) -> int:
        """The number of documents. It is a fact, since counting a million rows takes time."""
        return self.int_fact("documents")

    def find(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        """The number and the content hash of each stored document with one of these ids."""
        wanted = list(filter(is_storable, ids))
        rows = self.run_in("SELECT id, number, content FROM documents WHERE id", wanted)
        found = _typed(rows, str, int, bytes)
        return {id_: (number, content) for id_, number, content in found}

    def documents(self, numbers: Sequence[int], *, text: bool) -> list[StoredDocument]:
        """Documents by number, in the order of their numbers, without those that are gone."""
        rows = self.run_in(f"{_SELECT[text]} WHERE d.number", sorted(numbers))
        return sorted(self._documents(rows), key=lambda document: document.number)

    def _documents(self, rows: Iterable[Row]) -> Iterator[StoredDocument]:
        return (StoredDocument.of(row, self.name) for row in _of_types(rows, _DOCUMENT))

    def documents_by_id(self, ids: Sequence[str], *, text: bool) -> dict[str, StoredDocument]:
        """The stored documents with one of these ids."""
        numbers = [number for number, _ in self.find(ids).values()]
        return {document.id: document for document in self.documents(numbers, text=text)}

    def sizes(self, numbers: Sequence[int]) -> dict[int, int]:
        """The number of shingles of documents by number, without those that are gone."""
        rows = self.run_in("SELECT number, size FROM documents WHERE number", numbers)
        return dict(_typed(rows, int, int))

    def scan(self, *, after: int, limit: int, text: bool) -> list[StoredDocument]:
        """The next documents by number."""
        where = "WHERE d.number > ? ORDER BY d.number LIMIT ?"
        rows = self.run(f"{_SELECT[text]} {where}", (after, limit))
        return list(self._documents(_ascending(rows, after)))

    def scan_ids(self, *, after: int, limit: int) -> list[tuple[int, str]]:
        """The numbers and ids of the next documents by number."""
        rows = self.run(
            "SELECT number, id FROM documents WHERE number > ? ORDER BY number LIMIT ?",
            (after, limit),
        )
        return [(number, id_) for number, id_ in _ascending(_typed(rows, int, str), after)]

    def numbers(self) -> Iterator[int]:
        """The numbers of all documents, ascending."""
        rows = _typed(self.run("SELECT number FROM documents ORDER BY number"), int)
        for (number,) in _ascending(rows):
            if number > MAX_DOCUMENT:
                raise DamageError(f"document {number} has an impossible number")
            yield number

    def newest_numbers(self, limit: int) -> list[int]:
        """The numbers of the documents added last, descending."""
        rows = self.run("SELECT number FROM documents ORDER BY number DESC LIMIT ?", (limit,))
        return [number for (number,) in _typed(rows, int)]

    def segment_sizes(self, kind: int) -> list[tuple[int, int]]:
        """The numbers of all segments of a kind, ascending, with the number of their entries."""
        rows = self.run(
            "SELECT number, entries FROM segments WHERE kind = ? ORDER BY number", (kind,)
        )
        return [(number, entries) for number, entries in _ascending(_typed(rows, int, int))]

    def segments(self, kind: int, numbers: Sequence[int]) -> list[Segment]:
        """Segments of a kind by number."""
        select = f"SELECT {_SEGMENT_FIELDS} FROM segments WHERE kind = ? AND number"
        return list(map(Segment.of, _of_types(self.run_in(select, numbers, (kind,)), _SEGMENT)))

    def look_up(
        self, kind: int, buckets: Sequence[int], keys: Sequence[int]
    ) -> tuple[list[bytes], list[tuple[int, int]]]:
        """The buckets with these ids, and the waiting entries (key, number) with these keys."""
        found = _typed(self.run_in("SELECT data FROM buckets WHERE id", buckets), bytes)
        data = [data for (data,) in found]
        rows = self.run_in("SELECT key, number FROM waiting WHERE kind = ? AND key", keys, (kind,))
        return data, [(key, number) for key, number in _typed(rows, int, int)]

    def buckets(self, begin: int, end: int) -> list[tuple[int, bytes]]:
        """The ids and data of the buckets with ids from begin to below end, in order."""
        rows = self.run(
            "SELECT id, data FROM buckets WHERE id >= ? AND id < ? ORDER BY id", (begin, end)
        )
        return [(id_, data) for id_, data in _ascending(_typed(rows, int, bytes), begin - 1)]

    def bucket_bytes(self, begin: int, end: int) -> int:
        """The size of the buckets with ids from begin to below end, without reading them."""
        statement = "SELECT coalesce(sum(length(data)), 0) FROM buckets WHERE id >= ? AND id < ?"
        return int(self._value(int, statement, (begin, end)))

    def waiting(self, kind: int) -> list[tuple[int, int]]:
        """Entries (key, number) that are in no segment yet, ascending."""
        rows = self.run(
            "SELECT key, number FROM waiting WHERE kind = ? ORDER BY key, number", (kind,)
        )
        found: list[tuple[int, int]] = []
        for key, number in _typed(rows, int, int):
            if found and (key, number) <= found[-1]:
                raise DamageError("waiting entries are not in ascending order")
            found.append((key, number))
        return found

    def count_waiting(self, kind: int) -> int:
        return int(self._value(int, "SELECT count(*) FROM waiting WHERE kind = ?", (kind,)))


class Transaction(Snapshot):
    """A snapshot that can be changed."""

    @abstractmethod
    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Inserts many rows."""

    def set_schema(self, version: int) -> None:
        self.set_fact("schema", version)

    def set_fact(self, name: str, value: str | int) -> None:
        self.run(_UPSERT.format("facts", "value"), (name, str(value)))

    def delete_facts(self, names: Sequence[str]) -> None:
        self.run_in("DELETE FROM facts WHERE name", names)

    def set_blob(self, name: str, data: bytes) -> None:
        self.run(_UPSERT.format("blobs", "data"), (name, data))

    def insert_documents(self, documents: Sequence[StoredDocument]) -> None:
        self.insert(
            "documents",
            ((d.number, d.id, d.content, d.size, d.signature, d.metadata_json) for d in documents),
        )
        texts = ((d.number, d.packed_text) for d in documents if d.packed_text is not None)
        self.insert("texts", texts)

    def set_metadata(self, number: int, metadata_json: str | None, content: bytes) -> None:
        self.run(
            "UPDATE documents SET metadata = ?, content = ? WHERE number = ?",
            (metadata_json, content, number),
        )

    def delete(self, numbers: Sequence[int]) -> None:
        for table in ("documents", "texts"):
            self.run_in(f"DELETE FROM {table} WHERE number", numbers)

    def put_segment(self, segment: Segment) -> None:
        self.run(
            f"INSERT INTO segments ({_SEGMENT_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)", segment.row()
        )

    def drop_segments(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.run("DELETE FROM segments WHERE number = ?", (number,))
            ids = (number << 32, (number + 1) << 32)
            self.run("DELETE FROM buckets WHERE id >= ? AND id < ?", ids)

    def put_waiting(self, kind: int, entries: Iterable[tuple[int, int]]) -> None:
        self.insert("waiting", ((kind, key, number) for key, number in entries))

    def delete_waiting(self, kind: int, numbers: Sequence[int]) -> None:
        self.run_in("DELETE FROM waiting WHERE kind = ? AND number", numbers, (kind,))

    def clear_waiting(self, kind: int) -> None:
        self.run("DELETE FROM waiting WHERE kind = ?", (kind,))
