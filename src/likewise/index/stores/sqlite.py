"""An index in one SQLite file.

Write-ahead log, so that readers and the one writer do not wait for each other; every transaction
is on disk when it returns (synchronous = FULL). Pages of 16 kB: a bucket of some hundred bytes and
a document of half a kilobyte share them well.

*Limitations:* the file must lie on a local disk (the write-ahead log needs shared memory). A reader
that stays in one snapshot for long keeps the log from being cut.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.stores.schema import COLUMN_TYPES, SCHEMA, TABLES
from likewise.index.stores.store import BUSY_SECONDS, Store, busy_error, missing_error
from likewise.index.stores.transaction import Row, Transaction

APPLICATION = 0x6C696B65  # "like": marks an index among SQLite files
_MAGIC = b"SQLite format 3\0"
PAGE_BYTES = 16_384
CACHE_MB = 64
_MAX_IN_VALUES = 512


class SqliteTransaction(Transaction):
    """A snapshot or a transaction of an open connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> Iterable[Row]:
        return self._connection.execute(statement, values)

    def run_in(self, statement: str, values: Sequence[Any], first: Sequence[Any] = ()) -> list[Row]:
        rows: list[Row] = []
        for begin in range(0, len(values), _MAX_IN_VALUES):
            part = list(values[begin : begin + _MAX_IN_VALUES])
            # A power of two of them, the last one repeated, so that SQLite has the statement in
            # its cache: parsing hundreds of marks takes longer than looking up a few rows.
            part += part[-1:] * ((1 << (len(part) - 1).bit_length()) - len(part))
            marks = ",".join("?" * len(part))
            rows += self._connection.execute(f"{statement} IN ({marks})", (*first, *part))
        return rows

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * len(COLUMN_TYPES[table]))
        self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def schema(self) -> int:
        return int(self._value("PRAGMA user_version"))

    def set_schema(self, version: int) -> None:
        self.run(f"PRAGMA user_version = {version}")

    def drop_segments(self, numbers: Sequence[int]) -> None:
        # Keys are not text that must be erased, and overwriting them is writing them again.
        self.run("PRAGMA secure_delete = OFF")
        super().drop_segments(numbers)
        self.run("PRAGMA secure_delete = ON")


class _Connection(sqlite3.Connection):
    """A connection that knows which file it was opened for."""

    file: tuple[int, int] | None = None


class SqliteStore(Store[_Connection]):
    """An index in a file."""

    types: ClassVar = {"integer": "INTEGER", "bytes": "BLOB", "without_rowid": " WITHOUT ROWID"}
    error = sqlite3.DatabaseError

    @classmethod
    def create(cls, path: str, facts: Mapping[str, str]) -> Self:
        with _new_database(path) as database:
            database.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            database.execute("PRAGMA journal_mode = WAL")
            database.executescript(TABLES.format(**cls.types))
            database.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {SCHEMA}")
        return cls(path)

    def connect(self) -> _Connection:
        if not os.path.isfile(self.name):
            raise missing_error(self.name)
        connection = sqlite3.connect(
            self.name, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False,
            factory=_Connection,
        )  # fmt: skip
        connection.file = _file_of(self.name)
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise SourceError(f"{self.name}: an SQLite file, but not a likewise index")
        connection.execute("PRAGMA synchronous = FULL")
        # Removed documents are overwritten: student work that must go is gone.
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA cache_size = {-1024 * CACHE_MB}")
        connection.execute("PRAGMA journal_size_limit = 67108864")
        return connection

    def is_usable(self, connection: _Connection) -> bool:
        # A file that was removed or replaced can still be written to, although it has no name.
        return not connection.in_transaction and connection.file == _file_of(self.name)

    @contextmanager
    def _begun(self, begin: str) -> Iterator[_Connection]:
        """A connection in a transaction, which is undone unless the block commits it."""
        with self._connection() as connection:
            connection.execute(begin)
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def read(self) -> Iterator[SqliteTransaction]:
        with self._begun("BEGIN") as connection:
            yield SqliteTransaction(connection)

    @contextmanager
    def write(self) -> Iterator[SqliteTransaction]:
        with self._begun("BEGIN IMMEDIATE") as connection:
            yield SqliteTransaction(connection)
            connection.execute("COMMIT")
            if not self.is_usable(connection):
                raise SourceError(f"{self.name}: was removed or replaced while it was written to")

    def check(self) -> list[str]:
        with self._connection() as connection:
            rows = connection.execute("PRAGMA integrity_check(20)").fetchall()
        return [] if rows == [("ok",)] else [str(row[0]) for row in rows]

    def compact(self) -> None:
        with self._connection() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def copy_to(self, path: str) -> None:
        with _new_database(path) as target, self._connection() as connection:
            connection.backup(target, pages=1024)

    def bytes_used(self) -> int:
        return sum(
            os.path.getsize(self.name + suffix)
            for suffix in ("", "-wal")
            if os.path.exists(self.name + suffix)
        )

    def explain(self, error: Exception) -> LikewiseError:
        message, name = str(error), self.name
        if "not a database" in message:
            return SourceError(f"{name}: not a likewise index")
        if "locked" in message or "busy" in message:
            return busy_error(name)
        if "disk is full" in message or "disk I/O" in message:
            return LikewiseError(
                f"{name}: {message}; earlier data is intact", hint="free some disk space"
            )
        if "readonly" in message:
            return LikewiseError(f"{name}: no permission to write", hint="check the owner and mode")
        if "malformed" in message:
            return LikewiseError(
                f"{name}: the file is damaged: {message}",
                hint="restore a copy, or create the index again",
            )
        return LikewiseError(f"{name}: {message}")


def is_index(path: str) -> bool:
    """Whether a file is an index, by its first bytes."""
    try:
        # Not with `open`, which would wait forever for a pipe that nobody writes to.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        head = os.read(handle, 72) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        return False
    finally:
        os.close(handle)
    return head.startswith(_MAGIC) and head[68:72] == APPLICATION.to_bytes(4, "big")


def _file_of(path: str) -> tuple[int, int] | None:
    """Device and inode, which another file of the same name does not have; None without a file."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _check_free(path: str) -> None:
    """Raises unless a new index can be created under this name."""
    if os.path.lexists(path):
        raise UsageError(f"{path}: the file already exists", hint="name a new file")
    # The log of an index that was removed would be taken for that of the new one.
    for suffix in ("-wal", "-shm", "-journal"):
        if os.path.lexists(path + suffix):
            raise UsageError(
                f"{path}{suffix}: left over from a removed index",
                hint="remove it, or name another file",
            )
    if not Path(path).resolve().parent.is_dir():
        raise UsageError(f"{path}: folder {Path(path).resolve().parent} does not exist")


@contextmanager
def _new_database(path: str) -> Iterator[sqlite3.Connection]:
    """A database that gets its name when it is complete, unless another process was faster."""
    _check_free(path)
    aside = f"{path}.{os.getpid()}.new"
    try:
        with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
            yield connection
        try:
            os.link(aside, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            os.rename(aside, path)
    except (sqlite3.Error, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LikewiseError(f"{path}: cannot be created: {reason}") from error
    finally:
        for suffix in ("", "-wal", "-shm"):
            Path(aside + suffix).unlink(missing_ok=True)
