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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.stores.connections import ConnectionPool
from likewise.index.stores.migrations import SCHEMA, steps_from
from likewise.index.stores.sqlite_transaction import SqliteTransaction

APPLICATION = 0x6C696B65  # "like": tells an index from other SQLite files
_MAGIC = b"SQLite format 3\0"
PAGE = 16_384
CACHE_MB = 64
BUSY_SECONDS = 60.0

_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content BLOB NOT NULL,
    size INTEGER NOT NULL, signature BLOB NOT NULL, metadata TEXT
);
CREATE TABLE texts (number INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE segments (
    kind INTEGER NOT NULL, number INTEGER PRIMARY KEY, documents INTEGER NOT NULL,
    entries INTEGER NOT NULL, bits INTEGER NOT NULL, filter_bits INTEGER NOT NULL,
    filter BLOB NOT NULL
);
CREATE TABLE buckets (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE waiting (
    kind INTEGER, key INTEGER, number INTEGER, PRIMARY KEY (kind, key, number)
) WITHOUT ROWID;
CREATE TABLE blobs (name TEXT PRIMARY KEY, data BLOB NOT NULL);
"""


class SqliteStore:
    """An index in a file; see `Store`."""

    def __init__(self, path: str) -> None:
        """Opens an index that is there."""
        self.name = path
        self._path = path
        self._pool = ConnectionPool(self._connect, self._is_usable)
        with self._one() as connection:
            version = _version(connection)
        if version != SCHEMA:
            self._migrate()

    def _migrate(self) -> None:
        """Brings the tables up to date, unless another process was quicker."""
        with self._begun("BEGIN IMMEDIATE") as connection:
            for statement in steps_from(_version(connection), self.name, bytes_type="BLOB"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
            connection.execute("COMMIT")

    @classmethod
    def create(cls, path: str, facts: Mapping[str, str]) -> SqliteStore:
        """Makes an index with these facts in a new file; nothing is left there if that fails."""
        _check_free(path)
        aside = f"{path}.{os.getpid()}.new"
        try:
            made = sqlite3.connect(aside, isolation_level=None)
            made.execute(f"PRAGMA page_size = {PAGE}")
            made.execute("PRAGMA journal_mode = WAL")
            made.executescript(_SCHEMA)
            made.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            made.execute(f"PRAGMA application_id = {APPLICATION}")
            made.execute(f"PRAGMA user_version = {SCHEMA}")
            made.close()
            _publish(aside, path)
        except (sqlite3.Error, OSError) as error:
            raise LikewiseError(f"{path}: cannot be created: {error}") from error
        finally:
            for suffix in ("", "-wal", "-shm"):
                Path(aside + suffix).unlink(missing_ok=True)
        return cls(path)

    def _connect(self) -> _Connection:
        if not os.path.isfile(self._path):
            raise SourceError(
                f"{self.name}: no such index", hint="create it with `likewise index create`"
            )
        made = sqlite3.connect(
            self._path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False,
            factory=_Connection,
        )  # fmt: skip
        made.file = _file_of(self._path)
        _check(made, self.name)
        made.execute("PRAGMA synchronous = FULL")
        # What is removed is overwritten: student work that must go is gone.
        made.execute("PRAGMA secure_delete = ON")
        made.execute(f"PRAGMA cache_size = {-1024 * CACHE_MB}")
        made.execute("PRAGMA journal_size_limit = 67108864")
        return made

    def _is_usable(self, made: _Connection) -> bool:
        # A file that was removed or replaced can still be written to, by nobody's name for it.
        return not made.in_transaction and made.file == _file_of(self._path)

    @contextmanager
    def _one(self) -> Iterator[_Connection]:
        """A connection; errors of SQLite come out as ours."""
        try:
            with self._pool.acquire() as connection:
                yield connection
        except sqlite3.DatabaseError as error:
            raise _explain(error, self.name) from error

    @contextmanager
    def _begun(self, begin: str) -> Iterator[_Connection]:
        """A connection in a transaction, which is undone unless the block commits it."""
        with self._one() as connection:
            connection.execute(begin)
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def read(self) -> Iterator[SqliteTransaction]:
        """A snapshot."""
        with self._begun("BEGIN") as connection:
            yield SqliteTransaction(connection)

    @contextmanager
    def write(self) -> Iterator[SqliteTransaction]:
        """A transaction; durable when the block has ended."""
        with self._begun("BEGIN IMMEDIATE") as connection:
            yield SqliteTransaction(connection)
            connection.execute("COMMIT")
            if not self._is_usable(connection):
                raise SourceError(f"{self.name}: was removed or replaced while it was written to")

    def check(self) -> list[str]:
        with self._one() as connection:
            rows = connection.execute("PRAGMA integrity_check(20)").fetchall()
        return [] if rows == [("ok",)] else [str(row[0]) for row in rows]

    def compact(self) -> None:
        with self._one() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def copy_to(self, path: str) -> None:
        _check_free(path)
        aside = f"{path}.{os.getpid()}.new"
        try:
            with self._one() as connection:
                target = sqlite3.connect(aside)
                connection.backup(target, pages=1024)
                target.close()
            _publish(aside, path)
        except OSError as error:
            raise LikewiseError(f"{path}: cannot be created: {error.strerror}") from error
        finally:
            Path(aside).unlink(missing_ok=True)

    def bytes_used(self) -> int:
        return sum(
            os.path.getsize(self._path + suffix)
            for suffix in ("", "-wal")
            if os.path.exists(self._path + suffix)
        )

    def close(self) -> None:
        self._pool.close()


def is_index(path: str) -> bool:
    """Whether a file is an index, by its first bytes."""
    try:
        # Not by `open`: of a pipe nobody writes to, that would wait for ever.
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


class _Connection(sqlite3.Connection):
    """A connection that knows which file it was made to."""

    file: tuple[int, int] | None = None


def _file_of(path: str) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None if there is none."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _check_free(path: str) -> None:
    """Raises unless a new index can be made under this name."""
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


def _publish(aside: str, path: str) -> None:
    """Gives a file its name, unless another process was quicker."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.rename(aside, path)


def _check(connection: sqlite3.Connection, name: str) -> None:
    """Raises unless the file is an index."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION:
        raise SourceError(f"{name}: an SQLite file, but not a likewise index")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _explain(error: sqlite3.DatabaseError, name: str) -> LikewiseError:
    said = str(error)
    if "not a database" in said:
        return SourceError(f"{name}: not a likewise index")
    if "locked" in said or "busy" in said:
        return LikewiseError(
            f"{name}: another process has been writing for more than {BUSY_SECONDS:.0f} seconds",
            hint="try again when it has finished",
        )
    if "disk is full" in said or "disk I/O" in said:
        return LikewiseError(f"{name}: {said}; earlier data is intact", hint="free some disk space")
    if "readonly" in said:
        return LikewiseError(f"{name}: no permission to write", hint="check the owner and mode")
    if "malformed" in said:
        return LikewiseError(
            f"{name}: the file is damaged: {said}", hint="restore a copy, or create the index again"
        )
    return LikewiseError(f"{name}: {said}")
