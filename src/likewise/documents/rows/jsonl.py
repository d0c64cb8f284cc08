"""One row a line of JSON. Blank lines and lines that are no objects are rows without a text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from likewise.documents.columns import choose_columns
from likewise.documents.jsonl import KINDS, find_columns, parse_line
from likewise.documents.lines import cut_at_lines, plain_ends
from likewise.documents.rows.batch import RowBatch, RowTexts
from likewise.documents.rows.texts import strings_with_nulls
from likewise.documents.rows.values import json_family, json_id
from likewise.documents.utf8 import read_utf8
from likewise.errors import ColumnError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from likewise.documents.columns import Columns
    from likewise.documents.rows.file import RowFile
    from likewise.documents.rows.reading import RowReading


class BadRowError(Exception):
    """Why a line gives no row."""


def open_table(file: RowFile, reading: RowReading) -> None:
    """Find the columns in the first lines that are not blank."""
    for block in cut_at_lines(read_utf8(file.origin, reading)):
        if block.isspace() or not block:
            continue
        lines = _split(block)
        if file.columns is None:
            found = find_columns(lines, file.origin)
            reading.refuse_reserved(file.origin, found)
            file.columns = choose_columns(file.origin, found, reading)
            if reading.values is not None and reading.values.name not in found:
                raise ColumnError(
                    f"{file.name}: no column {reading.values.name!r}; it has "
                    + ", ".join(map(repr, list(found)[:20])),
                    hint="name one of these",
                )
        # Where the first lines have no value, one of the next will say what they are.
        if reading.values is None or _settle(file, lines, reading):
            return


def _settle(file: RowFile, lines: Sequence[str], reading: RowReading) -> bool:
    assert reading.values is not None
    for line in lines:
        try:
            row = parse_object(line)
        except BadRowError:
            continue
        value = row.get(reading.values.name)
        if value is not None and (family := json_family(value)) is not None:
            reading.values.settle(file.origin, family)
            return True
    return False


def read_rows(file: RowFile, reading: RowReading) -> Iterator[RowBatch]:
    """Yield all lines; those that are bad are told."""
    first = 0
    for block in cut_at_lines(read_utf8(file.origin, reading)):
        if not block:
            continue
        lines = _split(block)
        if file.columns is None:
            yield RowBatch(file.number, first, strings_with_nulls([None] * len(lines)))
        else:
            yield _read_block(file, first, lines, file.columns, reading)
        first += len(lines)


def _split(block: bytes) -> list[str]:
    return plain_ends(block).decode().removesuffix("\n").split("\n")


def _read_block(
    file: RowFile, first: int, lines: Sequence[str], columns: Columns, reading: RowReading
) -> RowBatch:
    texts: list[str | None] = []
    ids: list[str | None] = []
    values: list[Any] = []
    name = reading.values.name if reading.values is not None else None
    for number, line in enumerate(lines, first):
        text = id_ = value = None
        if line and not line.isspace():
            try:
                row = parse_object(line)
                if reading.reserved and not reading.reserved.isdisjoint(row):
                    reading.refuse_reserved(file.origin, row)
                if columns.id is not None:
                    id_ = json_id(row.get(columns.id))
                if name is not None:
                    value = row.get(name)
                text = _text(row, columns.text)
            except BadRowError as bad:
                reading.tell_bad(file, number, str(bad))
        texts.append(text)
        ids.append(id_)
        values.append(value)
    return RowBatch(
        file.number,
        first,
        strings_with_nulls(texts),
        strings_with_nulls(ids) if columns.id is not None else None,
        reading.values.from_json(values, file.origin, first) if reading.values else None,
    )


def parse_object(line: str) -> dict[str, Any]:
    """Return the object in a line; raise `BadRowError` with the reason where there is none."""
    try:
        row = parse_line(line)
    except json.JSONDecodeError as error:
        raise BadRowError(f"not valid JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise BadRowError("not valid JSON: nested too deeply") from None
    except ValueError as error:
        raise BadRowError(f"not valid JSON: {error}") from None
    if type(row) is not dict:
        raise BadRowError(f"{KINDS[type(row)]}, where an object was expected")
    return row


def _text(row: dict[str, Any], column: str) -> str | None:
    text = row.get(column)
    if text is None or type(text) is str:
        return text
    raise BadRowError(f"{column!r} is {KINDS[type(text)]}, where a string was expected")


def gather_rows(file: RowFile, rows: NDArray[np.int64], reading: RowReading) -> Iterator[RowTexts]:
    """Yield some lines again; only these are parsed."""
    import numpy as np

    first = done = 0
    for block in cut_at_lines(read_utf8(file.origin, reading)):
        count = block.count(b"\n") + (not block.endswith(b"\n") and bool(block))
        stop = int(np.searchsorted(rows, first + count))
        if stop > done:
            lines = block.split(b"\n")
            some = rows[done:stop]
            yield RowTexts(
                file.number,
                some,
                strings_with_nulls([_text_again(file, lines[at]) for at in some - first]),
            )
            done = stop
        first += count
        if done == len(rows):
            return


def _text_again(file: RowFile, line: bytes) -> str | None:
    if file.columns is None or not line or line.isspace():
        return None
    try:
        return _text(parse_object(line.decode().removesuffix("\r")), file.columns.text)
    except BadRowError:
        return None


def check_table(file: RowFile, reading: RowReading) -> None:
    """Raise if not every line can be decoded; lines that are no JSON are bad rows, not more."""
    for _ in read_rows(file, reading):
        pass
