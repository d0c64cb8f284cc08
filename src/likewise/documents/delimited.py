"""One document a row of CSV or TSV.

The first row names the columns. Quoted fields may hold line ends. A row with too many or too few
fields is skipped. A blank line is a row whose fields are all empty.

Limitations: a row must be shorter than 2 GB, and so must what follows a quote that is never closed.
"""

from __future__ import annotations

import csv
import io
import sys
from array import array
from typing import IO, TYPE_CHECKING, Any, Literal, cast

from likewise.documents.columns import TEXT_NAMES, Columns, choose_columns
from likewise.documents.reading import Piece, Reading
from likewise.documents.stream import BLOCK
from likewise.documents.texts import sound_array
from likewise.documents.utf8 import read_utf8
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa
    from pyarrow.csv import CSVStreamingReader, InvalidRow

    from likewise.documents.origin import Origin

_SAMPLE = 100_000
# Arrow cannot read a row that is longer than its block. The largest block it takes is last.
_BLOCKS = (BLOCK, 32 * BLOCK, (1 << 31) - 1)


def read_csv(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the rows of CSV; its delimiter is ; or a tab if the header has these and no comma."""
    return _read(origin, reading, None)


def read_tsv(origin: Origin, reading: Reading) -> Iterator[Piece]:
    """Yield the rows of tab-separated values."""
    return _read(origin, reading, "\t")


def _read(origin: Origin, reading: Reading, delimiter: str | None) -> Iterator[Piece]:
    stream = _Stream(read_utf8(origin, reading))
    start = stream.peek()
    if not start:
        return
    delimiter = delimiter or find_delimiter(start)
    columns = find_columns(start, delimiter, origin, reading)
    rows = _Rows(origin, reading)
    for size in _BLOCKS:
        try:
            yield from _read_rows(stream, columns, delimiter, size, rows)
            return
        except _RowTooLongError:
            if origin.size is None:
                break  # a pipe gives its content once
            # Read again in larger blocks; rows remembers where we were.
            stream = _Stream(read_utf8(origin, reading))
    raise SourceError(
        f"{origin.name}: a row after row {rows.done} is too long",
        hint="look there for an opening quote that is never closed",
    )


def find_delimiter(start: bytes) -> str:
    header = start.partition(b"\n")[0].decode("utf-8", "ignore")
    return "," if "," in header else max(",;\t", key=header.count)


def find_columns(start: bytes, delimiter: str, origin: Origin, reading: Reading) -> Columns:
    """Choose the columns by the header, and by the first rows where the header does not tell."""
    # The sample is shorter than the longest field that Python's parser takes.
    sample = io.StringIO(start.decode("utf-8", "ignore"), newline="")
    header, *rows = csv.reader(sample, delimiter=delimiter)
    # Every field is a string; numbers tell what is not the text where no column has its name.
    by_name = {reading.text, *TEXT_NAMES}
    found = {
        name: name in by_name or not _all_numbers([row[at] for row in rows if at < len(row)])
        for at, name in enumerate(header)
    }
    if len(header) == 1:
        found = {header[0]: True}
    columns = choose_columns(origin, found, reading)
    for name in {columns.text, columns.id or columns.text}:
        if header.count(name) > 1:
            raise SourceError(f"{origin.name}: duplicate column {name!r}")
    return columns


def _all_numbers(fields: Sequence[str]) -> bool:
    try:
        return len([float(field) for field in fields if field]) > 0
    except ValueError:
        return False


class _RowTooLongError(Exception):
    """A row is longer than Arrow's block."""


class _Rows:
    """Counts rows, bad ones too, so that each good one gets its number, and gets it once."""

    def __init__(self, origin: Origin, reading: Reading) -> None:
        self.origin = origin
        self.reading = reading
        self.done = 0  # rows given out or skipped
        self._told = -1  # the last bad row that was listed
        self._bad: list[int] = []

    def restart(self) -> None:
        self._bad.clear()

    def note_bad(self, row: InvalidRow) -> Literal["skip"]:
        """Arrow's handler for a row with the wrong number of fields."""
        number = (row.number or 0) - 2  # Arrow counts from 1, and the header too
        self._bad.append(number)
        if number > self._told:
            self._told = number
            odd = row.text is not None and row.text.count('"') % 2 == 1
            reason = f"{row.actual_columns} fields, where {row.expected_columns} were expected"
            more = "; a quote is opened and never closed" if odd else ""
            self.reading.skip(self.origin, number, reason + more)
        return "skip"

    def numbers(self, first: int, count: int) -> Sequence[int]:
        """Return the numbers of the next `count` good rows, from row `first` on."""
        bad = self._bad = [number for number in self._bad if number >= first]
        if not bad or bad[0] >= first + count:
            return range(first, first + count)
        numbers = array("q")
        for stop in bad:
            room = count - len(numbers)
            numbers.extend(range(first, min(stop, first + room)))
            if stop >= first + room:
                break
            first = stop + 1
        numbers.extend(range(first, first + count - len(numbers)))
        return numbers


def _read_rows(
    stream: _Stream, columns: Columns, delimiter: str, size: int, rows: _Rows
) -> Iterator[Piece]:
    import pyarrow as pa

    rows.restart()
    first = 0
    try:
        for batch in _open(stream, columns, delimiter, size, rows):
            numbers = rows.numbers(first, len(batch))
            first = numbers[-1] + 1 if len(batch) else first
            if first > rows.done:
                fresh = sum(number >= rows.done for number in numbers)
                rows.done = first
                yield _make_piece(batch[len(batch) - fresh :], numbers[-fresh:], columns, rows)
    except pa.ArrowInvalid as error:
        if "straddl" in str(error):
            raise _RowTooLongError from None
        raise SourceError(f"{rows.origin.name}: cannot be read as CSV: {error}") from error


def _open(
    stream: _Stream, columns: Columns, delimiter: str, size: int, rows: _Rows
) -> CSVStreamingReader:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    wanted = [columns.text] if columns.id is None else [columns.text, columns.id]
    return arrow_csv.open_csv(
        cast("IO[Any]", pa.PythonFile(stream, mode="r")),
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


class _Stream(io.RawIOBase):
    """Blocks as a file, without blank lines before the header."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._left = memoryview(next(self._blocks, b"").lstrip(b"\r\n"))

    def peek(self) -> bytes:
        """Return the beginning, which stays to be read."""
        return bytes(self._left[:_SAMPLE])

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Return `size` bytes, fewer only at the end: to Arrow a short read is a short block."""
        parts: list[memoryview] = []
        missing = size if size >= 0 else sys.maxsize
        while missing and self._fill():
            parts.append(self._left[:missing])
            self._left = self._left[missing:]
            missing -= len(parts[-1])
        return b"".join(parts)

    def _fill(self) -> bool:
        """See to it that something is left; return False at the end."""
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return False
            self._left = memoryview(block)
        return True


def _make_piece(
    batch: pa.RecordBatch, numbers: Sequence[int], columns: Columns, rows: _Rows
) -> Piece:
    texts, _ = sound_array(batch.column(0))
    if columns.id is None:
        return Piece(texts, numbers)
    ids = cast("list[str]", batch.column(1).to_pylist())
    if all(ids):
        return Piece(texts, numbers, ids)
    kept = [at for at, id_ in enumerate(ids) if id_]
    for at, id_ in enumerate(ids):
        if not id_:
            rows.reading.skip(rows.origin, numbers[at], f"no id ({columns.id!r} is empty)")
    return Piece(
        texts.take(kept), array("q", [numbers[at] for at in kept]), [ids[at] for at in kept]
    )
