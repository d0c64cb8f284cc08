"""Rows with annotations, as JSON and as CSV."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from likewise.documents.rows.jsonl import BadRowError, parse_object
from likewise.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.rows.delimited import Layout
    from likewise.documents.rows.records import Cut


def json_rows(batch: pa.RecordBatch) -> list[str]:
    """Return each row of annotations as the inside of an object."""
    keys = [json.dumps(name, ensure_ascii=False) for name in batch.schema.names]
    columns = [
        [json.dumps(value, ensure_ascii=False) for value in column.to_pylist()]
        for column in batch.columns
    ]
    return [
        ", ".join(f"{key}: {value}" for key, value in zip(keys, row, strict=True))
        for row in zip(*columns, strict=True)
    ]


def line_as_object(line: bytes, added: str) -> bytes:
    """Return a line of plain text as a line of JSON."""
    content = line.removesuffix(b"\n").removesuffix(b"\r")
    text = json.dumps(content.decode(), ensure_ascii=False)
    return f'{{"text": {text}, {added}}}\n'.encode()


def annotate_line(line: bytes, added: str, names: Sequence[str], name: str, number: int) -> bytes:
    """Return a line of JSON with more keys at its end; one that is no object stays as it is."""
    content = line.rstrip(b" \t\r\n")
    if not content:
        return line
    try:
        row = parse_object(content.decode())
    except BadRowError:
        return line
    taken = next((key for key in names if key in row), None)
    if taken is not None:
        raise UsageError(
            f"{name} line {number + 1}: has a key {taken!r} already, and one of this name is to "
            "be added",
            hint="rename or drop that key first",
        )
    inside = content[:-1].rstrip(b" \t\r\n")
    comma = b", " if row else b""
    return inside + comma + added.encode() + b"}" + line[len(content) :]


def file_rows(files: Sequence[str], batch: pa.RecordBatch) -> list[bytes]:
    """Return a line of JSON for each file."""
    names = [json.dumps(file, ensure_ascii=False) for file in files]
    rows = zip(names, json_rows(batch), strict=True)
    return [f'{{"file": {name}, {added}}}\n'.encode() for name, added in rows]


def csv_rows(batch: pa.RecordBatch, delimiter: str) -> list[str]:
    """Return each row of annotations as fields, with the delimiter before each."""
    columns = [
        [delimiter + csv_field(value, delimiter) for value in column.to_pylist()]
        for column in batch.columns
    ]
    return ["".join(row) for row in zip(*columns, strict=True)]


def csv_field(value: object, delimiter: str) -> str:
    """Return a value as a field, quoted where it must be; null is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if re.search(f'["\r\n{re.escape(delimiter)}]', text):
        return '"' + text.replace('"', '""') + '"'
    return text


def annotate_record(record: bytes, added: str) -> bytes:
    """Return a record with more fields at its end."""
    content = record.removesuffix(b"\n").removesuffix(b"\r")
    return content + added.encode() + record[len(content) :]


def plain_records(cut: Cut, layout: Layout, bad: dict[int, str]) -> NDArray[np.bool_]:
    """Return which records can have more fields: those with the right number of them.

    A blank line stands for a row of empty fields, and has none that others could follow.
    """
    import numpy as np

    plain = np.ones(len(cut.ends), np.bool_)
    plain[list(bad)] = False
    if len(layout.names) > 1:
        for at in np.flatnonzero(cut.ends - cut.starts <= 2).tolist():
            if not cut.data[cut.starts[at] : cut.ends[at]].strip(b"\r\n"):
                plain[at] = False
    return plain
