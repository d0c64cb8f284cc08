"""A connection to an SQLite file, and a snapshot or a transaction of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from likewise.index.damage import DamageError
from likewise.index.stored_document import StoredDocument
from likewise.index.stores.schema import COLUMN_TYPES
from likewise.index.stores.transaction import Row, Transaction

_MAX_IN_VALUES = 512
# Steps of SQLite's virtual machine. A row takes some ten of them, and at least ten bytes.
_STEPS_AT_ONCE = 1_000_000
_MIN_STEPS = 50_000_000
_MAX_STEPS_PER_BYTE = 20


class SqliteConnection(sqlite3.Connection):
    """A connection that knows which file it was opened for, and ends endless statements."""

    file: tuple[int, ...] | None = None
    immutable = False
    _steps = 0
    _max_steps = _MIN_STEPS

    def begin_statement(self, *, endless: bool = False) -> None:
        self._steps = -(2**62) if endless else 0

    def limit_steps(self, file_bytes: Callable[[], int]) -> None:
        """Ends statements that take more steps than the rows of the file need."""

        def count_steps() -> bool:
            self._steps += _STEPS_AT_ONCE
            if self._steps > self._max_steps:  # the file may have grown
                self._max_steps = max(_MIN_STEPS, _MAX_STEPS_PER_BYTE * file_bytes())
            return self._steps > self._max_steps

        self.set_progress_handler(count_steps, _STEPS_AT_ONCE)

    def interruption(self) -> BaseException:
        """Why a statement was interrupted: by its length, or by Ctrl-C while steps were counted,
        of which the library says no more."""
        if self._steps > self._max_steps:
            return DamageError("it has more rows than the file has room for: its pages form a loop")
        return KeyboardInterrupt()


class SqliteTransaction(Transaction):
    """A snapshot or a transaction of an open connection."""

    def __init__(self, connection: SqliteConnection, name: str) -> None:
        super().__init__(name)
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> Iterable[Row]:
        self._connection.begin_statement()
        return self._connection.execute(statement, values)

    def run_interruptibly(self, statement: str) -> list[Row]:
        """Runs a statement whose steps may take long; Ctrl-C ends it nevertheless."""
        with ThreadPoolExecutor(1, "likewise-check") as other:
            rows = other.submit(lambda: list(self.run(statement)))
            try:
                return rows.result()
            except BaseException:
                self._connection.interrupt()
                raise

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

    def insert_documents(self, documents: Sequence[StoredDocument]) -> None:
        super().insert_documents(documents)
        # In a damaged file, rows may be put where they are not looked for.
        numbers = [document.number for document in documents]
        found = self.documents(numbers, text=True)
        if [(d.number, d.packed_text) for d in found] != [
            (d.number, d.packed_text) for d in documents
        ]:
            raise DamageError("documents that were added are not there")

    def schema(self) -> int:
        return int(self._value(int, "PRAGMA user_version"))

    def set_schema(self, version: int) -> None:
        self.run(f"PRAGMA user_version = {version}")

    def drop_segments(self, numbers: Sequence[int]) -> None:
        # Keys are not text that must be erased, and overwriting them is writing them again.
        self.run("PRAGMA secure_delete = OFF")
        super().drop_segments(numbers)
        self.run("PRAGMA secure_delete = ON")
