"""`MetadataTable`: title, author, date and group of documents, from a table beside them.

The table is CSV, TSV, JSON Lines or Parquet. Its rows say which document they are about in a column
called `id`, `file`, `filename` or `name`: by the id, by the path below the source, or by the name
of the file alone, where only one document has it. Other columns are left aside.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from likewise.documents.document import FIELDS
from likewise.documents.encoding import check_encoding, decode
from likewise.documents.kinds import EXTENSIONS, split_name
from likewise.documents.notice import Note
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import read_blocks
from likewise.documents.tables.delimited import find_delimiter
from likewise.documents.tables.formats import COLUMNED
from likewise.documents.texts import scrub
from likewise.errors import ColumnError, DocumentError, SourceError

KEYS = ("id", "file", "filename", "name")


class _Row(NamedTuple):
    number: int
    key: str
    metadata: dict[str, str]


class MetadataTable:
    """Finds the row of each document.

    Documents are looked up one by one, as they are read; in the end `notes` says how many had no
    row, and how many rows no document.
    """

    def __init__(self, name: str, rows: Iterable[Mapping[str, object]]) -> None:
        """`name` is what messages call the table. Raises `SourceError` for two equal keys."""
        self.name = name
        self._rows: dict[str, _Row] = {}
        self._taken: dict[str, str] = {}  # the key of a row → the id of its document
        self._without: set[str] = set()
        for number, row in enumerate(rows):
            self._add(number, row)

    @classmethod
    def read(cls, path: str | os.PathLike[str], encoding: str | None = None) -> MetadataTable:
        """Read a table; raise `SourceError` where that cannot be done."""
        check_encoding(encoding)
        name = scrub(os.fspath(path))
        return cls(name, _open_rows(os.fspath(path), name, encoding))

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, id_: str) -> dict[str, str] | None:
        """Return those of `FIELDS` that are known of a document, None if it has no row.

        Raises `SourceError` where a row fits a second document.
        """
        row = self._rows.get(id_) or self._rows.get(id_.rpartition("/")[2])
        if row is None:
            self._without.add(id_)
            return None
        taken = self._taken.setdefault(row.key, id_)
        if taken != id_:
            raise SourceError(
                f"{self.name} row {row.number}: {row.key!r} matches two documents: {taken!r} and "
                f"{id_!r}",
                hint="give the path relative to the source instead of the file name",
            )
        return row.metadata

    @property
    def unmatched_rows(self) -> list[str]:
        """The keys of rows that match no document so far."""
        return [key for key in self._rows if key not in self._taken]

    @property
    def documents_without(self) -> int:
        """How many documents had no row so far."""
        return len(self._without)

    @property
    def notes(self) -> list[Note]:
        """What the user should hear of, once all documents have been looked up."""
        notes = []
        if unmatched := self.unmatched_rows:
            first = ", ".join(map(repr, unmatched[:3])) + (", …" if len(unmatched) > 3 else "")
            fits = "row matches" if len(unmatched) == 1 else "rows match"
            notes.append(Note(self.name, f"{len(unmatched):,} {fits} no document: {first}"))
        if without := self.documents_without:
            have = "document has" if without == 1 else "documents have"
            notes.append(Note(self.name, f"{without:,} {have} no row"))
        return notes

    def _add(self, number: int, row: Mapping[str, object]) -> None:
        by_name = {str(name).strip().lower(): value for name, value in row.items()}
        key = next((by_name[name] for name in KEYS if by_name.get(name) not in (None, "")), None)
        if key is None:
            raise SourceError(
                f"{self.name} row {number}: it names no document",
                hint=f"fill the column {_listed(KEYS)}",
            )
        path = _as_path(str(key))
        if path in self._rows:
            raise SourceError(
                f"{self.name}: duplicate {path!r}: in row {self._rows[path].number} and in row "
                f"{number}",
                hint="give each document one row",
            )
        values = ((name, _as_text(by_name.get(name))) for name in FIELDS)
        self._rows[path] = _Row(number, path, {name: value for name, value in values if value})


def _as_path(key: str) -> str:
    return scrub(key.strip().replace("\\", "/").removeprefix("./"))


def _as_text(value: object) -> str | None:
    if value is None:
        return None
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return scrub(text.strip()) or None


def _open_rows(path: str, name: str, encoding: str | None) -> Iterator[Mapping[str, object]]:
    extension, compression = split_name(path)
    kind = EXTENSIONS.get(extension, "")
    if kind not in COLUMNED:
        raise SourceError(
            f"{name}: not a table", hint="metadata must be a .csv, .tsv, .jsonl or .parquet file"
        )
    origin = Origin(path, name, path, kind, compression, named=True, size=None)
    data = b"".join(read_blocks(origin, Reading()))
    if kind == "parquet":
        return _parquet_rows(data, name)
    try:
        text, _ = decode(data, name, encoding)
    except DocumentError as error:
        raise SourceError(str(error), hint=error.hint) from error
    if kind == "jsonl":
        return _json_rows(text, name)
    return _csv_rows(text, name, "\t" if kind == "tsv" else None)


def _csv_rows(text: str, name: str, delimiter: str | None) -> Iterator[Mapping[str, object]]:
    text = text.lstrip("\r\n")
    delimiter = delimiter or find_delimiter(text)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    _check_columns(rows.fieldnames or (), name)
    try:
        yield from rows
    except csv.Error as error:
        raise SourceError(f"{name}: cannot be read as CSV: {error}") from error


def _json_rows(text: str, name: str) -> Iterator[Mapping[str, object]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise SourceError(f"{name} line {number}: not valid JSON: {error}") from error
        if not isinstance(row, dict):
            raise SourceError(f"{name} line {number}: not a JSON object")
        _check_columns(list(row), name)
        yield row


def _parquet_rows(data: bytes, name: str) -> Iterator[Mapping[str, Any]]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(io.BytesIO(data))
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{name}: damaged, or not Parquet") from error
    _check_columns(table.column_names, name)
    wanted = [column for column in table.column_names if column.strip().lower() in KEYS + FIELDS]
    yield from table.select(wanted).to_pylist()


def _check_columns(names: Sequence[str], source: str) -> None:
    found = [str(name).strip().lower() for name in names if name is not None]
    if not set(found) & set(KEYS):
        listed = ", ".join(map(repr, names)) or "none"
        raise ColumnError(
            f"{source}: no column {_listed(KEYS)}; it has {listed}",
            hint="one column must identify the document of each row",
        )
    for name in (*KEYS, *FIELDS):
        if found.count(name) > 1:
            raise ColumnError(f"{source}: duplicate column {name!r}")


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
