"""The table formats: one line each. What they can do is what `Table` says."""

from __future__ import annotations

from collections.abc import Mapping

from likewise.documents.tables.arrow import Arrow
from likewise.documents.tables.delimited import Csv, Tsv
from likewise.documents.tables.json_array import JsonArray
from likewise.documents.tables.jsonl import JsonLines
from likewise.documents.tables.lines import Lines
from likewise.documents.tables.parquet import Parquet
from likewise.documents.tables.table import Table

TABLES: Mapping[str, type[Table]] = {
    "jsonl": JsonLines,
    "json": JsonArray,
    "csv": Csv,
    "tsv": Tsv,
    "parquet": Parquet,
    "arrow": Arrow,
    "lines": Lines,
}
COLUMNED = frozenset(TABLES) - {"lines"}
"""The formats whose rows have columns."""
