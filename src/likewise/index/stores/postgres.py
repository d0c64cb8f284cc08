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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.stores.connections import ConnectionPool
from likewise.index.stores.migrations import SCHEMA, steps_from
from likewise.index.stores.postgres_transaction import PostgresTransaction

if TYPE_CHECKING:
    import psycopg

DEFAULT_SCHEMA = "likewise"
CONNECT_SECONDS = 10
BUSY_SECONDS = 60

_TABLES = """
CREATE TABLE facts (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE documents (
    number bigint PRIMARY KEY, id text NOT NULL UNIQUE, content bytea NOT NULL,
    size bigint NOT NULL, signature bytea NOT NULL, metadata text
);
CREATE TABLE texts (number bigint PRIMARY KEY, data bytea NOT NULL);
CREATE TABLE segments (
    kind int NOT NULL, number bigint PRIMARY KEY, documents bigint NOT NULL,
    entries bigint NOT NULL, bits int NOT NULL, filter_bits int NOT NULL, filter bytea NOT NULL
);
CREATE TABLE buckets (id bigint PRIMARY KEY, data bytea NOT NULL);
CREATE TABLE waiting (
    kind int, key bigint, number bigint, PRIMARY KEY (kind, key, number)
);
CREATE TABLE blobs (name text PRIMARY KEY, data bytea NOT NULL);
ALTER TABLE documents ALTER COLUMN signature SET STORAGE PLAIN;
ALTER TABLE texts ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE buckets ALTER COLUMN data SET STORAGE EXTERNAL;
"""


_BEGIN_READING = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "
    "SELECT name, value FROM facts WHERE name IN ('version', 'documents', 'next', 'words')"
)


def is_address(path: str) -> bool:
    """Whether this names a PostgreSQL database and not a file."""
    return path.startswith(("postgresql://", "postgres://"))


class PostgresStore:
    """An index in a schema of a database; see `Store`."""

    def __init__(self, address: str) -> None:
        """Opens an index that is there."""
        self._url, self._schema = _parts(address)
        self.name = _without_password(address)
        self._pool = ConnectionPool(self._connect, _is_idle, _ask)
        with self._one() as connection:
            table = f"{self._schema}.facts"
            found = connection.execute("SELECT to_regclass(%s)", (table,)).fetchone()
        if found is None or found[0] is None:
            self.close()
            raise SourceError(
                f"{self.name}: no such index", hint="create it with `likewise index create`"
            )
        with self.read() as snapshot:
            version = int(snapshot.fact("schema") or 0)
        if version != SCHEMA:
            self._migrate()

    def _migrate(self) -> None:
        """Brings the tables up to date, unless another process was quicker."""
        with self.write() as transaction:
            version = int(transaction.fact("schema") or 0)
            for statement in steps_from(version, self.name, bytes_type="BYTEA"):
                transaction.run(statement)
            transaction.set_fact("schema", str(SCHEMA))

    @classmethod
    def create(cls, address: str, facts: Mapping[str, str]) -> PostgresStore:
        """Makes an index with these facts in a schema that is not there yet, or has no tables."""
        import psycopg

        url, schema = _parts(address)
        name = _without_password(address)
        try:
            with psycopg.connect(url, connect_timeout=CONNECT_SECONDS) as connection:
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
                connection.execute(f"SET LOCAL search_path = {schema}")
                connection.execute(_TABLES.encode())
                connection.cursor().executemany(
                    "INSERT INTO facts VALUES (%s, %s)", [*facts.items(), ("schema", str(SCHEMA))]
                )
        except psycopg.errors.DuplicateTable:
            raise UsageError(
                f"{name}: an index already exists there", hint="name another schema after a #"
            ) from None
        except psycopg.Error as error:
            raise _explain(error, name) from error
        return cls(address)

    def _connect(self) -> psycopg.Connection[Any]:
        import psycopg

        made = psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_SECONDS)
        made.execute(f"SET search_path = {self._schema}")
        return made

    @contextmanager
    def _one(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection; errors of PostgreSQL come out as ours."""
        import psycopg

        try:
            with self._pool.acquire() as connection:
                yield connection
        except psycopg.Error as error:
            raise _explain(error, self.name) from error

    @contextmanager
    def _begun(self, begin: str) -> Iterator[tuple[psycopg.Connection[Any], psycopg.Cursor[Any]]]:
        """A connection in a transaction, which is undone unless the block commits it.

        With it what the beginning gave back.
        """
        with self._one() as connection:
            begun = connection.execute(begin.encode(), prepare=False)
            try:
                yield connection, begun
            finally:
                if not connection.closed and not _is_idle(connection):
                    connection.execute("ROLLBACK")

    @contextmanager
    def read(self) -> Iterator[PostgresTransaction]:
        """A snapshot."""
        # What every question asks for comes along: some ways to the server and back less.
        with self._begun(_BEGIN_READING) as (connection, begun):
            begun.nextset()
            yield PostgresTransaction(connection, dict(begun.fetchall()))

    @contextmanager
    def write(self) -> Iterator[PostgresTransaction]:
        """A transaction; durable when the block has ended."""
        with self._begun("BEGIN") as (connection, _):
            # Before anything is read, so that what is read is the newest.
            connection.execute(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'".encode())
            connection.execute(
                "SELECT pg_advisory_xact_lock(%s)", (zlib.crc32(self._schema.encode()),)
            )
            yield PostgresTransaction(connection)
            connection.execute("COMMIT")

    def check(self) -> list[str]:
        """PostgreSQL sees to its own pages; that it answers is all there is to ask."""
        with self.read() as snapshot:
            snapshot.count()
        return []

    def compact(self) -> None:
        with self._one() as connection:
            for table in ("documents", "texts", "segments", "buckets", "waiting", "blobs"):
                connection.execute(f"VACUUM FULL ANALYZE {table}".encode())

    def copy_to(self, path: str) -> None:
        raise UsageError(
            f"{self.name}: copy a database with PostgreSQL's own tools",
            hint=f"pg_dump --schema={self._schema}, or `likewise index export`",
        )

    def bytes_used(self) -> int:
        with self._one() as connection:
            row = connection.execute(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
                "JOIN pg_namespace n ON n.oid = c.relnamespace "
                "WHERE n.nspname = %s AND c.relkind = 'r'",
                (self._schema,),
            ).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        self._pool.close()


def _is_idle(connection: psycopg.Connection[Any]) -> bool:
    """Whether it is open, and in no transaction."""
    import psycopg

    idle = psycopg.pq.TransactionStatus.IDLE
    return not connection.closed and connection.info.transaction_status == idle


def _ask(connection: psycopg.Connection[Any]) -> None:
    connection.execute("")


def _parts(address: str) -> tuple[str, str]:
    """The address without the name of the schema, and that name."""
    if re.split(r"[/?]", address.partition("://")[2], maxsplit=1)[0].count("@") > 1:
        raise UsageError(
            "the address has more than one @ before the host",
            hint="an @ in a password is written %40",
        )
    url, _, schema = address.partition("#")
    schema = schema or DEFAULT_SCHEMA
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
        raise UsageError(
            "the part of the address after # is not a valid schema name",
            hint="use small letters, digits and _; a # in a password is written %23",
        )
    return url, schema


def _without_password(address: str) -> str:
    scheme, _, rest = address.partition("://")
    authority = re.split(r"[/?]", rest, maxsplit=1)[0]
    user, at, host = authority.rpartition("@")
    shown = user.partition(":")[0] + at + host
    hidden = re.sub(r"([?&](?:ssl)?password=)[^&#]*", r"\1…", rest[len(authority) :])
    return f"{scheme}://{shown}{hidden}"


def _explain(error: psycopg.Error, name: str) -> LikewiseError:
    import psycopg

    said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if isinstance(error, psycopg.errors.UndefinedTable):
        return SourceError(f"{name}: the index no longer exists")
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return LikewiseError(
            f"{name}: another process has been writing for more than {BUSY_SECONDS} seconds",
            hint="try again when it has finished",
        )
    if isinstance(error, psycopg.errors.DiskFull):
        return LikewiseError(f"{name}: the disk of the database is full; earlier data is intact")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return LikewiseError(
            f"{name}: {said}", hint="ask the database administrator for permission"
        )
    if isinstance(error, psycopg.OperationalError):
        return LikewiseError(
            f"{name}: the database cannot be reached: {said}",
            hint="check that the server is running, and try again",
        )
    return LikewiseError(f"{name}: {said}")
