"""What a `.json` file is: lines of JSON, an array of rows, or a document."""

from __future__ import annotations

import re

from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import BLOCK
from likewise.documents.tables.json_values import BadRowError, parse_object
from likewise.documents.utf8 import read_utf8
from likewise.errors import LikewiseError

# An array of objects or of strings, or without anything; lists and numbers are no rows.
_ROWS = re.compile(rb'\s*\[\s*(?:[{"]|\]\s*$)')


def json_kind(origin: Origin) -> str | None:
    """Return "jsonl" or "json" for a file with rows, by its beginning; None for other JSON."""
    try:
        start = next(read_utf8(origin, Reading()), b"")
    except LikewiseError:
        return None
    if _ROWS.match(start):
        return "json"
    return "jsonl" if is_json_lines(start) else None


def is_json_lines(start: bytes) -> bool:
    """Whether the first line in the first block of a file is an object, or nothing is there.

    >>> is_json_lines(b'{"text": "a"}'), is_json_lines(b'[{"text": "a"}]'), is_json_lines(b"{\\n")
    (True, False, False)
    """
    line, end, _ = start.lstrip().partition(b"\n")
    if not end and len(start) >= BLOCK:  # longer than the block
        return line.startswith(b"{")
    try:
        if line:
            parse_object(line.decode("utf-8", "replace"))
    except BadRowError:
        return False
    return True
