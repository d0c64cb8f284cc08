"""The stores, by the scheme of the address that names an index.

To add a store, write a module with a subclass of `Store`, and add a line to `STORES`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from likewise.index.stores.store import Store

STORES = {  # module and class, by the scheme of an address; a path of a file has none
    "": ("sqlite", "SqliteStore"),
    "postgres": ("postgres", "PostgresStore"),
    "postgresql": ("postgres", "PostgresStore"),
}


def is_address(path: str) -> bool:
    """Whether this is the address of a database, and not a file."""
    return _scheme(path) != ""


def store_class(path: str) -> type[Store[Any]]:
    """The class of the store that a path or an address names; its module is imported only now."""
    module, name = STORES[_scheme(path)]
    found: type[Store[Any]] = getattr(import_module(f"likewise.index.stores.{module}"), name)
    return found


def _scheme(path: str) -> str:
    scheme, separator, _ = path.partition("://")
    return scheme if separator and scheme in STORES else ""
