"""`RowFile`: a table, or neighbouring documents of a folder, whose rows are counted from 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.documents.columns import Columns
    from likewise.documents.origin import Origin

COLUMNED = frozenset({"parquet", "jsonl", "csv", "tsv"})
TABLES = COLUMNED | {"lines"}


@dataclass(eq=False)
class RowFile:
    """Rows that are counted together.

    Files of a folder that are one document each and stand side by side in the order of paths are
    one `RowFile`, each of them a row: a folder of a million small texts is no million of files.

    Attributes:
        number: its place in `RowSource.files`.
        origins: the table alone, or the documents, one for each row.
        kind: "parquet", "jsonl", "csv", "tsv", "lines" or "documents".
        count: how many rows it has; None for a table whose rows nobody has counted yet.
        columns: the names of a table's text and id columns; None where it has no columns.
        left_out: why the file is left out of everything (`skip_bad`); None if it is not.
        bad_rows: how many rows cannot be read, of those read so far.
        facts: what the reader of its kind found out when it was opened.
    """

    number: int
    origins: Sequence[Origin]
    kind: str
    count: int | None = None
    columns: Columns | None = None
    left_out: str | None = None
    bad_rows: int = 0
    facts: Any = field(default=None, repr=False)

    @property
    def origin(self) -> Origin:
        """The table."""
        return self.origins[0]

    @property
    def name(self) -> str:
        """What messages call it."""
        if len(self.origins) == 1:
            return self.origin.name
        return f"{self.origin.name} … {self.origins[-1].name}"

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(origin.size or 0 for origin in self.origins)
