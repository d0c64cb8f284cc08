"""One document per line of JSON.

Only the text and the id matter: other fields may hold anything, or differ from line to line. A line
that is not valid JSON, or has no text, is skipped. Blank lines count as lines but are no documents.

Limitations: about 200 MB/s for documents of a page and 70 MB/s for tweets, as Python's own parser
goes line by line; Arrow's is faster but gives up a whole block for one broken line.
"""

from __future__ import annotations

import json
from array import array
from itertools import islice
from json.scanner import make_scanner
from typing import TYPE_CHECKING, Any, cast

from likewise.documents.columns import Columns, choose_columns
from likewise.documents.lines import cut_at_lines, plain_ends
from likewise.documents.reading import Piece, Reading
from likewise.documents.texts import scrub, text_array
from likewise.documents.utf8 import read_utf8
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from likewise.documents.origin import Origin

_SAMPLE = 1000
KINDS: dict[type, str] = {
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
}

# Tabs and other control characters inside strings are against the letter of JSON, and common.
_DECODER = json.JSONDecoder(strict=False)
_scan = make_scanner(cast("Any", _DECODER))


def parse_line(line: str) -> Any:
    """Return the value in a line; raise `ValueError` or `RecursionError` where there is none."""
    try:
        # `decode` also looks for blanks around the value, which takes a third of its time.
        value, end = _scan(line, 0)
    except StopIteration:
        return _DECODER.decode(line)
    return value if end == len(line) else _DECODER.decode(line)


def read_jsonl(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the lines' texts; numbers are those of the lines, from 0."""
    columns: Columns | None = None
    start = 0
    for block in cut_at_lines(read_utf8(origin, reading)):
        lines = plain_ends(block).decode().removesuffix("\n").split("\n")
        if columns is None and not block.isspace():
            columns = choose_columns(origin, find_columns(lines, origin), reading)
        if columns is not None:
            yield _read_block(lines, start, columns, origin, reading)
        start += len(lines)


def find_columns(lines: Sequence[str], origin: Origin) -> dict[str, bool]:
    """Return the fields of the first objects, and whether each holds strings (or nulls)."""
    kinds: dict[str, set[type]] = {}
    objects = 0
    for row in islice(_objects(lines), _SAMPLE):
        objects += 1
        for name, value in row.items():
            kinds.setdefault(name, set()).add(type(value))
    if not objects:
        raise SourceError(
            f"{origin.name}: not JSON Lines: no line of the first {len(lines)} is a JSON object",
            hint="each line must be an object, like one of a table's rows",
        )
    # A field that is always null says nothing of its type; one string is enough to be a text.
    return {name: str in found or found == {type(None)} for name, found in kinds.items()}


def _objects(lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            row = parse_line(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


def _read_block(
    lines: Sequence[str], start: int, columns: Columns, origin: Origin, reading: Reading
) -> Piece:
    texts: list[str] = []
    ids: list[str] = []
    numbers = array("q")
    for number, line in enumerate(lines, start):
        if not line or line.isspace():
            continue
        try:
            text, id_ = _read_row(line, columns)
        except _BadRowError as bad:
            reading.skip(origin, number, str(bad))
            continue
        texts.append(text)
        ids.append(id_)
        numbers.append(number)
    whole = len(numbers) == len(lines)
    return Piece(
        text_array(texts),
        range(start, start + len(lines)) if whole else numbers,
        ids if columns.id is not None else None,
    )


class _BadRowError(Exception):
    """Why a line gives no document."""


def _read_row(line: str, columns: Columns) -> tuple[str, str]:
    """Return the text of a line, and its id ("" where there is no id column)."""
    try:
        row = parse_line(line)
    except json.JSONDecodeError as error:
        raise _BadRowError(f"not valid JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise _BadRowError("not valid JSON: nested too deeply") from None
    except ValueError as error:
        raise _BadRowError(f"not valid JSON: {error}") from None
    if type(row) is not dict:
        raise _BadRowError(f"{KINDS[type(row)]}, where an object was expected")
    text = row.get(columns.text)
    if type(text) is not str:
        if text is None:
            raise _BadRowError(f"no text ({columns.text!r} is null or missing)")
        raise _BadRowError(f"{columns.text!r} is {KINDS[type(text)]}, where a string was expected")
    return text, "" if columns.id is None else _read_id(row.get(columns.id), columns.id)


def _read_id(value: object, name: str) -> str:
    if value is None or value == "":
        raise _BadRowError(f"no id ({name!r} is null, empty or missing)")
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return scrub(value)
    raise _BadRowError(
        f"the id {name!r} is {KINDS[type(value)]}, where a string or a whole number was expected"
    )
