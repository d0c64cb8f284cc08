"""`write_key`: the key of an anonymous report, as CSV for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from likewise.output.rows import Rows, write_rows
from likewise.survey.anonymous.key import KeyRow

COLUMNS = (
    "document", "file", "author", "title", "date", "group", "group_in_report", "archive", "reason",
)  # fmt: skip


def write_key(key: Iterable[KeyRow], stream: BinaryIO) -> None:
    """Write what the numbers of the report stand for."""
    rows = [
        (
            row.number, row.file, *(row.known.get(name) for name in ("author", "title", "date")),
            row.known.get("group"), row.group, row.archive, row.reason,
        )
        for row in key
    ]  # fmt: skip
    write_rows(Rows(COLUMNS, rows, len(rows)), "csv", stream, to_file=True)
