"""`Store`: where an index is kept. All reading is in a snapshot, all writing in a transaction.

A store knows nothing of similarity; `Index` does. `registry.py` lists the stores.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import ClassVar, Self

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index.damage import DamageError
from likewise.index.stores.connections import C, ConnectionPool
from likewise.index.stores.schema import SCHEMA, upgrade
from likewise.index.stores.transaction import Snapshot, Transaction

BUSY_SECONDS = 60


class MissingIndexError(SourceError):
    """There is no index of this name."""

    def __init__(self, name: str) -> None:
        hint = "create it with `likewise index create`, or in Python with Index.create"
        super().__init__(f"{name}: no such index", hint=hint)


class IndexExistsError(UsageError):
    """There is an index, or something else, of this name already."""


def busy_error(name: str) -> LikewiseError:
    return LikewiseError(
        f"{name}: another process has been writing for more than {BUSY_SECONDS} seconds",
        hint="try again when it has finished",
    )


class Store(ConnectionPool[C]):
    """An index in a database, with a pool of connections to it.

    Attributes:
        name: the store in messages; no password is in it.
        types: the types of columns in this database, see `schema.py`.
        error: what its library raises; `explain` makes a `LikewiseError` of it.
    """

    types: ClassVar[dict[str, str]]
    error: ClassVar[type[Exception] | tuple[type[Exception], ...]]

    def __init__(self, name: str) -> None:
        """Opens an existing index. Raises `MissingIndexError` if there is none."""
        super().__init__()
        self.name = name
        try:
            self._check_exists()
            self._upgrade()
        except BaseException:
            self.close()
            raise

    @classmethod
    @abstractmethod
    def create(cls, path: str, facts: Mapping[str, str]) -> Self:
        """Creates an index with these facts and no documents; completely, or not at all.

        Raises `IndexExistsError` if the name is taken, also by another process in this moment.
        """

    def closed_error(self) -> UsageError:
        return UsageError(f"{self.name}: the index is closed", hint="open it again")

    @abstractmethod
    def explain(self, error: Exception) -> LikewiseError:
        """An error of the library in the words of likewise."""

    @abstractmethod
    def read(self) -> AbstractContextManager[Snapshot]:
        """A snapshot, for any number of threads and processes at once."""

    @abstractmethod
    def write(self) -> AbstractContextManager[Transaction]:
        """A transaction, durable after the block, undone if the block raises. Writers take turns
        and wait up to `BUSY_SECONDS`."""

    def check(self) -> list[str]:
        """Problems of the store itself, where the database does not see to them."""
        return []

    @abstractmethod
    def compact(self) -> None:
        """Frees the space of deleted rows."""

    @abstractmethod
    def copy_to(self, path: str) -> None:
        """Writes a copy to a file, while others read and write."""

    @abstractmethod
    def bytes_used(self) -> int: ...

    def _check_exists(self) -> None:
        """Raises if there is no index, where `connect` does not notice."""

    def _upgrade(self) -> None:
        with self.read() as snapshot:
            if snapshot.schema() == SCHEMA:
                return
        with self.write() as transaction:  # another process may have been faster
            for statement in upgrade(transaction.schema(), self.name, self.types):
                transaction.run(statement)
            transaction.set_schema(SCHEMA)

    @contextmanager
    def _connection(self) -> Iterator[C]:
        """A connection from the pool; errors of the library are explained."""
        try:
            with self.acquire() as connection:
                yield connection
        except self.error as error:
            raise self.explain(error) from error
        except DamageError as error:
            raise error.in_index(self.name) from error.__cause__
