"""The tables of an index, and the statements that upgrade older ones.

SQLite and PostgreSQL share them, apart from the names of types. An upgrade is one transaction when
the index is opened; an index with a newer schema than ours is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from likewise.errors import SourceError

SCHEMA = 3

# A store supplies `integer` (64 bits), `bytes` and `without_rowid`.
TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL){without_rowid};
CREATE TABLE documents (
    number {integer} PRIMARY KEY, id TEXT NOT NULL UNIQUE, content {bytes} NOT NULL,
    size {integer} NOT NULL, signature {bytes} NOT NULL, metadata TEXT
);
CREATE TABLE texts (number {integer} PRIMARY KEY, data {bytes} NOT NULL);
CREATE TABLE segments (
    kind INTEGER NOT NULL, number {integer} PRIMARY KEY, documents {integer} NOT NULL,
    entries {integer} NOT NULL, bits INTEGER NOT NULL, filter_bits INTEGER NOT NULL,
    filter {bytes} NOT NULL
);
CREATE TABLE buckets (id {integer} PRIMARY KEY, data {bytes} NOT NULL);
CREATE TABLE waiting (
    kind INTEGER, key {integer}, number {integer}, PRIMARY KEY (kind, key, number)
){without_rowid};
CREATE TABLE blobs (name TEXT PRIMARY KEY, data {bytes} NOT NULL);
"""

# Of the tables that get many rows at once, as PostgreSQL calls them.
COLUMN_TYPES = {
    "documents": ("int8", "text", "bytea", "int8", "bytea", "text"),
    "texts": ("int8", "bytea"),
    "buckets": ("int8", "bytea"),
    "waiting": ("int4", "int8", "int8"),
}

# From each version to the next.
_UPGRADES: dict[int, tuple[str, ...]] = {
    1: (  # entries and segments have a kind; until then all were of bands
        "ALTER TABLE segments ADD COLUMN kind INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE waiting RENAME TO waiting_1",
        "CREATE TABLE waiting "
        "(kind INTEGER, key BIGINT, number BIGINT, PRIMARY KEY (kind, key, number))",
        "INSERT INTO waiting SELECT 0, key, number FROM waiting_1",
        "DROP TABLE waiting_1",
    ),
    2: (  # blobs for common keys; the number of documents is a fact
        "CREATE TABLE blobs (name TEXT PRIMARY KEY, data {bytes} NOT NULL)",
        # Not `count(*)`, which SQLite counts page by page, and so without end if pages form a loop.
        "INSERT INTO facts SELECT 'documents', CAST(count(number) AS TEXT) FROM documents",
    ),
}


def upgrade(version: int, name: str, types: dict[str, str]) -> Iterator[str]:
    """The statements from a version to ours; `name` is the index in error messages."""
    if version > SCHEMA:
        raise SourceError(
            f"{name}: created by a newer version of likewise (schema {version}, this one reads "
            f"{SCHEMA})",
            hint="install the newer version",
        )
    for number in range(max(version, 1), SCHEMA):
        for statement in _UPGRADES[number]:
            yield statement.format(**types)
