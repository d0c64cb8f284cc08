"""`Snapshot` and `Transaction`: what an index reads from and writes to a store.

The statements are written once, in SQL that SQLite and PostgreSQL share. A store supplies the
methods that differ: `run`, `run_in` and `insert`, and the version of the schema.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from likewise.index.postings.segments import Segment
from likewise.index.stored_document import StoredDocument, is_storable

_FIELDS = "d.number, d.id, d.content, d.size, d.signature, d.metadata"
_SELECT = {
    False: f"SELECT {_FIELDS}, NULL FROM documents d",
    True: f"SELECT {_FIELDS}, t.data FROM documents d LEFT JOIN texts t ON t.number = d.number",
}
# In the order of the fields of `Segment`.
_SEGMENT_FIELDS = "kind, number, documents, entries, bits, filter_bits, filter"
_UPSERT = "INSERT INTO {0} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET {1} = excluded.{1}"

Row = tuple[Any, ...]


class Snapshot(ABC):
    """The store as it was when the snapshot was taken."""

    @abstractmethod
    def run(self, statement: str, values: Sequence[Any] = ()) -> Iterable[Row]:
        """Runs a statement, with a ? for each value; the resulting rows."""

    @abstractmethod
    def run_in(self, statement: str, values: Sequence[Any], first: Sequence[Any] = ()) -> list[Row]:
        """Runs a statement that ends in the name of a column, which must be one of `values`.

        `first` has values for any ? of the statement.
        """

    def _value(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """The first column of the first row; None without rows."""
        return next((row[0] for row in self.run(statement, values)), None)

    def fact(self, name: str) -> str | None:
        """A named value, such as the settings."""
        value: str | None = self._value("SELECT value FROM facts WHERE name = ?", (name,))
        return value

    def int_fact(self, name: str) -> int:
        """A fact that is a number; 0 if it is missing."""
        return int(self.fact(name) or 0)

    def schema(self) -> int:
        """The version of the tables."""
        return self.int_fact("schema")

    def blob(self, name: str) -> bytes | None:
        """A named value of bytes, such as the common keys of a kind."""
        data: bytes | None = self._value("SELECT data FROM blobs WHERE name = ?", (name,))
        return data

    def count(self) -> int:
        """The number of documents. It is a fact, since counting a million rows takes time."""
        return self.int_fact("documents")

    def find(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        """The number and the content hash of each stored document with one of these ids."""
        wanted = list(filter(is_storable, ids))
        rows = self.run_in("SELECT id, number, content FROM documents WHERE id", wanted)
        return {id_: (number, content) for id_, number, content in rows}

    def documents(self, numbers: Sequence[int], *, text: bool) -> list[StoredDocument]:
        """Documents by number, in the order of their numbers, without those that are gone."""
        rows = self.run_in(f"{_SELECT[text]} WHERE d.number", sorted(numbers))
        return sorted((StoredDocument(*row) for row in rows), key=lambda document: document.number)

    def documents_by_id(self, ids: Sequence[str], *, text: bool) -> dict[str, StoredDocument]:
        """The stored documents with one of these ids."""
        numbers = [number for number, _ in self.find(ids).values()]
        return {document.id: document for document in self.documents(numbers, text=text)}

    def sizes(self, numbers: Sequence[int]) -> dict[int, int]:
        """The number of shingles of documents by number, without those that are gone."""
        return dict(self.run_in("SELECT number, size FROM documents WHERE number", numbers))

    def scan(self, *, after: int, limit: int, text: bool) -> list[StoredDocument]:
        """The next documents by number."""
        where = "WHERE d.number > ? ORDER BY d.number LIMIT ?"
        return [
            StoredDocument(*row) for row in self.run(f"{_SELECT[text]} {where}", (after, limit))
        ]

    def scan_ids(self, *, after: int, limit: int) -> list[tuple[int, str]]:
        """The numbers and ids of the next documents by number."""
        rows = self.run(
            "SELECT number, id FROM documents WHERE number > ? ORDER BY number LIMIT ?",
            (after, limit),
        )
        return [(number, id_) for number, id_ in rows]

    def numbers(self) -> Iterator[int]:
        """The numbers of all documents, ascending."""
        return (number for (number,) in self.run("SELECT number FROM documents ORDER BY number"))

    def newest_numbers(self, limit: int) -> list[int]:
        """The numbers of the documents added last, descending."""
        rows = self.run("SELECT number FROM documents ORDER BY number DESC LIMIT ?", (limit,))
        return [number for (number,) in rows]

    def segment_sizes(self, kind: int) -> list[tuple[int, int]]:
        """The numbers of all segments of a kind, ascending, with the number of their entries."""
        rows = self.run(
            "SELECT number, entries FROM segments WHERE kind = ? ORDER BY number", (kind,)
        )
        return [(number, entries) for number, entries in rows]

    def segments(self, kind: int, numbers: Sequence[int]) -> list[Segment]:
        """Segments of a kind by number."""
        select = f"SELECT {_SEGMENT_FIELDS} FROM segments WHERE kind = ? AND number"
        return list(map(Segment.of, self.run_in(select, numbers, (kind,))))

    def look_up(
        self, kind: int, buckets: Sequence[int], keys: Sequence[int]
    ) -> tuple[list[bytes], list[tuple[int, int]]]:
        """The buckets with these ids, and the waiting entries (key, number) with these keys."""
        data = [data for (data,) in self.run_in("SELECT data FROM buckets WHERE id", buckets)]
        rows = self.run_in("SELECT key, number FROM waiting WHERE kind = ? AND key", keys, (kind,))
        return data, [(key, number) for key, number in rows]

    def buckets(self, begin: int, end: int) -> list[bytes]:
        """The buckets with ids from begin to below end, in order."""
        rows = self.run(
            "SELECT data FROM buckets WHERE id >= ? AND id < ? ORDER BY id", (begin, end)
        )
        return [data for (data,) in rows]

    def waiting(self, kind: int) -> list[tuple[int, int]]:
        """Entries (key, number) that are in no segment yet."""
        rows = self.run("SELECT key, number FROM waiting WHERE kind = ?", (kind,))
        return [(key, number) for key, number in rows]

    def count_waiting(self, kind: int) -> int:
        return int(self._value("SELECT count(*) FROM waiting WHERE kind = ?", (kind,)))


class Transaction(Snapshot):
    """A snapshot that can be changed."""

    @abstractmethod
    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Inserts many rows."""

    def set_schema(self, version: int) -> None:
        self.set_fact("schema", version)

    def set_fact(self, name: str, value: str | int) -> None:
        self.run(_UPSERT.format("facts", "value"), (name, str(value)))

    def set_blob(self, name: str, data: bytes) -> None:
        self.run(_UPSERT.format("blobs", "data"), (name, data))

    def insert_documents(self, documents: Sequence[StoredDocument]) -> None:
        self.insert(
            "documents",
            ((d.number, d.id, d.content, d.size, d.signature, d.metadata_json) for d in documents),
        )
        texts = ((d.number, d.packed_text) for d in documents if d.packed_text is not None)
        self.insert("texts", texts)

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
