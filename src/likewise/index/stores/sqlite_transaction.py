"""What a snapshot or a transaction does in SQLite; see `Transaction`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from likewise.index.postings.segments import Segment
from likewise.index.stores.protocol import SEGMENT_FIELDS, StoredDocument

_AT_ONCE = 512  # values in one IN (…)
_FIELDS = "d.number, d.id, d.content, d.size, d.signature, d.metadata"
_SELECT = {
    False: f"SELECT {_FIELDS}, NULL FROM documents d",
    True: f"SELECT {_FIELDS}, t.data FROM documents d LEFT JOIN texts t ON t.number = d.number",
}

T = TypeVar("T")


class SqliteTransaction:
    """A snapshot or a transaction; see `Transaction`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def fact(self, name: str) -> str | None:
        found = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,))
        row = found.fetchone()
        return None if row is None else str(row[0])

    def set_fact(self, name: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def count(self) -> int:
        return int(self.fact("documents") or 0)

    def find(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        found = {}
        for marks, part in _parts(ids):
            for id_, number, content in self._connection.execute(
                f"SELECT id, number, content FROM documents WHERE id IN ({marks})", part
            ):
                found[id_] = (number, content)
        return found

    def documents(self, numbers: Sequence[int], *, text: bool) -> list[StoredDocument]:
        made: list[StoredDocument] = []
        for marks, part in _parts(sorted(numbers)):
            rows = self._connection.execute(f"{_SELECT[text]} WHERE d.number IN ({marks})", part)
            made.extend(sorted((StoredDocument(*row) for row in rows), key=lambda d: d.number))
        return made

    def sizes(self, numbers: Sequence[int]) -> dict[int, int]:
        made: dict[int, int] = {}
        for marks, part in _parts(numbers):
            made |= dict(
                self._connection.execute(
                    f"SELECT number, size FROM documents WHERE number IN ({marks})", part
                )
            )
        return made

    def scan(self, *, after: int, limit: int, text: bool) -> list[StoredDocument]:
        rows = self._connection.execute(
            f"{_SELECT[text]} WHERE d.number > ? ORDER BY d.number LIMIT ?", (after, limit)
        )
        return [StoredDocument(*row) for row in rows]

    def scan_ids(self, *, after: int, limit: int) -> list[tuple[int, str]]:
        rows = self._connection.execute(
            "SELECT number, id FROM documents WHERE number > ? ORDER BY number LIMIT ?",
            (after, limit),
        )
        return rows.fetchall()

    def numbers(self) -> Iterator[int]:
        for (number,) in self._connection.execute("SELECT number FROM documents ORDER BY number"):
            yield number

    def insert(self, documents: Iterable[StoredDocument]) -> None:
        held = list(documents)
        self._connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)",
            ((d.number, d.id, d.content, d.size, d.signature, d.metadata) for d in held),
        )
        self._connection.executemany(
            "INSERT INTO texts VALUES (?, ?)",
            ((d.number, d.text) for d in held if d.text is not None),
        )

    def delete(self, numbers: Sequence[int]) -> None:
        rows = [(number,) for number in numbers]
        self._connection.executemany("DELETE FROM documents WHERE number = ?", rows)
        self._connection.executemany("DELETE FROM texts WHERE number = ?", rows)

    def segment_sizes(self, kind: int) -> list[tuple[int, int]]:
        rows = self._connection.execute(
            "SELECT number, entries FROM segments WHERE kind = ? ORDER BY number", (kind,)
        )
        return rows.fetchall()

    def segments(self, kind: int, numbers: Sequence[int]) -> list[Segment]:
        marks = ",".join("?" * len(numbers))
        rows = self._connection.execute(
            f"SELECT {SEGMENT_FIELDS} FROM segments WHERE kind = ? AND number IN ({marks})",
            (kind, *numbers),
        )
        return list(map(Segment.of, rows))

    def blob(self, name: str) -> bytes | None:
        found = self._connection.execute("SELECT data FROM blobs WHERE name = ?", (name,))
        row = found.fetchone()
        return None if row is None else bytes(row[0])

    def set_blob(self, name: str, data: bytes) -> None:
        self._connection.execute("INSERT OR REPLACE INTO blobs VALUES (?, ?)", (name, data))

    def put_segment(self, segment: Segment) -> None:
        self._connection.execute(
            f"INSERT INTO segments ({SEGMENT_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            segment.row(),
        )

    def put_buckets(self, buckets: Iterable[tuple[int, bytes]]) -> None:
        self._connection.executemany("INSERT INTO buckets VALUES (?, ?)", buckets)

    def drop_segments(self, numbers: Sequence[int]) -> None:
        # Keys are no text that must go for good, and to overwrite them is to write them again.
        self._connection.execute("PRAGMA secure_delete = OFF")
        for number in numbers:
            self._connection.execute("DELETE FROM segments WHERE number = ?", (number,))
            self._connection.execute(
                "DELETE FROM buckets WHERE id >= ? AND id < ?", (number << 32, (number + 1) << 32)
            )
        self._connection.execute("PRAGMA secure_delete = ON")

    def look_up(
        self, kind: int, buckets: Sequence[int], keys: Sequence[int]
    ) -> tuple[list[bytes], list[tuple[int, int]]]:
        held: list[bytes] = []
        for marks, part in _parts(buckets):
            rows = self._connection.execute(f"SELECT data FROM buckets WHERE id IN ({marks})", part)
            held += [data for (data,) in rows]
        waiting: list[tuple[int, int]] = []
        for marks, part in _parts(keys):
            waiting += self._connection.execute(
                f"SELECT key, number FROM waiting WHERE kind = ? AND key IN ({marks})",
                (kind, *part),
            ).fetchall()
        return held, waiting

    def buckets(self, begin: int, end: int) -> list[bytes]:
        rows = self._connection.execute(
            "SELECT data FROM buckets WHERE id >= ? AND id < ? ORDER BY id", (begin, end)
        )
        return [data for (data,) in rows]

    def count_waiting(self, kind: int) -> int:
        found = self._connection.execute("SELECT count(*) FROM waiting WHERE kind = ?", (kind,))
        return int(found.fetchone()[0])

    def waiting(self, kind: int) -> list[tuple[int, int]]:
        return self._connection.execute(
            "SELECT key, number FROM waiting WHERE kind = ?", (kind,)
        ).fetchall()

    def put_waiting(self, kind: int, entries: Iterable[tuple[int, int]]) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO waiting VALUES (?, ?, ?)",
            ((kind, key, number) for key, number in entries),
        )

    def delete_waiting(self, kind: int, numbers: Sequence[int]) -> None:
        for marks, part in _parts(numbers):
            self._connection.execute(
                f"DELETE FROM waiting WHERE kind = ? AND number IN ({marks})", (kind, *part)
            )

    def clear_waiting(self, kind: int) -> None:
        self._connection.execute("DELETE FROM waiting WHERE kind = ?", (kind,))


def _parts(values: Sequence[T]) -> Iterator[tuple[str, list[T]]]:
    """Values for IN (…), some at a time, and as many marks.

    Their number is a power of two, the last one being repeated, so that SQLite knows the statement
    from another time: to read hundreds of marks takes longer than to look a few rows up.
    """
    for begin in range(0, len(values), _AT_ONCE):
        part = list(values[begin : begin + _AT_ONCE])
        part += part[-1:] * ((1 << (len(part) - 1).bit_length()) - len(part))
        yield ",".join("?" * len(part)), part
