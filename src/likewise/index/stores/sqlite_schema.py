"""The tables that an SQLite file must have to be an index: these, and nothing else.

A view, a trigger, a virtual table or an expression in a file of unknown origin runs when the file
is read or written: it may never end, or change what is stored.
"""

from __future__ import annotations

import sqlite3

from likewise.index.damage import DamageError
from likewise.index.stores.schema import SCHEMA, TABLES

TYPES = {"integer": "INTEGER", "bytes": "BLOB", "without_rowid": " WITHOUT ROWID"}

_OLD_SEGMENTS = (
    "CREATE TABLE segments ( number INTEGER PRIMARY KEY, documents INTEGER NOT NULL, "
    "entries INTEGER NOT NULL, bits INTEGER NOT NULL, filter_bits INTEGER NOT NULL, "
    "filter BLOB NOT NULL "
)
_OLDER = {  # as made by earlier versions, and as upgraded from these
    "segments": {f"{_OLD_SEGMENTS})", f"{_OLD_SEGMENTS}, kind INTEGER NOT NULL DEFAULT 0)"},
    "waiting": {
        "CREATE TABLE waiting (key INTEGER, number INTEGER, PRIMARY KEY (key, number)) "
        "WITHOUT ROWID",
        "CREATE TABLE waiting "
        "(kind INTEGER, key BIGINT, number BIGINT, PRIMARY KEY (kind, key, number))",
    },
}


def _words(statement: str) -> str:
    """Without differences in white space."""
    return " ".join(statement.split())


_TABLES = {
    statement.split()[2]: {statement} | _OLDER.get(statement.split()[2], set())
    for statement in map(_words, TABLES.format(**TYPES).split(";"))
    if statement
}


def check_schema(connection: sqlite3.Connection, name: str) -> None:
    """Raises `DamageError` if a file has other tables than an index, or anything else."""
    connection.execute("BEGIN")  # another process may be upgrading it
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    finally:
        connection.execute("ROLLBACK")
    if version > SCHEMA:
        return  # reported as such when it is opened
    tables = set()
    for kind, own_name, table, statement in rows:
        if kind == "index" and table in _TABLES and statement is None:
            continue  # that of a primary key or a unique column
        known = isinstance(statement, str) and _words(statement) in _TABLES.get(own_name, ())
        if kind != "table" or not known:
            raise DamageError(f"it has the {kind} {own_name!r}, which no index has", name)
        tables.add(own_name)
    missing = _TABLES.keys() - tables - ({"blobs"} if version < SCHEMA else set())
    if missing:
        raise DamageError(f"it has no table {min(missing)!r}", name)
