"""An index in one SQLite file.

Write-ahead log, so that readers and the one writer do not wait for each other; every transaction
is on disk when it returns (synchronous = FULL). Pages of 16 kB: a bucket of some hundred bytes and
a document of half a kilobyte share them well.

The file may come from anybody. It must have the tables of an index and nothing else
(`sqlite_schema.py`), what is read is checked (`transaction.py`), and a statement that visits more
rows than the file has room for is ended: the pages of a damaged file may form a loop.

Without permission to write to the file or its folder there can be no log. If there is none, the
file is read as immutable, and an error says if it was changed meanwhile.

*Limitations:* the file must lie on a local disk (the write-ahead log needs shared memory). A reader
that stays in one snapshot for long keeps the log from being cut.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Self
from urllib.parse import quote

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.damage import DamageError
from likewise.index.stores.schema import SCHEMA, TABLES
from likewise.index.stores.sqlite_schema import TYPES, check_schema
from likewise.index.stores.sqlite_transaction import SqliteConnection, SqliteTransaction
from likewise.index.stores.store import (
    BUSY_SECONDS,
    IndexExistsError,
    MissingIndexError,
    Store,
    busy_error,
)

APPLICATION = 0x6C696B65  # "like": marks an index among SQLite files
_NO_FILES = ("", ":memory:")  # in the eyes of SQLite
PAGE_BYTES = 16_384
CACHE_MB = 64


class SqliteStore(Store[SqliteConnection]):
    """An index in a file."""

    types: ClassVar = TYPES
    error = (sqlite3.Error, UnicodeDecodeError)  # of a message that quotes a damaged schema

    # The file and its log, as of the last connection.
    _opened: tuple[tuple[int, ...] | None, tuple[int, ...] | None] = (None, None)

    @property
    def _log(self) -> str:
        return f"{self.name}-wal"

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

    def connect(self) -> SqliteConnection:
        _check_name(self.name)
        if not os.path.isfile(self.name):
            raise MissingIndexError(self.name)
        self._check_log()
        # SQLite would leave a log behind that its writers may not write to.
        connection = self._open(immutable=not (os.access(self.name, os.W_OK) or self._has_log()))
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._opened = _file_of(self.name), _file_of(self._log)
        return connection

    def _check_log(self) -> None:
        """Raises if another file took the place of this one, but not of its log: SQLite would read
        both as one index."""
        file, log = self._opened
        replaced = file is not None and file != _file_of(self.name)
        if replaced and self._has_log() and log == _file_of(self._log):
            raise SourceError(
                f"{self.name}: was replaced while it was open, but {self.name}-wal is still the "
                "log of the former file",
                hint=f"remove {self._log} and {self.name}-shm, and open it again",
            )

    def _open(self, *, immutable: bool = False) -> SqliteConnection:
        # An absolute path: SQLite may take other names for addresses.
        path = os.path.abspath(self.name)
        if immutable:
            path = f"file:{quote(path)}?immutable=1"
        # Before it is opened: what changes later is noticed.
        file = _file_of(self.name, content=immutable)
        connection = sqlite3.connect(
            path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False,
            factory=SqliteConnection, uri=immutable,
        )  # fmt: skip
        connection.immutable = immutable
        connection.file = file
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # needs the log
        except BaseException as error:
            connection.close()
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            without_log = code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if immutable or not without_log:
                raise
            if self._has_log():  # the file alone is not the index
                raise LikewiseError(
                    f"{self.name}: cannot be read without permission to write: its last changes "
                    f"are still in {self.name}-wal",
                    hint="copy both files to a folder that you can write to, and open the copy",
                ) from error
            return self._open(immutable=True)
        return connection

    def _prepare(self, connection: SqliteConnection) -> None:
        """Raises if the file is not an index; sets what holds for each connection."""
        connection.limit_steps(self.bytes_used)
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

    def is_usable(self, connection: SqliteConnection) -> bool:
        # A file that was removed or replaced can still be written to, although it has no name.
        return not connection.in_transaction and self._is_current(connection)

    def _is_current(self, connection: SqliteConnection) -> bool:
        """Whether the file is the one that was opened, and unchanged if it is read as immutable."""
        if connection.immutable and self._has_log():
            return False
        return connection.file == _file_of(self.name, content=connection.immutable)

    def _has_log(self) -> bool:
        try:
            return os.path.getsize(self._log) > 0
        except OSError:
            return False

    @contextmanager
    def _begun(self, begin: str) -> Iterator[SqliteConnection]:
        """A connection in a transaction, which is undone unless the block commits it."""
        with self._connection() as connection:
            connection.begin_statement()
            connection.execute(begin)
            try:
                yield connection
            except sqlite3.OperationalError as error:
                if str(error) == "interrupted":
                    raise connection.interruption() from None
                raise
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def read(self) -> Iterator[SqliteTransaction]:
        with self._begun("BEGIN") as connection:
            yield SqliteTransaction(connection, self.name)
            if connection.immutable and not self._is_current(connection):
                raise LikewiseError(f"{self.name}: changed while it was read", hint="try again")

    @contextmanager
    def write(self) -> Iterator[SqliteTransaction]:
        with self._begun("BEGIN IMMEDIATE") as connection:
            yield SqliteTransaction(connection, self.name)
            connection.execute("COMMIT")
            if not self.is_usable(connection):
                raise SourceError(f"{self.name}: was removed or replaced while it was written to")

    def check(self) -> list[str]:
        with self.read() as snapshot:
            rows = snapshot.run_interruptibly("PRAGMA integrity_check(20)")
        return [] if rows == [("ok",)] else [str(row[0]) for row in rows]

    def compact(self) -> None:
        with self._connection() as connection:
            connection.begin_statement()
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
        if isinstance(error, UnicodeDecodeError):
            return DamageError("its schema is not text", name)
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
        # The statements are always the same: an error in one means that the tables are wrong.
        is_statement = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR
        if is_statement or "malformed" in message or "decode to UTF-8" in message:
            return DamageError(message, name)
        return LikewiseError(f"{name}: {message}")


def is_index(path: str) -> bool:
    """Whether a file is an index, by its header.

    SQLite reads it: if a process opens and closes a file in any other way, it loses the locks of
    all its connections to that file. Another process would then take itself for the only one, and
    remove the log that this one goes on writing to.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would be waited for
            return False
        uri = f"file:{quote(os.path.abspath(path))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            found: int = connection.execute("PRAGMA application_id").fetchone()[0]
    except (OSError, ValueError, sqlite3.Error):
        return False
    return found == APPLICATION


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


def _check_name(path: str) -> None:
    """Raises for a name that is none of a file: each connection would have its own index."""
    if path in _NO_FILES:
        raise UsageError(f"{path!r}: an index cannot be kept in memory", hint="name a file")


def _check_free(path: str) -> None:
    """Raises unless a new index can be created under this name."""
    _check_name(path)
    if os.path.lexists(path):
        raise IndexExistsError(f"{path}: the file already exists", hint="name a new file")
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
    aside = f"{os.path.abspath(path)}.{os.getpid()}.{threading.get_ident()}.new"
    try:
        with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
            yield connection
        try:
            os.link(aside, path)
        except FileExistsError:  # another process was faster
            _check_free(path)
        except OSError:  # a file system without links
            os.rename(aside, path)
    except (sqlite3.Error, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LikewiseError(f"{path}: cannot be created: {reason}") from error
    finally:
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):  # a file system that cannot be written to says so, too
                os.unlink(aside + suffix)
