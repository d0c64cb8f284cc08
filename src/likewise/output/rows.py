"""Rows of results as table, csv, jsonl or parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from likewise.output.table import aligned, printable

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("table", "csv", "jsonl", "parquet")
Value = str | int | float | bool | None


@dataclass(frozen=True)
class Rows:
    """Results to be written.

    Attributes:
        columns: their names.
        rows: values in the order of the columns; gone through once.
        total: how many there are.
        shown: how many rows a table shows; None for all.
        many: what they are called, for the line that says how many were left out.
        kinds: types of the columns, where rows may be missing or values None.
        arrow: the same as an Arrow table, where there is a quicker way than from the rows.
        optional: columns that a table leaves out where all that it shows of them is empty.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[Value]]
    total: int
    shown: int | None = None
    many: str = "rows"
    kinds: tuple[type, ...] | None = None
    arrow: Callable[[], pa.Table] | None = None
    optional: Collection[str] = ()

    def to_arrow(self) -> pa.Table:
        if self.arrow is not None:
            return self.arrow()
        import pyarrow as pa

        names = {str: pa.string(), int: pa.int64(), float: pa.float64()}
        types = [names[kind] for kind in self.kinds] if self.kinds else [None] * len(self.columns)
        values = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        arrays = (pa.array(list(column), kind) for column, kind in zip(values, types, strict=True))
        return pa.table(dict(zip(self.columns, arrays, strict=True)))


def write_rows(rows: Rows, format_: str, stream: BinaryIO) -> None:
    """Writes in one of FORMATS; the same rows give the same bytes."""
    if format_ == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(rows.to_arrow(), stream, compression="zstd")
        return
    for text in _FORMATTERS[format_](rows):
        stream.write(text.encode("utf-8", "replace"))


def _as_table(rows: Rows) -> Iterator[str]:
    if rows.total == 0:
        yield f"no {rows.many}\n"
        return
    kinds = rows.kinds or (str,) * len(rows.columns)
    # A figure that there is not, such as a p-value without a null, is not merely left blank.
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
    for chunk in _chunks([tuple(rows.columns)], rows.rows):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(chunk)
        yield text.getvalue()


def _as_jsonl(rows: Rows) -> Iterator[str]:
    for chunk in _chunks([], rows.rows):
        yield "".join(
            json.dumps(dict(zip(rows.columns, row, strict=True)), ensure_ascii=False) + "\n"
            for row in chunk
        )


_FORMATTERS: dict[str, Callable[[Rows], Iterator[str]]] = {
    "table": _as_table,
    "csv": _as_csv,
    "jsonl": _as_jsonl,
}


def _chunks(
    head: list[Sequence[Any]], rows: Iterable[Sequence[Any]], size: int = 8192
) -> Iterator[list[Sequence[Any]]]:
    if head:
        yield head
    remaining = iter(rows)
    while chunk := list(islice(remaining, size)):
        yield chunk


def _cell(value: Value) -> str:
    if isinstance(value, float):  # what four digits would make 0 keeps one that counts
        return f"{value:.4f}" if value == 0 or abs(value) >= 0.0005 else f"{value:.1e}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else printable(str(value))


def _looks_numeric(cell: str) -> bool:
    return re.fullmatch(r"-?[0-9,]+(\.[0-9]+)?(e-[0-9]+)?|-|", cell) is not None
