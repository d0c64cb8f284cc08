"""The store that a path or an address names."""

from __future__ import annotations

from collections.abc import Mapping

from likewise.errors import UsageError
from likewise.index.stores.postgres import PostgresStore, is_address
from likewise.index.stores.protocol import Store
from likewise.index.stores.sqlite import SqliteStore


def open_store(path: str) -> Store:
    """The store that is there."""
    if is_address(path):
        _need_psycopg()
        return PostgresStore(path)
    return SqliteStore(path)


def create_store(path: str, facts: Mapping[str, str]) -> Store:
    """A new store, with some facts and nothing else in it."""
    if is_address(path):
        _need_psycopg()
        return PostgresStore.create(path, facts)
    return SqliteStore.create(path, facts)


def _need_psycopg() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise UsageError(
            "an index in PostgreSQL requires psycopg, which is not installed",
            hint="pip install 'likewise[postgres]'",
        ) from None
