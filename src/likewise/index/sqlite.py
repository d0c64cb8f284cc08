"""An index in one SQLite file.

Write-ahead log, so that readers and the one writer do not wait for each other; every transaction
is on disk when it returns (synchronous = FULL). Pages of 16 kB: a bucket of some hundred bytes and
a document of half a kilobyte share them well. Each thread has a connection of its own.

*Limitations:* the file must lie on a local disk (the write-ahead log needs shared memory). A reader
that stays in one snapshot for long keeps the log from being cut.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.connections import PerThread
from likewise.index.segments import Segment
from likewise.index.settings import SCHEMA
from likewise.index.store import StoredDocument

APPLICATION = 0x6C696B65  # "like": tells an index from other SQLite files
PAGE = 16_384
CACHE_MB = 64
BUSY_SECONDS = 60.0
_AT_ONCE = 500  # values in one IN (…)

_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content BLOB NOT NULL,
    size INTEGER NOT NULL, signature BLOB NOT NULL, metadata TEXT
);
CREATE TABLE texts (number INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE segments (
    number INTEGER PRIMARY KEY, documents INTEGER NOT NULL, entries INTEGER NOT NULL,
    bits INTEGER NOT NULL, filter_bits INTEGER NOT NULL, filter BLOB NOT NULL
);
CREATE TABLE buckets (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE waiting (key INTEGER, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID;
"""


class SqliteStore:
    """An index in a file; see `Store`."""

    def __init__(self, path: str) -> None:
        """Opens an index that is there."""
        self.name = path
        self._path = path
        self._connections = PerThread(self._connect)
        if not os.path.isfile(path):
            raise SourceError(f"{path}: no such index", hint="make it with `likewise index create`")
        with self._explained():
            self._connection()

    @classmethod
    def create(cls, path: str) -> SqliteStore:
        """Makes an empty index in a new file; nothing is left under the name if that fails."""
        target = Path(path)
        if target.exists():
            raise UsageError(f"{path}: there is something already", hint="name a new file")
        if not target.resolve().parent.is_dir():
            raise UsageError(f"{path}: there is no folder {target.resolve().parent}")
        aside = f"{path}.{os.getpid()}.new"
        try:
            made = sqlite3.connect(aside, isolation_level=None)
            made.execute(f"PRAGMA page_size = {PAGE}")
            made.execute("PRAGMA journal_mode = WAL")
            made.executescript(_SCHEMA)
            made.execute(f"PRAGMA application_id = {APPLICATION}")
            made.execute(f"PRAGMA user_version = {SCHEMA}")
            made.close()
            _publish(aside, path)
        except (sqlite3.Error, OSError) as error:
            raise LikewiseError(f"{path}: cannot be made: {error}") from error
        finally:
            for suffix in ("", "-wal", "-shm"):
                Path(aside + suffix).unlink(missing_ok=True)
        return cls(path)

    def _connect(self) -> sqlite3.Connection:
        made = sqlite3.connect(
            self._path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False
        )
        _check(made, self.name)
        made.execute("PRAGMA synchronous = FULL")
        # What is removed is overwritten: student work that must go is gone.
        made.execute("PRAGMA secure_delete = ON")
        made.execute(f"PRAGMA cache_size = {-1024 * CACHE_MB}")
        made.execute("PRAGMA journal_size_limit = 67108864")
        return made

    def _connection(self) -> sqlite3.Connection:
        return self._connections.get()

    @contextmanager
    def read(self) -> Iterator[SqliteTransaction]:
        """A snapshot."""
        with self._explained():
            connection = self._connection()
            connection.execute("BEGIN")
            try:
                yield SqliteTransaction(connection)
            finally:
                connection.execute("ROLLBACK" if connection.in_transaction else "SELECT 1")

    @contextmanager
    def write(self) -> Iterator[SqliteTransaction]:
        """A transaction; durable when the block has ended."""
        with self._explained():
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield SqliteTransaction(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors of SQLite as ours."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise _explain(error, self.name) from error

    def check(self) -> list[str]:
        with self._explained():
            rows = self._connection().execute("PRAGMA integrity_check(20)").fetchall()
        return [] if rows == [("ok",)] else [str(row[0]) for row in rows]

    def compact(self) -> None:
        with self._explained():
            self._connection().execute("VACUUM")
            self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def copy_to(self, path: str) -> None:
        if os.path.exists(path):
            raise UsageError(f"{path}: there is something already", hint="name a new file")
        if not Path(path).resolve().parent.is_dir():
            raise UsageError(f"{path}: there is no folder {Path(path).resolve().parent}")
        aside = f"{path}.{os.getpid()}.new"
        try:
            with self._explained():
                target = sqlite3.connect(aside)
                self._connection().backup(target, pages=1024)
                target.close()
            os.replace(aside, path)
        finally:
            Path(aside).unlink(missing_ok=True)

    def bytes_used(self) -> int:
        return sum(
            os.path.getsize(self._path + suffix)
            for suffix in ("", "-wal")
            if os.path.exists(self._path + suffix)
        )

    def close(self) -> None:
        self._connections.close()


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
        return int(self._connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def find(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        found = {}
        for part in _parts(ids):
            marks = ",".join("?" * len(part))
            for id_, number, content in self._connection.execute(
                f"SELECT id, number, content FROM documents WHERE id IN ({marks})", part
            ):
                found[id_] = (number, content)
        return found

    def documents(self, numbers: Sequence[int], *, text: bool) -> list[StoredDocument]:
        made: list[StoredDocument] = []
        for part in _parts(sorted(numbers)):
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(f"{_SELECT[text]} WHERE d.number IN ({marks})", part)
            made.extend(sorted((StoredDocument(*row) for row in rows), key=lambda d: d.number))
        return made

    def scan(self, *, after: int, limit: int, text: bool) -> list[StoredDocument]:
        rows = self._connection.execute(
            f"{_SELECT[text]} WHERE d.number > ? ORDER BY d.number LIMIT ?", (after, limit)
        )
        return [StoredDocument(*row) for row in rows]

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

    def segments(self) -> list[Segment]:
        rows = self._connection.execute("SELECT * FROM segments ORDER BY number")
        return [
            Segment(number, documents, entries, bits, filter_bits, np.frombuffer(held, np.uint8))
            for number, documents, entries, bits, filter_bits, held in rows
        ]

    def put_segment(self, segment: Segment, buckets: Iterable[tuple[int, bytes]]) -> None:
        self._connection.execute(
            "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?)",
            (
                segment.number,
                segment.documents,
                segment.entries,
                segment.bits,
                segment.filter_bits,
                segment.filter.tobytes(),
            ),
        )
        self._connection.executemany("INSERT INTO buckets VALUES (?, ?)", buckets)

    def drop_segments(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._connection.execute("DELETE FROM segments WHERE number = ?", (number,))
            self._connection.execute(
                "DELETE FROM buckets WHERE id >= ? AND id < ?", (number << 32, (number + 1) << 32)
            )

    def buckets(self, ids: Sequence[int]) -> list[bytes]:
        found: list[bytes] = []
        for part in _parts(ids):
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(f"SELECT data FROM buckets WHERE id IN ({marks})", part)
            found.extend(row[0] for row in rows)
        return found

    def all_buckets(self, segment: int) -> Iterator[bytes]:
        rows = self._connection.execute(
            "SELECT data FROM buckets WHERE id >= ? AND id < ? ORDER BY id",
            (segment << 32, (segment + 1) << 32),
        )
        for (data,) in rows:
            yield data

    def waiting(self, keys: Sequence[int] | None) -> list[tuple[int, int]]:
        if keys is None:
            return self._connection.execute("SELECT key, number FROM waiting").fetchall()
        found: list[tuple[int, int]] = []
        for part in _parts(keys):
            marks = ",".join("?" * len(part))
            found += self._connection.execute(
                f"SELECT key, number FROM waiting WHERE key IN ({marks})", part
            ).fetchall()
        return found

    def put_waiting(self, entries: Iterable[tuple[int, int]]) -> None:
        self._connection.executemany("INSERT OR IGNORE INTO waiting VALUES (?, ?)", entries)

    def clear_waiting(self) -> None:
        self._connection.execute("DELETE FROM waiting")


_FIELDS = "d.number, d.id, d.content, d.size, d.signature, d.metadata"
_SELECT = {
    False: f"SELECT {_FIELDS}, NULL FROM documents d",
    True: f"SELECT {_FIELDS}, t.data FROM documents d LEFT JOIN texts t ON t.number = d.number",
}


T = TypeVar("T")


def _parts(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for begin in range(0, len(values), _AT_ONCE):
        yield values[begin : begin + _AT_ONCE]


def _publish(aside: str, path: str) -> None:
    """Gives a file its name, unless another process was quicker."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.rename(aside, path)


def _check(connection: sqlite3.Connection, name: str) -> None:
    """Raises unless the file is an index that this version can use."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise SourceError(f"{name}: not an index of likewise, though an SQLite file")
    if version > SCHEMA:
        raise SourceError(
            f"{name}: made by a newer version of likewise (schema {version}, this one knows "
            f"{SCHEMA})",
            hint="install the newer version",
        )


def _explain(error: sqlite3.DatabaseError, name: str) -> LikewiseError:
    said = str(error)
    if "not a database" in said:
        return SourceError(f"{name}: not an index, nor any SQLite file")
    if "locked" in said or "busy" in said:
        return LikewiseError(
            f"{name}: another process has been writing for over {BUSY_SECONDS:.0f} seconds",
            hint="try again when it has ended",
        )
    if "disk is full" in said or "disk I/O" in said:
        return LikewiseError(
            f"{name}: {said}; what was written before is intact", hint="make room on the disk"
        )
    if "readonly" in said:
        return LikewiseError(f"{name}: no permission to write", hint="check the owner and mode")
    if "malformed" in said:
        return LikewiseError(
            f"{name}: the file is damaged: {said}", hint="restore a copy of it, or make it again"
        )
    return LikewiseError(f"{name}: {said}")
