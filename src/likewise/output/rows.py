"""Rows of results as table, csv, jsonl or parquet."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, BinaryIO

from likewise.output.table import aligned, printable, small

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("table", "csv", "jsonl", "parquet")
Value = str | int | float | bool | None
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")


Columns = Mapping[str, tuple[type, str | Callable[[Any], Value]]]
"""For each column its type, and the attribute (as in "chance.null") or function of a record."""


@dataclass(frozen=True)
class Rows:
    """Results to be written.

    Attributes:
        columns: their names.
        rows: values in the order of the columns; read once.
        total: the number of rows.
        shown: the number of rows in a table; None for all.
        many: the plural noun for the rows.
        kinds: types of the columns, if there may be no rows or a value may be None.
        arrow: the same as an Arrow table, if that is faster than from the rows.
        optional: columns that a table leaves out if they are empty.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[Value]]
    total: int
    shown: int | None = None
    many: str = "rows"
    kinds: tuple[type, ...] | None = None
    arrow: Callable[[], pa.Table] | None = None
    optional: Collection[str] = ()

    @classmethod
    def of(cls, records: Iterable[Any], columns: Columns, many: str = "rows") -> Rows:
        """One row per record."""
        getters = [
            attrgetter(value) if isinstance(value, str) else value for _, value in columns.values()
        ]
        rows = [tuple(get(record) for get in getters) for record in records]
        kinds = tuple(kind for kind, _ in columns.values())
        return cls(tuple(columns), rows, len(rows), many=many, kinds=kinds)

    def to_arrow(self) -> pa.Table:
        if self.arrow is not None:
            return self.arrow()
        import pyarrow as pa

        names = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
        types = [names[kind] for kind in self.kinds] if self.kinds else [None] * len(self.columns)
        values = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        arrays = (pa.array(list(column), kind) for column, kind in zip(values, types, strict=True))
        return pa.table(dict(zip(self.columns, arrays, strict=True)))


def write_rows(rows: Rows, format_: str, stream: BinaryIO, *, to_file: bool = False) -> None:
    """Writes in one of FORMATS; the same rows give the same bytes.

    CSV in a file begins with a byte order mark, without which Excel takes it for another encoding;
    on stdout it does not, since few programs that read a pipe expect one.
    """
    if format_ == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(rows.to_arrow(), stream, compression="zstd")
        return
    if format_ == "csv" and to_file:
        stream.write(codecs.BOM_UTF8)
    for text in _FORMATTERS[format_](rows):
        stream.write(text.encode("utf-8", "replace"))


def _as_table(rows: Rows) -> Iterator[str]:
    if rows.total == 0:
        yield f"no {rows.many}\n"
        return
    kinds = rows.kinds or (str,) * len(rows.columns)
    # A number that does not exist, such as a p-value without a null model, is a dash.
    missing = [
        "-" if kind is float and name not in rows.optional else ""
        for name, kind in zip(rows.columns, kinds, strict=True)
    ]
    shown = [
        [_cell(value) or blank for value, blank in zip(row, missing, strict=True)]
        for row in islice(rows.rows, rows.shown)
    ]
    kept = [
        i
        for i, name in enumerate(rows.columns)
        if name not in rows.optional or any(row[i] for row in shown)
    ]
    columns = [rows.columns[i] for i in kept]
    shown = [[row[i] for i in kept] for row in shown]
    numeric = {
        name for i, name in enumerate(columns) if all(_looks_numeric(row[i]) for row in shown)
    }
    yield aligned(columns, shown, numeric)
    if len(shown) < rows.total:
        yield f"… and {rows.total - len(shown):,} more {rows.many}\n"


def _as_csv(rows: Rows) -> Iterator[str]:
    for chunk in _chunks(chain([rows.columns], rows.rows)):
        text = io.StringIO()
        plain = csv.writer(text, lineterminator="\n")
        quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for row in chunk:
            # Python quotes no \r, at which readers of CSV end the row.
            ends = any(isinstance(value, str) and "\r" in value for value in row)
            (quoted if ends else plain).writerow([_without_formula(value) for value in row])
        yield text.getvalue()


def _without_formula(value: Value) -> Value:
    """A text that a spreadsheet would run, with an apostrophe before it, as in `tables/csv.js`.

    Removing one apostrophe from texts that start with `_FORMULA` gives the original back.
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _as_jsonl(rows: Rows) -> Iterator[str]:
    for chunk in _chunks(rows.rows):
        yield "".join(
            json.dumps(dict(zip(rows.columns, row, strict=True)), ensure_ascii=False) + "\n"
            for row in chunk
        )


_FORMATTERS: dict[str, Callable[[Rows], Iterator[str]]] = {
    "table": _as_table,
    "csv": _as_csv,
    "jsonl": _as_jsonl,
}


def _chunks(rows: Iterable[Sequence[Any]], size: int = 8192) -> Iterator[list[Sequence[Any]]]:
    remaining = iter(rows)
    while chunk := list(islice(remaining, size)):
        yield chunk


def _cell(value: Value) -> str:
    if isinstance(value, float):
        return small(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else printable(str(value))


def _looks_numeric(cell: str) -> bool:
    return re.fullmatch(r"-?[0-9,]+(\.[0-9]+)?(e-[0-9]+)?|-|", cell) is not None
