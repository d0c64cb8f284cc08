"""What a snapshot or a transaction does in PostgreSQL; see `Transaction`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from likewise.index.postings.segments import Segment
from likewise.index.stores.protocol import SEGMENT_FIELDS, StoredDocument

if TYPE_CHECKING:
    import psycopg

_FIELDS = "d.number, d.id, d.content, d.size, d.signature, d.metadata"
_SELECT = {
    False: f"SELECT {_FIELDS}, NULL::bytea FROM documents d",
    True: f"SELECT {_FIELDS}, t.data FROM documents d LEFT JOIN texts t ON t.number = d.number",
}


class PostgresTransaction:
    """A snapshot or a transaction; see `Transaction`."""

    def __init__(
        self, connection: psycopg.Connection[Any], known: Mapping[str, str] | None = None
    ) -> None:
        """`known` are facts that came with the snapshot, and do not change in it."""
        self._connection = connection
        self._known = known or {}

    def run(self, statement: str) -> None:
        """A statement that gives nothing back."""
        self._connection.execute(statement.encode())

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(query.encode(), values, binary=True).fetchall()

    def fact(self, name: str) -> str | None:
        if name in self._known:
            return self._known[name]
        rows = self._rows("SELECT value FROM facts WHERE name = %s", (name,))
        return str(rows[0][0]) if rows else None

    def set_fact(self, name: str, value: str) -> None:
        self._connection.execute(
            "INSERT INTO facts VALUES (%s, %s) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def count(self) -> int:
        return int(self.fact("documents") or 0)

    def find(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        rows = self._rows(
            "SELECT id, number, content FROM documents WHERE id = ANY(%s)", (list(ids),)
        )
        return {id_: (number, bytes(content)) for id_, number, content in rows}

    def documents(self, numbers: Sequence[int], *, text: bool) -> list[StoredDocument]:
        rows = self._rows(
            f"{_SELECT[text]} WHERE d.number = ANY(%b) ORDER BY d.number", (list(numbers),)
        )
        return [_document(row) for row in rows]

    def sizes(self, numbers: Sequence[int]) -> dict[int, int]:
        rows = self._rows(
            "SELECT number, size FROM documents WHERE number = ANY(%b)", (list(numbers),)
        )
        return dict(rows)

    def scan(self, *, after: int, limit: int, text: bool) -> list[StoredDocument]:
        rows = self._rows(
            f"{_SELECT[text]} WHERE d.number > %s ORDER BY d.number LIMIT %s", (after, limit)
        )
        return [_document(row) for row in rows]

    def scan_ids(self, *, after: int, limit: int) -> list[tuple[int, str]]:
        rows = self._rows(
            "SELECT number, id FROM documents WHERE number > %s ORDER BY number LIMIT %s",
            (after, limit),
        )
        return [(number, id_) for number, id_ in rows]

    def numbers(self) -> Iterator[int]:
        for (number,) in self._rows("SELECT number FROM documents ORDER BY number"):
            yield number

    def insert(self, documents: Iterable[StoredDocument]) -> None:
        held = list(documents)
        self._copy(
            "documents", ("int8", "text", "bytea", "int8", "bytea", "text"),
            ((d.number, d.id, d.content, d.size, d.signature, d.metadata) for d in held),
        )  # fmt: skip
        self._copy(
            "texts", ("int8", "bytea"), ((d.number, d.text) for d in held if d.text is not None)
        )

    def delete(self, numbers: Sequence[int]) -> None:
        for table in ("documents", "texts"):
            self._connection.execute(
                f"DELETE FROM {table} WHERE number = ANY(%s)", (list(numbers),)
            )

    def segment_sizes(self, kind: int) -> list[tuple[int, int]]:
        rows = self._rows(
            "SELECT number, entries FROM segments WHERE kind = %s ORDER BY number", (kind,)
        )
        return [(number, entries) for number, entries in rows]

    def segments(self, kind: int, numbers: Sequence[int]) -> list[Segment]:
        rows = self._rows(
            f"SELECT {SEGMENT_FIELDS} FROM segments WHERE kind = %s AND number = ANY(%s)",
            (kind, list(numbers)),
        )
        return list(map(Segment.of, rows))

    def blob(self, name: str) -> bytes | None:
        rows = self._rows("SELECT data FROM blobs WHERE name = %s", (name,))
        return bytes(rows[0][0]) if rows else None

    def set_blob(self, name: str, data: bytes) -> None:
        self._connection.execute(
            "INSERT INTO blobs VALUES (%s, %s) "
            "ON CONFLICT (name) DO UPDATE SET data = excluded.data",
            (name, data),
        )

    def put_segment(self, segment: Segment) -> None:
        self._connection.execute(
            f"INSERT INTO segments ({SEGMENT_FIELDS}) VALUES (%s, %s, %s, %s, %s, %s, %s)",
            segment.row(),
        )

    def put_buckets(self, buckets: Iterable[tuple[int, bytes]]) -> None:
        self._copy("buckets", ("int8", "bytea"), buckets)

    def drop_segments(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._connection.execute("DELETE FROM segments WHERE number = %s", (number,))
            self._connection.execute(
                "DELETE FROM buckets WHERE id >= %s AND id < %s",
                (number << 32, (number + 1) << 32),
            )

    def look_up(
        self, kind: int, buckets: Sequence[int], keys: Sequence[int]
    ) -> tuple[list[bytes], list[tuple[int, int]]]:
        # In one go, and the buckets as one value: what takes time here is the way to the server
        # and back, and rows. No document has the number 0.
        rows = self._rows(
            "SELECT string_agg(data, ''::bytea ORDER BY id), 0::bigint, 0::bigint FROM buckets "
            "WHERE id = ANY(%b) UNION ALL "
            "SELECT NULL, key, number FROM waiting WHERE kind = %s AND key = ANY(%b)",
            (list(buckets), kind, list(keys)),
        )
        held = [bytes(data) for data, _, _ in rows if data is not None]
        return held, [(key, number) for _, key, number in rows if number]

    def buckets(self, begin: int, end: int) -> list[bytes]:
        rows = self._rows(
            "SELECT data FROM buckets WHERE id >= %s AND id < %s ORDER BY id", (begin, end)
        )
        return [bytes(data) for (data,) in rows]

    def count_waiting(self, kind: int) -> int:
        return int(self._rows("SELECT count(*) FROM waiting WHERE kind = %s", (kind,))[0][0])

    def waiting(self, kind: int) -> list[tuple[int, int]]:
        rows = self._rows("SELECT key, number FROM waiting WHERE kind = %s", (kind,))
        return [(int(key), int(number)) for key, number in rows]

    def put_waiting(self, kind: int, entries: Iterable[tuple[int, int]]) -> None:
        rows = ((kind, key, number) for key, number in entries)
        self._copy("waiting", ("int4", "int8", "int8"), rows)

    def delete_waiting(self, kind: int, numbers: Sequence[int]) -> None:
        self._connection.execute(
            "DELETE FROM waiting WHERE kind = %s AND number = ANY(%s)", (kind, list(numbers))
        )

    def clear_waiting(self, kind: int) -> None:
        self._connection.execute("DELETE FROM waiting WHERE kind = %s", (kind,))

    def _copy(self, table: str, types: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as copy,
        ):
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)


def _document(row: tuple[Any, ...]) -> StoredDocument:
    number, id_, content, size, signature, metadata, text = row
    return StoredDocument(
        number, id_, bytes(content), size, bytes(signature), metadata,
        None if text is None else bytes(text),
    )  # fmt: skip
