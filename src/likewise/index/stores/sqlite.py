"""An index in one SQLite file.

Write-ahead log, so that readers and the one writer do not wait for each other; every transaction
is on disk when it returns (synchronous = FULL). Pages of 16 kB: a bucket of some hundred bytes and
a document of half a kilobyte share them well.

The file may come from anybody. It must have the tables of an index and nothing else
(`sqlite_schema.py`), what is read is checked (`transaction.py`), and a statement that visits more
rows than the file has room for is ended: the pages of a damaged file may form a loop.

In a folder without write permission there can be no log. If there is none, the file is read as
immutable, and an error says if it was changed meanwhile.

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
from urllib.parse import quote

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.damage import DamageError
from likewise.index.stores.schema import COLUMN_TYPES, SCHEMA, TABLES
from likewise.index.stores.sqlite_schema import TYPES, check_schema
from likewise.index.stores.store import BUSY_SECONDS, Store, busy_error, missing_error
from likewise.index.stores.transaction import Row, Transaction

APPLICATION = 0x6C696B65  # "like": marks an index among SQLite files
_MAGIC = b"SQLite format 3\0"
_IN_MEMORY = ":memory:"  # which SQLite takes for no file
PAGE_BYTES = 16_384
CACHE_MB = 64
_MAX_IN_VALUES = 512
# Steps of SQLite's virtual machine. A row takes some ten of them, and at least ten bytes.
_STEPS_AT_ONCE = 1_000_000
_MIN_STEPS = 50_000_000
_MAX_STEPS_PER_BYTE = 20


class SqliteTransaction(Transaction):
    """A snapshot or a transaction of an open connection."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> Iterable[Row]:
        self._connection.begin_statement()
        return self._connection.execute(statement, values)

    def run_in(self, statement: str, values: Sequence[Any], first: Sequence[Any] = ()) -> list[Row]:
        rows: list[Row] = []
        for begin in range(0, len(values), _MAX_IN_VALUES):
            self._connection.begin_statement()
            part = list(values[begin : begin + _MAX_IN_VALUES])
            # A power of two of them, the last one repeated, so that SQLite has the statement in
            # its cache: parsing hundreds of marks takes longer than looking up a few rows.
            part += part[-1:] * ((1 << (len(part) - 1).bit_length()) - len(part))
            marks = ",".join("?" * len(part))
            rows += self._connection.execute(f"{statement} IN ({marks})", (*first, *part))
        return rows

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * len(COLUMN_TYPES[table]))
        self._connection.begin_statement(endless=True)  # for as many rows as there are
        self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def schema(self) -> int:
        return int(self._value(int, "PRAGMA user_version"))

    def set_schema(self, version: int) -> None:
        self.run(f"PRAGMA user_version = {version}")

    def drop_segments(self, numbers: Sequence[int]) -> None:
        # Keys are not text that must be erased, and overwriting them is writing them again.
        self.run("PRAGMA secure_delete = OFF")
        super().drop_segments(numbers)
        self.run("PRAGMA secure_delete = ON")


class _Connection(sqlite3.Connection):
    """A connection that knows which file it was opened for, and ends endless statements."""

    file: tuple[int, ...] | None = None
    immutable = False
    _steps = 0
    _max_steps = _MIN_STEPS

    def begin_statement(self, *, endless: bool = False) -> None:
        self._steps = -(2**62) if endless else 0

    def limit_steps(self, file_bytes: int) -> None:
        """Ends statements that take more steps than the rows of a file of this size need."""
        self._max_steps = max(_MIN_STEPS, _MAX_STEPS_PER_BYTE * file_bytes)
        self.set_progress_handler(self._count_steps, _STEPS_AT_ONCE)

    def _count_steps(self) -> bool:
        self._steps += _STEPS_AT_ONCE
        return self._steps > self._max_steps

    def interruption(self) -> BaseException:
        """Why a statement was interrupted: by its length, or by Ctrl-C while steps were counted,
        of which the library says no more."""
        if self._steps > self._max_steps:
            return DamageError("it has more rows than the file has room for: its pages form a loop")
        return KeyboardInterrupt()


class SqliteStore(Store[_Connection]):
    """An index in a file."""

    types: ClassVar = TYPES
    error = sqlite3.Error

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
        if self.name == _IN_MEMORY:
            raise _in_memory_error()
        if not os.path.isfile(self.name):
            raise missing_error(self.name)
        connection = self._open()
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _open(self, *, immutable: bool = False) -> _Connection:
        path = f"file:{quote(os.path.abspath(self.name))}?immutable=1" if immutable else self.name
        connection = sqlite3.connect(
            path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False,
            factory=_Connection, uri=immutable,
        )  # fmt: skip
        connection.immutable = immutable
        connection.file = _file_of(self.name, content=immutable)
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # needs the log
        except BaseException as error:
            connection.close()
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            without_log = code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            # With a log, the file alone is not the index.
            if immutable or not without_log or os.path.exists(f"{self.name}-wal"):
                raise
            return self._open(immutable=True)
        return connection

    def _prepare(self, connection: _Connection) -> None:
        """Raises if the file is not an index; sets what holds for each connection."""
        connection.limit_steps(self.bytes_used())
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise SourceError(f"{self.name}: an SQLite file, but not a likewise index")
        check_schema(connection, self.name)
        connection.execute("PRAGMA synchronous = FULL")
        # Removed documents are overwritten: student work that must go is gone.
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA cache_size = {-1024 * CACHE_MB}")
        connection.execute("PRAGMA journal_size_limit = 67108864")

    def is_usable(self, connection: _Connection) -> bool:
        # A file that was removed or replaced can still be written to, although it has no name.
        return not connection.in_transaction and self._is_current(connection)

    def _is_current(self, connection: _Connection) -> bool:
        """Whether the file is the one that was opened, and unchanged if it is read as immutable."""
        if connection.immutable and os.path.exists(f"{self.name}-wal"):
            return False
        return connection.file == _file_of(self.name, content=connection.immutable)

    @contextmanager
    def _begun(self, begin: str) -> Iterator[_Connection]:
        """A connection in a transaction, which is undone unless the block commits it."""
        with self._connection() as connection:
            connection.begin_statement()
            connection.execute(begin)
            try:
                yield connection
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                    raise connection.interruption() from None
                raise
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def read(self) -> Iterator[SqliteTransaction]:
        with self._begun("BEGIN") as connection:
            yield SqliteTransaction(connection)
            if connection.immutable and not self._is_current(connection):
                raise LikewiseError(f"{self.name}: changed while it was read", hint="try again")

    @contextmanager
    def write(self) -> Iterator[SqliteTransaction]:
        with self._begun("BEGIN IMMEDIATE") as connection:
            yield SqliteTransaction(connection)
            connection.execute("COMMIT")
            if not self.is_usable(connection):
                raise SourceError(f"{self.name}: was removed or replaced while it was written to")

    def check(self) -> list[str]:
        with self.read() as snapshot:
            rows = list(snapshot.run("PRAGMA integrity_check(20)"))
        return [] if rows == [("ok",)] else [str(row[0]) for row in rows]

    def compact(self) -> None:
        with self._connection() as connection:
            connection.begin_statement(endless=True)
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
        if "malformed" in message or "decode to UTF-8" in message:
            return DamageError(message, name)
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


def _file_of(path: str, *, content: bool = False) -> tuple[int, ...] | None:
    """Device and inode, which another file of the same name does not have; None without a file.

    With `content`, also what changes when the file is written to.
    """
    try:
        facts = os.stat(path)
    except OSError:
        return None
    own = facts.st_dev, facts.st_ino
    return (*own, facts.st_size, facts.st_mtime_ns) if content else own


def _in_memory_error() -> UsageError:
    # Each thread has a connection of its own, and would have an index of its own.
    return UsageError("an index cannot be kept in memory", hint="name a file")


def _check_free(path: str) -> None:
    """Raises unless a new index can be created under this name."""
    if path == _IN_MEMORY:
        raise _in_memory_error()
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
