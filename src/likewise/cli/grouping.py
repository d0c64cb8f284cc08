"""--within and --across: which documents of a collection are compared, by a column of a table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from likewise.documents.document import FIELDS
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.documents import Batch
    from likewise.types import GroupRule


class Grouping:
    """The column that was named, and its value for each document read so far, by collection."""

    def __init__(self, options: argparse.Namespace) -> None:
        within = getattr(options, "within_column", None)
        across = getattr(options, "across_column", None)
        if within is not None and across is not None:
            raise UsageError("--within and --across are both given; use one of them")
        self.rule: GroupRule = "across" if within is None else "within"
        self.column: str | None = across if within is None else within
        self.values: list[list[str | None]] = []
        # Of the fields of --metadata, tables of documents need not have a column.
        described = getattr(options, "metadata", None) is not None and self.column in FIELDS
        self.table_column = None if described else self.column

    def begin_collection(self) -> None:
        self.values.append([])

    def add(self, batch: Batch) -> None:
        """The documents of a batch."""
        if self.column is None:
            return
        values = batch.values or [None] * len(batch)
        metadata = batch.metadata or [None] * len(batch)
        self.values[-1] += [
            (known or {}).get(self.column) if value is None else value
            for value, known in zip(values, metadata, strict=True)
        ]

    def arguments(self) -> dict[str, Any]:
        """What a search takes by keyword. Raises `UsageError` if no document has a value."""
        if self.column is None:
            return {}
        if not any(value for side in self.values for value in side):
            raise UsageError(
                f"no document has a value for {self.column!r}",
                hint="name a column of the table of documents, or with --metadata one of "
                f"{', '.join(FIELDS)}",
            )
        groups: dict[str, Any] = {self.rule: self.values[0]}
        if len(self.values) > 1:
            groups["against_groups"] = self.values[1]
        return groups
