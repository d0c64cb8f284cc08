"""A row of JSON: parsed, its text, and the place of a value in it."""

from __future__ import annotations

import json
from json.scanner import make_scanner
from typing import TYPE_CHECKING, Any, cast

from likewise.documents.tables.fields import find_value, flat, join_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES: dict[type, str] = {
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


class BadRowError(Exception):
    """Why a line gives no row."""


class InvalidRowError(BadRowError):
    """A line that is not JSON."""


def parse_object(line: str) -> dict[str, Any]:
    """Return the object in a line; raise `BadRowError` with the reason where there is none."""
    row = parse_json(line)
    if type(row) is not dict:
        raise BadRowError(f"{TYPES[type(row)]}, where an object was expected")
    return row


def parse_json(line: str) -> Any:
    """Return the value in a line; raise `BadRowError` with the reason where there is none."""
    try:
        return _parse(line)
    except json.JSONDecodeError as error:
        raise InvalidRowError(f"not valid JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise BadRowError("not valid JSON: nested too deeply") from None
    except ValueError as error:
        raise BadRowError(f"not valid JSON: {error}") from None


def value_place(line: str, keys: Sequence[str]) -> tuple[int, int]:
    """Return where the value at a path begins and ends in a line that `parse_object` takes."""
    start, end = line.index("{"), len(line)
    for key in keys:
        start, end = _member_place(line, start, key)
    return start, end


def _member_place(line: str, at: int, wanted: str) -> tuple[int, int]:
    """Return where the value of a key is in the object that begins at `at`.

    The last one counts, as for `parse_object`.
    """
    place = 0, 0
    at = _after_blanks(line, at + 1)
    while line[at] == '"':
        key, at = _scan(line, at)
        start = _after_blanks(line, _after_blanks(line, at) + 1)  # behind the colon
        _, end = _scan(line, start)
        if key == wanted:
            place = start, end
        at = _after_blanks(line, end)
        if line[at] == ",":
            at = _after_blanks(line, at + 1)
    return place


def _after_blanks(line: str, at: int) -> int:
    while line[at] in " \t\r\n":
        at += 1
    return at


def _parse(line: str) -> Any:
    try:
        # `decode` also looks for blanks around the value, which takes a third of its time.
        value, end = _scan(line, 0)
    except StopIteration:
        return _DECODER.decode(line)
    return value if end == len(line) else _DECODER.decode(line)


def find_text(row: dict[str, Any], column: str) -> str | None:
    """Return the text of a row, joined if it is in a list; raise `BadRowError` for other values."""
    text = find_value(row, column)
    if text is None or type(text) is str:
        return text
    if type(text) is list:
        wrong = next(
            (leaf for leaf in flat(text) if leaf is not None and type(leaf) is not str), ""
        )
        if type(wrong) is str:
            return join_texts(flat(text))
        raise BadRowError(f"{column!r} has {TYPES[type(wrong)]}, where a string was expected")
    raise BadRowError(f"{column!r} is {TYPES[type(text)]}, where a string was expected")
