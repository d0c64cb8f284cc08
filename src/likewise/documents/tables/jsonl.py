"""One row per line of JSON.

A column may be a path, as in `message.content`; see `fields`.

Only the wanted columns matter: other fields may contain anything, or differ from line to line. A
line that is not a JSON object, or whose text is not a string, is a bad row.

Limitations: about 200 MB/s for documents of a page and 70 MB/s for tweets, as Python's own parser
goes line by line; Arrow's is faster but gives up a whole block for one broken line.
"""

from __future__ import annotations

import json
from array import array
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from likewise.documents.batch import RowBatch
from likewise.documents.encoding import repair_utf8
from likewise.documents.tables.columns import choose_columns
from likewise.documents.tables.fields import find_value, flat
from likewise.documents.tables.json_values import (
    BadRowError,
    find_text,
    parse_object,
    value_place,
)
from likewise.documents.tables.records import plain_ends
from likewise.documents.tables.text_table import TextTable, json_fields
from likewise.documents.tables.values import json_family, json_id
from likewise.documents.texts import text_array_with_nulls
from likewise.errors import SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from likewise.documents.tables.records import Cut

_SAMPLE_ROWS = 1000


class JsonLines(TextTable):
    """Lines of JSON. Annotations become keys at the end of each object."""

    extensions: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    unit = "line"

    def row_blocks(self) -> Iterator[list[str]]:
        """Yield the rows as strings of JSON, many at a time; blank ones too."""
        for block in self.read_lines():
            if block:
                yield _split(block)

    def row_strings(self, cut: Cut) -> list[str]:
        """Return rows as strings of JSON."""
        return _split(cut.data)

    def parse_row(self, row: str) -> dict[str, Any]:
        """Return the fields of a row; raise `BadRowError`."""
        return parse_object(row)

    def reason(self, number: int, error: Exception) -> str:
        """Return why a row is bad, or raise `SourceError` if the file is bad with it."""
        return str(error)

    def open(self) -> None:
        """Find the columns in the first lines that are not blank."""
        for lines in self.row_blocks():
            if _are_blank(lines):
                continue
            if self.columns is None:
                self._find_columns(lines)
            # Where the first lines have no value, one of the next will say what they are.
            if self.reading.values is None or self._settle_values(lines):
                return

    def _find_columns(self, lines: Sequence[str]) -> None:
        """Find the fields of the first objects, and whether each contains strings (or nulls)."""
        import pyarrow as pa

        sample = list(islice(self._objects(lines), _SAMPLE_ROWS))
        types: dict[str, set[type]] = {}
        for row in sample:
            for name, value in row.items():
                types.setdefault(name, set()).add(type(value))
        if not types and next(self._objects(lines), None) is None:
            self._report_invalid(lines)
            raise SourceError(
                f"{self.name}: not rows of JSON: no {self.unit} of the first {len(lines)} is a "
                "JSON object",
                hint="write each row as one JSON object, in JSON Lines on a line of its own",
            )
        self.reading.refuse_reserved(self.origin, types)
        # A field that is always null says nothing of its type; one string is enough to be a text.
        found = {name: str in some or some == {type(None)} for name, some in types.items()}
        nested = self._find_nested(sample, found)
        self.columns = choose_columns(self.origin, found, self.reading, nested)
        ids = [find_value(row, self.columns.id) for row in sample if self.columns.id is not None]
        if set(map(type, ids)) - {type(None)} == {int}:
            large = any(value is not None and value >= 1 << 63 for value in ids)
            self.id_type = pa.uint64() if large else pa.int64()
        texts = (find_value(row, self.columns.text) for row in sample)
        self.joined = any(type(text) is list for text in texts)
        self.check_values([*found, *nested])

    def _report_invalid(self, lines: Sequence[str]) -> None:
        """Raise what is wrong with the first of these rows, if that makes the file bad."""
        try:
            self.parse_row(lines[0])
        except BadRowError as error:
            self.reason(0, error)

    def _find_nested(
        self, sample: Sequence[dict[str, Any]], found: Mapping[str, bool]
    ) -> dict[str, bool]:
        """Return the paths that the user named, and the text if it is in lists, with whether they
        contain strings."""
        nested: dict[str, bool] = {}
        further = (self.reading.values, self.reading.groups)
        named = [one.name for one in further if one is not None]
        for name in (self.reading.text, self.reading.id, *named):
            if name is not None and not found.get(name):
                some = [find_value(row, name) for row in sample]
                leaves = [leaf for value in some for leaf in flat([value])]
                if name not in found and (leaves.count(None) < len(leaves) or [] in some):
                    nested[name] = any(type(leaf) is str for leaf in leaves) or not leaves
                elif name == self.reading.text and list in map(type, some):
                    nested[name] = not leaves or any(type(leaf) is str for leaf in leaves)
        return nested

    def _settle_values(self, lines: Sequence[str]) -> bool:
        values = self.reading.values
        assert values is not None
        for row in self._objects(lines):
            value = find_value(row, values.name)
            if value is not None and (family := json_family(value)) is not None:
                values.settle(self.origin, family)
                return True
        return False

    def read(self) -> Iterator[RowBatch]:
        first = 0
        for lines in self.row_blocks():
            if self.columns is None and not _are_blank(lines):
                self._find_columns(lines)
            yield self._read_lines(lines, first)
            first += len(lines)

    def _read_lines(self, lines: Sequence[str], first: int) -> RowBatch:
        columns, wanted, reserved = self.columns, self.reading.values, self.reading.reserved
        grouped = self.reading.groups
        texts: list[str | None] = []
        ids: list[str | None] = []
        values: list[Any] = []
        groups: list[Any] = []
        rows = array("q")
        bad: dict[int, str] = {}
        for number, line in enumerate(lines, first):
            if self.unit == "line" and (not line or line.isspace()):
                continue
            assert columns is not None
            try:
                row = self.parse_row(line)
            except BadRowError as error:
                bad[number] = self.reason(number, error)
                continue
            if reserved and not reserved.isdisjoint(row):
                self.reading.refuse_reserved(self.origin, row)
            try:
                texts.append(find_text(row, columns.text))
            except BadRowError as error:
                bad[number] = str(error)
                texts.append(None)
            rows.append(number)
            if columns.id is not None:
                ids.append(json_id(find_value(row, columns.id)))
            if wanted is not None:
                values.append(find_value(row, wanted.name))
            if grouped is not None:
                groups.append(find_value(row, grouped.name))
        whole = len(rows) == len(lines)
        return RowBatch(
            range(first, first + len(lines)) if whole else rows,
            text_array_with_nulls(texts),
            text_array_with_nulls(ids) if columns is not None and columns.id is not None else None,
            None if wanted is None else wanted.from_json(values, self.origin, rows),
            bad,
            first + len(lines),
            self.number,
            groups=None if grouped is None else grouped.from_json(groups, self.origin, rows),
        )

    def texts(self, cut: Cut) -> pa.LargeStringArray:
        return text_array_with_nulls([self._text_again(line) for line in self.row_strings(cut)])

    def _text_again(self, line: str) -> str | None:
        if self.columns is None or not line or line.isspace():
            return None
        try:
            return find_text(self.parse_row(line), self.columns.text)
        except BadRowError:
            return None

    def annotate(self, cut: Cut, batch: pa.RecordBatch, first: int) -> Iterable[bytes]:
        names = batch.schema.names
        for number, (line, added) in enumerate(zip(cut, json_fields(batch), strict=False), first):
            yield annotate_line(line, added, names, f"{self.name} {self.origin.place(number)}")

    def replace_text(self, row: bytes, text: str) -> bytes:
        assert self.columns is not None
        return with_text(row, self.columns.text, text, self.name)

    def _objects(self, lines: Sequence[str]) -> Iterator[dict[str, Any]]:
        for line in lines:
            try:
                yield self.parse_row(line)
            except BadRowError:
                continue


def with_text(line: bytes, column: str, text: str, origin: str) -> bytes:
    """Return a line with another text in this column; all else stays byte for byte."""
    shown = line.decode()
    start, end = value_place(shown, _text_keys(shown, column, origin))
    return f"{shown[:start]}{json.dumps(text, ensure_ascii=False)}{shown[end:]}".encode()


def _text_keys(line: str, column: str, origin: str) -> list[str]:
    """Return the path to the text in a row; raise `SourceError` if it is joined from a list."""
    row = parse_object(line)
    if type(find_value(row, column)) is not str:
        raise SourceError(
            f"{origin}: parts cannot be removed from {column!r}, which is a list in "
            f"{line.strip()[:60]}…",
            hint="annotate the rows instead, or write the list as one string",
        )
    return [column] if column in row else column.split(".")


def _are_blank(lines: Sequence[str]) -> bool:
    return all(not line or line.isspace() for line in lines)


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
    id_ = json_id(find_value(row, id))
    further = None if value is None else find_value(row, value)
    try:
        return id_, find_text(row, text), further
    except BadRowError:
        return id_, None, further


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
