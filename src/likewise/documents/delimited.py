"""One document a row of CSV or TSV.

The first row names the columns. Quoted fields may hold line ends. A row with too many or too few
fields is skipped. A blank line is a row whose fields are all empty.

Limitations: a row must be shorter than 2 GB, and so must what follows a quote that is never closed.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from likewise.documents.columns import Columns, choose_columns
from likewise.documents.origin import Origin
from likewise.documents.reading import Piece, Reading
from likewise.documents.stream import BLOCK
from likewise.documents.texts import sound_array
from likewise.documents.utf8 import read_utf8
from likewise.errors import LikewiseError, SourceError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.csv import CSVStreamingReader, InvalidRow

_SAMPLE = 100
# Arrow cannot read a row that is longer than its block. The largest block it takes is last.
_BLOCKS = (BLOCK, 16 * BLOCK, (1 << 31) - 1)


def read_csv(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the rows of comma-separated values (or semicolons or tabs, if the header has no comma)."""
    return _read(origin, reading, None)


def read_tsv(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the rows of tab-separated values."""
    return _read(origin, reading, "\t")


def _read(origin: Origin, reading: Reading, delimiter: str | None) -> Iterator[Piece]:
    start = next(read_utf8(origin, Reading(encoding=reading.encoding)), b"").lstrip(b"\r\n")
    if not start:
        return
    delimiter = delimiter or _find_delimiter(start)
    columns = _find_columns(start, delimiter, origin, reading)
    rows = _Rows(origin, reading)
    for size in _BLOCKS:
        try:
            yield from _read_rows(origin, reading, columns, delimiter, size, rows)
            return
        except _RowTooLong:
            # Read again in larger blocks; rows remembers where we were.
            continue
    raise SourceError(
        f"{origin.name}: a row after row {rows.done} is longer than 2 GB",
        hint="look for a quote that is opened there and never closed",
    )


def _find_delimiter(start: bytes) -> str:
    header = start.partition(b"\n")[0].decode()
    return "," if "," in header else max(",;\t", key=header.count)


def _find_columns(start: bytes, delimiter: str, origin: Origin, reading: Reading) -> Columns:
    """Choose the columns by the header, and by the first rows where the header does not tell."""
    csv.field_size_limit(max(csv.field_size_limit(), len(start) + 1))
    sample = csv.reader(io.StringIO(start.decode(), newline=""), delimiter=delimiter)
    header, *rows = islice(sample, _SAMPLE)
    for name in header:
        if header.count(name) > 1 and name in (reading.text, reading.id, "text", "id"):
            raise SourceError(f"{origin.name}: two columns are called {name!r}")
    found = {
        name: name == reading.text or not _all_numbers([row[at] for row in rows if at < len(row)])
        for at, name in enumerate(header)
    }
    if len(header) == 1:
        found = {header[0]: True}
    return choose_columns(origin, found, reading)


def _all_numbers(fields: Sequence[str]) -> bool:
    try:
        return len([float(field) for field in fields if field]) > 0
    except ValueError:
        return False


class _RowTooLong(Exception):
    """A row is longer than Arrow's block."""


class _Rows:
    """Counts rows, bad ones too, so that each good one gets its number, and gets it once."""

    def __init__(self, origin: Origin, reading: Reading) -> None:
        self.origin = origin
        self.reading = reading
        self.done = 0  # rows given out or skipped
        self._bad: list[int] = []

    def restart(self) -> None:
        self._bad.clear()

    def note_bad(self, row: InvalidRow) -> str:
        """Arrow's handler for a row with the wrong number of fields."""
        number = row.number - 2  # Arrow counts from 1, and the header too
        self._bad.append(number)
        if number >= self.done:
            odd = row.text is not None and row.text.count('"') % 2 == 1
            reason = f"{row.actual_columns} fields, where {row.expected_columns} were expected"
            more = "; a quote is opened and never closed" if odd else ""
            self.reading.skip(self.origin, number, reason + more)
        return "skip"

    def numbers(self, first: int, count: int) -> Sequence[int]:
        """Return the numbers of the next `count` good rows, from row `first` on."""
        bad = sorted(number for number in self._bad if number >= first)
        if not bad or bad[0] >= first + count:
            return range(first, first + count)
        numbers = array("q")
        for stop in bad:
            room = count - len(numbers)
            numbers.extend(range(first, min(stop, first + room)))
            if stop > first + room:
                break
            first = stop + 1
        numbers.extend(range(first, first + count - len(numbers)))
        return numbers


def _read_rows(
    origin: Origin, reading: Reading, columns: Columns, delimiter: str, size: int, rows: _Rows
) -> Iterator[Piece]:
    import pyarrow as pa

    rows.restart()
    first = 0
    try:
        for batch in _open(origin, reading, columns, delimiter, size, rows):
            numbers = rows.numbers(first, len(batch))
            first = numbers[-1] + 1 if len(batch) else first
            if first > rows.done:
                fresh = sum(number >= rows.done for number in numbers)
                rows.done = first
                yield _make_piece(batch[len(batch) - fresh :], numbers[-fresh:], columns, rows)
    except pa.ArrowInvalid as error:
        if "straddl" in str(error):
            raise _RowTooLong from None
        raise SourceError(f"{origin.name}: cannot be read as CSV: {error}") from error


def _open(
    origin: Origin, reading: Reading, columns: Columns, delimiter: str, size: int, rows: _Rows
) -> CSVStreamingReader:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    wanted = [columns.text] if columns.id is None else [columns.text, columns.id]
    stream = _Stream(origin, reading)
    try:
        return arrow_csv.open_csv(
            pa.PythonFile(stream, mode="r"),
            # One thread: only then does Arrow tell the numbers of bad rows.
            read_options=arrow_csv.ReadOptions(block_size=size, use_threads=False),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter,
                newlines_in_values=True,
                ignore_empty_lines=False,
                invalid_row_handler=rows.note_bad,
            ),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=wanted,
                column_types=dict.fromkeys(wanted, pa.large_string()),
                strings_can_be_null=False,
                check_utf8=False,
            ),
        )
    except pa.ArrowInvalid:
        raise
    except LikewiseError:
        raise


class _Stream(io.RawIOBase):
    """The text of an origin as a file, without blank lines before the header."""

    def __init__(self, origin: Origin, reading: Reading) -> None:
        self._blocks = read_utf8(origin, reading)
        self._left = memoryview(next(self._blocks, b"").lstrip(b"\r\n"))

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._left = memoryview(block)
        size = len(self._left) if size < 0 else size
        part, self._left = self._left[:size], self._left[size:]
        return bytes(part)


def _make_piece(
    batch: pa.RecordBatch, numbers: Sequence[int], columns: Columns, rows: _Rows
) -> Piece:
    texts, _ = sound_array(batch.column(0))
    if columns.id is None:
        return Piece(texts, numbers)
    ids: list[str] = batch.column(1).to_pylist()
    if all(ids):
        return Piece(texts, numbers, ids)
    kept = [at for at, id_ in enumerate(ids) if id_]
    for at, id_ in enumerate(ids):
        if not id_:
            rows.reading.skip(rows.origin, numbers[at], f"no id ({columns.id!r} is empty)")
    return Piece(
        texts.take(kept), array("q", [numbers[at] for at in kept]), [ids[at] for at in kept]
    )
