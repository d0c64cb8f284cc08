"""An index in a PostgreSQL database, for many servers and writers that wait their turn.

The same rows as in a file, in a schema of their own: `postgresql://host/database#name` keeps the
index in the schema `name` ("likewise", if none is named). Readers take a snapshot (repeatable
read); a writer takes an advisory lock first, so that there is one at a time. Documents and buckets
go in by COPY.

*Limitations:* the rows of merged segments are deleted, and their room is used again once PostgreSQL
has vacuumed. A copy is made with PostgreSQL's own tools.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.stores.schema import COLUMN_TYPES, SCHEMA, TABLES
from likewise.index.stores.store import (
    BUSY_SECONDS,
    IndexExistsError,
    MissingIndexError,
    Store,
    busy_error,
)
from likewise.index.stores.transaction import Row, Transaction

try:
    import psycopg
    from psycopg.pq import TransactionStatus
except ImportError:
    raise UsageError(
        "an index in PostgreSQL requires psycopg, which is not installed",
        hint="pip install 'likewise[postgres]'",
    ) from None

DEFAULT_SCHEMA = "likewise"
CONNECT_SECONDS = 10

_BEGIN_READING = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "
    "SELECT name, value FROM facts WHERE name IN ('version', 'documents', 'next', 'words')"
)
_STORAGE = """
ALTER TABLE documents ALTER COLUMN signature SET STORAGE PLAIN;
ALTER TABLE texts ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE buckets ALTER COLUMN data SET STORAGE EXTERNAL;
"""

Connection = psycopg.Connection[Row]


class PostgresTransaction(Transaction):
    """A snapshot or a transaction of an open connection.

    `facts` came with the snapshot, and do not change in it.
    """

    def __init__(
        self, connection: Connection, name: str, facts: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(name)
        self._connection = connection
        self._facts = facts or {}

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        query = statement.replace("?", "%s").encode()
        cursor = self._connection.execute(query, values, binary=True)
        return cursor.fetchall() if cursor.description else []

    def run_in(self, statement: str, values: Sequence[Any], first: Sequence[Any] = ()) -> list[Row]:
        return self.run(f"{statement} = ANY(%b)", (*first, list(values)))

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as copy,
        ):
            copy.set_types(COLUMN_TYPES[table])
            for row in rows:
                copy.write_row(row)

    def fact(self, name: str) -> str | None:
        return self._facts.get(name) or super().fact(name)

    def look_up(
        self, kind: int, buckets: Sequence[int], keys: Sequence[int]
    ) -> tuple[list[bytes], list[tuple[int, int]]]:
        # One round trip, and the buckets as one value: trips and rows are what takes time here.
        # No document has the number 0.
        rows = self.run(
            "SELECT string_agg(data, ''::bytea ORDER BY id), 0::bigint, 0::bigint FROM buckets "
            "WHERE id = ANY(%b) UNION ALL "
            "SELECT NULL, key, number FROM waiting WHERE kind = ? AND key = ANY(%b)",
            (list(buckets), kind, list(keys)),
        )
        data = [data for data, _, _ in rows if data is not None]
        return data, [(key, number) for _, key, number in rows if number]


class PostgresStore(Store[Connection]):
    """An index in a schema of a database."""

    types: ClassVar = {"integer": "BIGINT", "bytes": "BYTEA", "without_rowid": ""}
    error = psycopg.Error

    def __init__(self, address: str) -> None:
        self._url, self._schema = _parts(address)
        super().__init__(_without_password(address))

    @classmethod
    def create(cls, path: str, facts: Mapping[str, str]) -> Self:
        url, schema = _parts(path)
        name = _without_password(path)
        try:
            with psycopg.connect(url, connect_timeout=CONNECT_SECONDS) as connection:
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
                connection.execute(f"SET LOCAL search_path = {schema}".encode())
                connection.execute((TABLES.format(**cls.types) + _STORAGE).encode())
                connection.cursor().executemany(
                    "INSERT INTO facts VALUES (%s, %s)", [*facts.items(), ("schema", str(SCHEMA))]
                )
        except (psycopg.errors.DuplicateTable, psycopg.errors.UniqueViolation):
            # The second one is for what another process is creating in this moment.
            raise IndexExistsError(
                f"{name}: an index already exists there", hint="name another schema after a #"
            ) from None
        except psycopg.Error as error:
            raise _explain(error, name) from error
        return cls(path)

    def connect(self) -> Connection:
        connection = psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_SECONDS)
        connection.execute(f"SET search_path = {self._schema}".encode())
        return connection

    def is_usable(self, connection: Connection) -> bool:
        """Whether it is open, and in no transaction."""
        return (
            not connection.closed and connection.info.transaction_status == TransactionStatus.IDLE
        )

    def ping(self, connection: Connection) -> None:
        connection.execute("")

    def explain(self, error: Exception) -> LikewiseError:
        return _explain(error, self.name)

    def _check_exists(self) -> None:
        with self._connection() as connection:
            table = f"{self._schema}.facts"
            found = connection.execute("SELECT to_regclass(%s)", (table,)).fetchone()
        if found is None or found[0] is None:
            raise MissingIndexError(self.name)

    @contextmanager
    def _begun(self, begin: str) -> Iterator[tuple[Connection, psycopg.Cursor[Row]]]:
        """A connection in a transaction, which is undone unless the block commits it, and the
        result of `begin`."""
        with self._connection() as connection:
            cursor = connection.execute(begin.encode(), prepare=False)
            try:
                yield connection, cursor
            finally:
                if not connection.closed and not self.is_usable(connection):
                    connection.execute("ROLLBACK")

    @contextmanager
    def read(self) -> Iterator[PostgresTransaction]:
        # The facts that every query needs come along, which saves round trips.
        with self._begun(_BEGIN_READING) as (connection, cursor):
            cursor.nextset()
            yield PostgresTransaction(connection, self.name, dict(cursor.fetchall()))

    @contextmanager
    def write(self) -> Iterator[PostgresTransaction]:
        with self._begun("BEGIN") as (connection, _):
            # Before anything is read, so that the newest is read.
            connection.execute(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'".encode())
            connection.execute(
                "SELECT pg_advisory_xact_lock(%s)", (zlib.crc32(self._schema.encode()),)
            )
            yield PostgresTransaction(connection, self.name)
            connection.execute("COMMIT")

    def compact(self) -> None:
        with self._connection() as connection:
            for table in ("documents", "texts", "segments", "buckets", "waiting", "blobs"):
                connection.execute(f"VACUUM FULL ANALYZE {table}".encode())

    def copy_to(self, path: str) -> None:
        raise UsageError(
            f"{self.name}: copy a database with PostgreSQL's own tools",
            hint=f"pg_dump --schema={self._schema}, or `likewise index export`",
        )

    def bytes_used(self) -> int:
        with self._connection() as connection:
            row = connection.execute(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
                "JOIN pg_namespace n ON n.oid = c.relnamespace "
                "WHERE n.nspname = %s AND c.relkind = 'r'",
                (self._schema,),
            ).fetchone()
        return int(row[0]) if row else 0


def _parts(address: str) -> tuple[str, str]:
    """The address without the name of the schema, and that name."""
    if re.split(r"[/?]", address.partition("://")[2], maxsplit=1)[0].count("@") > 1:
        raise UsageError(
            "the address has more than one @ before the host",
            hint="write an @ in a password as %40",
        )
    url, _, schema = address.partition("#")
    schema = schema or DEFAULT_SCHEMA
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
        raise UsageError(
            "the part of the address after # is not a valid schema name",
            hint="use lower-case letters, digits and _; write a # in a password as %23",
        )
    return url, schema


def _without_password(address: str) -> str:
    scheme, _, rest = address.partition("://")
    authority = re.split(r"[/?]", rest, maxsplit=1)[0]
    user, at, host = authority.rpartition("@")
    shown = user.partition(":")[0] + at + host
    hidden = re.sub(r"([?&](?:ssl)?password=)[^&#]*", r"\1…", rest[len(authority) :])
    return f"{scheme}://{shown}{hidden}"


def _explain(error: Exception, name: str) -> LikewiseError:
    message = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if isinstance(error, psycopg.errors.UndefinedTable):
        return SourceError(f"{name}: the index no longer exists")
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return busy_error(name)
    if isinstance(error, psycopg.errors.DiskFull):
        return LikewiseError(f"{name}: the disk of the database is full; earlier data is intact")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return LikewiseError(
            f"{name}: {message}", hint="ask the database administrator for permission"
        )
    if isinstance(error, psycopg.OperationalError):
        return LikewiseError(
            f"{name}: the database cannot be reached: {message}",
            hint="check that the server is running, and try again",
        )
    return LikewiseError(f"{name}: {message}")
