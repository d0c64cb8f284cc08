"""One row per line of JSON.

Only the wanted columns matter: other fields may contain anything, or differ from line to line. A
line that is not a JSON object, or whose text is not a string, is a bad row.

Limitations: about 200 MB/s for documents of a page and 70 MB/s for tweets, as Python's own parser
goes line by line; Arrow's is faster but gives up a whole block for one broken line.
"""

from __future__ import annotations

import codecs
import json
from array import array
from itertools import islice
from json.scanner import make_scanner
from typing import TYPE_CHECKING, Any, cast

from likewise.documents.batch import RowBatch
from likewise.documents.encoding import repair_utf8
from likewise.documents.stream import BLOCK
from likewise.documents.tables.columns import choose_columns
from likewise.documents.tables.records import plain_ends
from likewise.documents.tables.text_table import TextTable, json_fields
from likewise.documents.tables.values import json_family, json_id
from likewise.documents.texts import text_array_with_nulls
from likewise.errors import SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from likewise.documents.tables.records import Cut

_SAMPLE_ROWS = 1000
_TYPES: dict[type, str] = {
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


class JsonLines(TextTable):
    """Lines of JSON. Annotations become keys at the end of each object."""

    extensions = (".jsonl", ".ndjson")

    def open(self) -> None:
        """Find the columns in the first lines that are not blank."""
        for block in self.read_lines():
            if not block or block.isspace():
                continue
            lines = _split(block)
            if self.columns is None:
                self._find_columns(lines)
            # Where the first lines have no value, one of the next will say what they are.
            if self.reading.values is None or self._settle_values(lines):
                return

    def _find_columns(self, lines: Sequence[str]) -> None:
        """Find the fields of the first objects, and whether each contains strings (or nulls)."""
        import pyarrow as pa

        types: dict[str, set[type]] = {}
        for row in islice(_objects(lines), _SAMPLE_ROWS):
            for name, value in row.items():
                types.setdefault(name, set()).add(type(value))
        if not types and next(_objects(lines), None) is None:
            raise SourceError(
                f"{self.name}: not JSON Lines: no line of the first {len(lines)} is a JSON object",
                hint="write each row as one JSON object on a line of its own",
            )
        self.reading.refuse_reserved(self.origin, types)
        # A field that is always null says nothing of its type; one string is enough to be a text.
        found = {name: str in some or some == {type(None)} for name, some in types.items()}
        self.columns = choose_columns(self.origin, found, self.reading)
        if types.get(self.columns.id or "", set()) - {type(None)} == {int}:
            self.id_type = pa.int64()
        self._check_values(list(found))

    def _settle_values(self, lines: Sequence[str]) -> bool:
        values = self.reading.values
        assert values is not None
        for row in _objects(lines):
            value = row.get(values.name)
            if value is not None and (family := json_family(value)) is not None:
                values.settle(self.origin, family)
                return True
        return False

    def read(self) -> Iterator[RowBatch]:
        first = 0
        for block in self.read_lines():
            if not block:
                continue
            lines = _split(block)
            if self.columns is None and not block.isspace():
                self._find_columns(lines)
            yield self._read_lines(lines, first)
            first += len(lines)

    def _read_lines(self, lines: Sequence[str], first: int) -> RowBatch:
        columns, wanted, reserved = self.columns, self.reading.values, self.reading.reserved
        texts: list[str | None] = []
        ids: list[str | None] = []
        values: list[Any] = []
        rows = array("q")
        bad: dict[int, str] = {}
        for number, line in enumerate(lines, first):
            if not line or line.isspace():
                continue
            assert columns is not None
            try:
                row = parse_object(line)
            except BadRowError as error:
                bad[number] = str(error)
                continue
            if reserved and not reserved.isdisjoint(row):
                self.reading.refuse_reserved(self.origin, row)
            try:
                texts.append(_text(row, columns.text))
            except BadRowError as error:
                bad[number] = str(error)
                texts.append(None)
            rows.append(number)
            if columns.id is not None:
                ids.append(json_id(row.get(columns.id)))
            if wanted is not None:
                values.append(row.get(wanted.name))
        whole = len(rows) == len(lines)
        return RowBatch(
            range(first, first + len(lines)) if whole else rows,
            text_array_with_nulls(texts),
            text_array_with_nulls(ids) if columns is not None and columns.id is not None else None,
            None if wanted is None else wanted.from_json(values, self.origin, rows),
            bad,
            first + len(lines),
            self.number,
        )

    def texts(self, cut: Cut) -> pa.LargeStringArray:
        return text_array_with_nulls([self._text_again(line) for line in _split(cut.data)])

    def _text_again(self, line: str) -> str | None:
        if self.columns is None or not line or line.isspace():
            return None
        try:
            return _text(parse_object(line), self.columns.text)
        except BadRowError:
            return None

    def annotate(self, cut: Cut, batch: pa.RecordBatch, first: int) -> Iterable[bytes]:
        names = batch.schema.names
        for number, (line, added) in enumerate(zip(cut, json_fields(batch), strict=False), first):
            yield annotate_line(line, added, names, f"{self.name} line {number + 1}")

    def replace_text(self, row: bytes, text: str) -> bytes:
        assert self.columns is not None
        return with_text(row, self.columns.text, text)


def with_text(line: bytes, name: str, text: str) -> bytes:
    """Return a line with another text under this key; all else stays byte for byte."""
    shown = line.decode()
    start, end = _value_place(shown, name)
    return f"{shown[:start]}{json.dumps(text, ensure_ascii=False)}{shown[end:]}".encode()


def sound_line(line: bytes) -> bytes:
    """Return a line as valid UTF-8, as `read_utf8` gives it where bytes are damaged."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return repair_utf8(line)[0].encode()
    return line


def line_values(
    line: bytes, text: str, id: str, value: str | None
) -> tuple[str | None, str | None, Any]:
    """Return the id, the text and a further value of one line, by itself; None where it is bad."""
    try:
        row = parse_object(sound_line(line).decode())
    except BadRowError:
        return None, None, None
    id_, further = json_id(row.get(id)), None if value is None else row.get(value)
    try:
        return id_, _text(row, text), further
    except BadRowError:
        return id_, None, further


def is_json_lines(start: bytes) -> bool:
    """Whether the first line in the first block of a file is an object, or nothing is there.

    >>> is_json_lines(b'{"text": "a"}'), is_json_lines(b'[{"text": "a"}]'), is_json_lines(b"{\\n")
    (True, False, False)
    """
    line, end, _ = start.removeprefix(codecs.BOM_UTF8).lstrip().partition(b"\n")
    if not end and len(start) >= BLOCK:  # longer than the block
        return line.startswith(b"{")
    try:
        if line:
            parse_object(line.decode("utf-8", "replace"))
    except BadRowError:
        return False
    return True


def annotate_line(line: bytes, added: str, names: Sequence[str], place: str) -> bytes:
    """Return a line of JSON with more keys at its end; one that is no object stays as it is.

    `place` is what an error calls the line that has one of the `names` already.
    """
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
            f"{place}: already has a key {taken!r}, which would be added",
            hint="rename or drop that key first",
        )
    inside = content[:-1].rstrip(b" \t\r\n")
    comma = b", " if row else b""
    return inside + comma + added.encode() + b"}" + line[len(content) :]


def _split(block: bytes) -> list[str]:
    return plain_ends(block).decode().removesuffix("\n").split("\n")


def _objects(lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            yield parse_object(line)
        except BadRowError:
            continue


def parse_object(line: str) -> dict[str, Any]:
    """Return the object in a line; raise `BadRowError` with the reason where there is none."""
    try:
        row = _parse(line)
    except json.JSONDecodeError as error:
        raise BadRowError(f"not valid JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise BadRowError("not valid JSON: nested too deeply") from None
    except ValueError as error:
        raise BadRowError(f"not valid JSON: {error}") from None
    if type(row) is not dict:
        raise BadRowError(f"{_TYPES[type(row)]}, where an object was expected")
    return row


def _value_place(line: str, column: str) -> tuple[int, int]:
    """Return where the value of a key begins and ends in a line that `parse_object` takes.

    The last one counts, as it does there.
    """
    place = 0, 0
    at = _after_blanks(line, line.index("{") + 1)
    while line[at] == '"':
        key, at = _scan(line, at)
        start = _after_blanks(line, _after_blanks(line, at) + 1)  # behind the colon
        _, end = _scan(line, start)
        if key == column:
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


def _text(row: dict[str, Any], column: str) -> str | None:
    text = row.get(column)
    if text is None or type(text) is str:
        return text
    raise BadRowError(f"{column!r} is {_TYPES[type(text)]}, where a string was expected")
