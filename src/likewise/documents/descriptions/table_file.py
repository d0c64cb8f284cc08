"""The rows of a table of metadata: CSV, TSV, JSON Lines, Parquet or XLSX."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from likewise.documents.descriptions.xlsx import read_xlsx
from likewise.documents.encoding import decode
from likewise.documents.kinds import EXTENSIONS, split_name
from likewise.documents.origin import Compression
from likewise.documents.tables.delimited import find_delimiter
from likewise.documents.tables.formats import COLUMNED
from likewise.documents.texts import scrub
from likewise.documents.unreadable import UnreadableError
from likewise.errors import DocumentError, SourceError

TABLE_EXTENSIONS = (".csv", ".tsv", ".xlsx", ".jsonl", ".parquet")
EXTENSION_HINT = "metadata must be a .csv, .tsv, .xlsx, .jsonl or .parquet file"
MAX_CELLS = 20_000_000


class Sheet(NamedTuple):
    """A table: the names of its columns, and rows with a value for each of them, None if empty."""

    columns: list[str]
    rows: list[list[str | None]]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, object]], source: str) -> Sheet:
        """From rows that may have different columns; `source` is the table in messages."""
        names = list(dict.fromkeys(name for row in rows for name in row))
        _check_size(names, rows, source)
        values = [[as_text(row.get(name)) for name in names] for row in rows]
        return cls([str(name) for name in names], values)


def table_kind(path: str, name: str) -> tuple[str, Compression | None]:
    """The kind of a table by its extension; raises `SourceError` for any other file."""
    extension, compression = split_name(path)
    kind = "xlsx" if extension == ".xlsx" else EXTENSIONS.get(extension, "")
    if kind not in COLUMNED - {"arrow"} and kind != "xlsx":
        raise SourceError(f"{name}: not a table", hint=EXTENSION_HINT)
    return kind, compression


def read_sheet(data: bytes, kind: str, name: str, encoding: str | None) -> Sheet:
    """A table of one of the kinds of `table_kind`; raises `SourceError` if it is damaged."""
    if kind == "parquet":
        return _read_parquet(data, name)
    try:
        if kind == "xlsx":
            header, *rows = read_xlsx(data) or [{}]
            _check_size(header, rows, name)
            cells = [[row.get(at) for at in header] for row in rows]
            return _rectangle(list(header.values()), cells, name)
        text, _ = decode(data, name, encoding)
    except DocumentError as error:
        raise SourceError(str(error), hint=error.hint) from error
    except UnreadableError as error:
        raise SourceError(f"{name}: {error.reason}", hint=error.hint) from error
    if kind == "jsonl":
        return Sheet.of(list(_json_rows(text, name)), name)
    return _read_csv(text, name, "\t" if kind == "tsv" else None)


def as_text(value: object) -> str | None:
    """A value as it is shown; None if it is empty."""
    if value is None:
        return None
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return scrub(text.strip()) or None


def _check_size(columns: Collection[object], rows: Collection[object], source: str) -> None:
    """Short rows are filled up to the header: a small file must not become a large table."""
    if len(columns) * len(rows) > MAX_CELLS:
        raise SourceError(
            f"{source}: {len(rows):,} rows of {len(columns):,} columns, more than {MAX_CELLS:,} "
            "cells",
            hint="keep the columns that describe documents",
        )


def _rectangle(
    columns: Sequence[str | None], rows: Sequence[Sequence[object]], source: str
) -> Sheet:
    """Rows of the length of the header, without those that are empty."""
    _check_size(columns, rows, source)
    names = [as_text(name) or "" for name in columns]
    values = []
    for row in rows:
        cells = [as_text(value) for value in row[: len(names)]]
        if any(cells):
            values.append(cells + [None] * (len(names) - len(cells)))
    return Sheet(names, values)


def _read_csv(text: str, name: str, delimiter: str | None) -> Sheet:
    text = text.lstrip("\r\n")
    delimiter = delimiter or find_delimiter(text)
    try:
        columns, *rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) or [
            []
        ]
    except csv.Error as error:
        raise SourceError(f"{name}: cannot be read as CSV: {error}") from error
    return _rectangle(columns, rows, name)


def _json_rows(text: str, name: str) -> Iterator[Mapping[str, object]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise SourceError(f"{name} line {number}: not valid JSON: {error}") from error
        except RecursionError:
            raise SourceError(f"{name} line {number}: not valid JSON: nested too deeply") from None
        if not isinstance(row, dict):
            raise SourceError(f"{name} line {number}: not a JSON object")
        yield row


def _read_parquet(data: bytes, name: str) -> Sheet:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(io.BytesIO(data))
        nested = (pa.types.is_nested, pa.types.is_binary, pa.types.is_large_binary)
        kept = [
            at
            for at, field in enumerate(table.schema)
            if not any(is_(field.type) for is_ in nested)
        ]
        names = [table.schema.names[at] for at in kept]
        values = [[as_text(value) for value in table.column(at).to_pylist()] for at in kept]
    # Names and values that are not UTF-8, and dates that Python does not have, are damage too.
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise SourceError(f"{name}: damaged, or not Parquet") from error
    return Sheet(names, [list(row) for row in zip(*values, strict=True)])
